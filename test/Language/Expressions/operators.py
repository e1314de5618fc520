# Python's operators on numbers, texts, lists, tuples, dicts and objects.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import Dict, List, Optional, Tuple


class Plain:
    def __init__(self, n: int):
        self.n = n


class Bag:
    def __init__(self) -> None:
        self.items = [1, 2, 3]

    def __iter__(self):
        return iter(self.items)


def main() -> None:
    c = complex(1, 2)
    print(c ** 2, c / 2, 2 * c, c + 1, 1 - c)
    print("ab" * 3, 2 * "xy", "a" * 0, ~5, ~-1, +5, +2.5, -True, ~True)
    print([1, 2] < [1, 3], [1, 2] < [1], [1, 2] >= [1, 2], [[1], [2]] == [[1], [2]], ["a"] != ["b"])
    print((1, "b") < (1, "a"), (1, 2) <= (1, 2), (1, 2) == (1, 2), (1, 2) != (1, 3), (2,) > (1, 5))
    print({"a": 1} == {"a": 1}, {"a": 1} != {"a": 2}, {1: [2]} == {1: [2]})
    a = Plain(1)
    print(a == a, a == Plain(1), a != Plain(1))
    print(2 in Bag(), 9 in Bag(), 9 not in Bag(), [x * x for x in Bag()])
    print(2 in (1, 2, 3), "b" not in ("a", "c"), [1] in [[1], [2]], (1, 2) in [(1, 2)])
    t: Dict[Tuple[int, str], float] = {(1, "a"): 2.0}
    t[(2, "b")] = 3.0
    t[(1, "a")] += 0.5
    print(t[(1, "a")], (2, "b") in t, (3, "b") in t, len(t), t.get((9, "z"), -1.0))
    print(7 // 2, -7 // 2, 7 % -3, -7.5 % 2, 2 ** 10, 7 / 2, 1 << 4, 6 & 3, 6 | 3, 6 ^ 3)
    x = 5
    print(1 < x < 10, 1 < x > 9, x == 5 == 5)


# What Python prints:
# CHECK: (-3+4j) (0.5+1j) (2+4j) (2+2j) -2j
# CHECK-NEXT: ababab xyxy  -6 0 5 2.5 -1 -2
# CHECK-NEXT: True False True True True
# CHECK-NEXT: False True True True True
# CHECK-NEXT: True True True
# CHECK-NEXT: True False True
# CHECK-NEXT: True False True [1, 4, 9]
# CHECK-NEXT: True True True True
# CHECK-NEXT: 2.5 True False 2 -1.0
# CHECK-NEXT: 3 -4 -2 0.5 1024 3.5 16 2 7 5
# CHECK-NEXT: True False True
