# Sets, in the order in which their elements came.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import List, Set


def distinct(values: List[str]) -> Set[str]:
    seen: Set[str] = set()
    for value in values:
        seen.add(value)
    return seen


def main() -> None:
    s = {1, 2, 3}
    s.add(2)
    s.add(7)
    print(s, len(s), 7 in s, 8 in s, 8 not in s)
    print(s | {10}, s & {1, 2}, s - {1}, s ^ {1, 9})
    print({x % 3 for x in range(7)}, set([3, 3, 4]), sorted({5, 4}))
    s.discard(7)
    s.discard(70)
    s.remove(1)
    print(s, s == {2, 3}, s != {2}, s <= {2, 3, 4}, {2} < s, s.issubset({2}), s.isdisjoint({9}))
    print(len(distinct(["a", "b", "a"])), "a" in distinct(["a"]), {(1, "a"), (1, "a")}, bool(set([1])))
    total = 0
    for value in s:
        total += value
    print(total, sorted(s.union({8})), s.copy() == s)


# What Python prints:
# CHECK: {1, 2, 3, 7} 4 True False True
# CHECK-NEXT: {1, 2, 3, 7, 10} {1, 2} {2, 3, 7} {2, 3, 7, 9}
# CHECK-NEXT: {0, 1, 2} {3, 4} [4, 5]
# CHECK-NEXT: {2, 3} True True True True False True
# CHECK-NEXT: 2 True {(1, 'a')} True
# CHECK-NEXT: 5 [2, 3, 8] True
