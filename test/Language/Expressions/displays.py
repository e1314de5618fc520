# Displays with stars, f-strings that show what they format, several subscripts, imports inside functions, bools as
# numbers, and variables that are set to None where a condition has narrowed them.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import Dict, List, Optional, Tuple


class Grid:
    def __init__(self, width: int):
        self.width = width
        self.cells = [0] * (width * width)

    def __getitem__(self, at: Tuple[int, int]) -> int:
        return self.cells[at[0] * self.width + at[1]]

    def __setitem__(self, at: Tuple[int, int], value: int) -> None:
        self.cells[at[0] * self.width + at[1]] = value


def lists(rest: List[int], pair: Tuple[int, int]) -> None:
    print([*rest, 10], [0, *rest, *pair, *range(2)], [*rest] == rest)
    a, *middle, z = (1, 2, 3, 4)
    middle.append(9)
    print(a, middle, z)


def dicts(d: Dict[str, int]) -> None:
    print({**d, "x": 0}, {"a": 5, **d}, {**d, **{"q": 7}}, d)


def numbers(n: int, flag: bool, x: float) -> None:
    print(n + flag, flag + flag, n == flag, flag < n, x * flag, flag // 1, n << flag, sum([True, False, True]) if False else 0)


def shown(n: int, s: str) -> None:
    print(f"{n=} {s=} {n + 1 = } {n=:>4} {s!r:>6} {n == 3}")


def local() -> float:
    import math
    from math import floor as down
    import torch.nn.functional as F
    return math.sqrt(16.0) + down(2.5) + float(F.relu(torch.ones(1)))


def widened(start: Optional[int], stop: int) -> int:
    cur = start
    n = 0
    while cur is not None:
        n += cur
        if cur > stop:
            cur = None
        else:
            cur = cur + 1
    if start is not None:
        if n > 5:
            start = None
        else:
            n += start
    return n if start is None else n + 100


def main():
    lists([1, 2], (7, 8))
    dicts({"a": 1})
    numbers(3, True, 0.5)
    shown(3, "t")
    print(local(), widened(1, 3), widened(None, 1), widened(1, 0))
    g = Grid(2)
    g[1, 0] = 4
    g[1, 0] += 2
    print(g[1, 0], g.cells)


# What Python prints:
# CHECK: [1, 2, 10] [0, 1, 2, 7, 8, 0, 1] True
# CHECK-NEXT: 1 [2, 3, 9] 4
# CHECK-NEXT: {'a': 1, 'x': 0} {'a': 1} {'a': 1, 'q': 7} {'a': 1}
# CHECK-NEXT: 4 2 False True 0.5 1 6 0
# CHECK-NEXT: n=3 s='t' n + 1 = 4 n=   3    't' True
# CHECK-NEXT: 7.0 10 0 102
# CHECK-NEXT: 6 [0, 0, 6, 0]
