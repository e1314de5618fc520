# Operators and builtins on what they are seldom given: bools, members of IntEnum, lists of lists; parts of lists that are
# deleted or searched.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s --match-full-lines
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s --match-full-lines
import math
from enum import IntEnum
from typing import List

import torch


class Level(IntEnum):
    LOW = 1
    MID = 5
    HIGH = 10


def levels() -> None:
    all_levels = [Level.HIGH, Level.LOW, Level.MID]
    print(max(Level.LOW, Level.HIGH), min(Level.MID, Level.LOW, Level.HIGH).name, max(all_levels).name)
    print([level.name for level in sorted(all_levels)], [level.name for level in sorted(all_levels, reverse=True)])
    all_levels.sort()
    print([level.name for level in all_levels])


def bools(a: bool, b: bool) -> None:
    print(a < b, a <= b, a > b, a >= b, max(a, b), a == b)
    x, flags = torch.tensor([1, -2]), torch.tensor([True, False])
    print(x * b, b * x, x + a, flags + b, flags & b, flags == a, x > b, torch.tensor([1.5]) * b, (x / b).dtype)
    try:
        print(x - b, flags - b)
    except RuntimeError as e:
        print("refused")


def deleted(n: int) -> None:
    l = list(range(n))
    del l[1:3]
    print(l)
    del l[::3]
    print(l)
    del l[-2:]
    print(l)
    del l[5:2], l[100:]
    m = l
    del m[2::-2]
    print(l, m is l)
    del l[:]
    print(l, m)
    names = ["a", "b", "c"]
    del names[:2]
    print(names)


def searched(l: List[int]) -> None:
    print(l.index(2), l.index(2, 2), l.index(2, -2), l.index(3, 1, 4), ["x", "y", "x"].index("x", 1))
    try:
        print(l.index(1, 1))
    except ValueError as e:
        print(e)
    try:
        print(l.index(3, 0, 3))
    except ValueError as e:
        print(e)


def main() -> None:
    levels()
    bools(False, True)
    deleted(10)
    searched([1, 2, 4, 3, 2])
    empty: List[List[int]] = [[], []]
    print(any([[1], []]), any(empty), all([[1], [2]]), all([[1], []]), any(["", "a"]), all(["", "a"]), any({"": 1}))
    print(torch.zeros(2, 3).stride(), torch.zeros(2, 3).t().stride(), f"{torch.zeros(4).stride()}")
    print(math.frexp(10), math.modf(3))


# What Python and PyTorch print:
# CHECK: 10 LOW HIGH
# CHECK-NEXT: ['LOW', 'MID', 'HIGH'] ['HIGH', 'MID', 'LOW']
# CHECK-NEXT: ['LOW', 'MID', 'HIGH']
# CHECK-NEXT: True True False False True False
# CHECK-NEXT: tensor([ 1, -2]) tensor([ 1, -2]) tensor([ 1, -2]) tensor([True, True]) tensor([ True, False]) tensor([False,  True]) tensor([False, False]) tensor([1.5000]) torch.float32
# CHECK-NEXT: refused
# CHECK-NEXT: [0, 3, 4, 5, 6, 7, 8, 9]
# CHECK-NEXT: [3, 4, 6, 7, 9]
# CHECK-NEXT: [3, 4, 6]
# CHECK-NEXT: [4] True
# CHECK-NEXT: [] []
# CHECK-NEXT: ['c']
# CHECK-NEXT: 1 4 4 3 2
# CHECK-NEXT: 1 is not in list
# CHECK-NEXT: 3 is not in list
# CHECK-NEXT: True False True False True False False
# CHECK-NEXT: (3, 1) (1, 3) (1,)
# CHECK-NEXT: (0.625, 4) (0.0, 3.0)
