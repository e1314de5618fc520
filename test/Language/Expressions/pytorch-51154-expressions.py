# PyTorch issue 51154: expressions that mean in Python something else, or that were refused.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from typing import Dict, List, Tuple


class Grid:
    def __init__(self, width: int):
        self.width = width
        self.cells = [i * i for i in range(width * width)]

    def __getitem__(self, at: Tuple[int, int]) -> int:
        return self.cells[at[0] * self.width + at[1]]

    def __setitem__(self, at: Tuple[int, int], value: int) -> None:
        self.cells[at[0] * self.width + at[1]] = value


class Bag:
    def __init__(self, items: List[int]):
        self.items = items

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, i: int) -> int:
        return self.items[i]


class Plain:
    def __init__(self, n: int):
        self.n = n


def powers(a: int, b: int) -> Tuple[int, float, float]:
    return a ** 3, a ** -b, (-8.0) ** 2


def raises(case: int, zero: int) -> str:
    try:
        if case == 0:
            print(1 / zero)
        elif case == 1:
            print(1 % zero)
        elif case == 2:
            print(1 // zero)
        elif case == 3:
            print(0.0 ** (zero - 1))
        else:
            print(zero ** -1)
    except ZeroDivisionError as e:
        return "ZeroDivisionError"
    return "nothing"


def unary(a: int, b: bool) -> Tuple[int, int, int, bool, int]:
    return - -a, +a, ~ ~a, not not b, -+-a


def repeated(a: List[int], n: int) -> Tuple[List[int], List[int], str]:
    return a * n, n * a, "ab" * n


def compared(a: Plain, b: Plain) -> Tuple[bool, bool, bool, bool]:
    return a == b, a == a, a != b, a != a


def contained(bag: Bag, n: int) -> Tuple[bool, bool]:
    return n in bag, n not in bag


def grid() -> Tuple[int, int]:
    g = Grid(3)
    g[1, 2] = 100
    return g[1, 2], g[2, 1]


def mixed(a: int, b: float, c: bool) -> Tuple[bool, bool, bool, bool]:
    return a == b, a < b, a == c, 1 == 1.0


def chains(a: int, b: int, c: int) -> Tuple[bool, bool, bool]:
    return a < b < c, a < b > c, a == b != c


def main() -> None:
    for i in range(10):
        print(powers(2, 1), [raises(case, 0) for case in range(5)], unary(3, True))
        print(repeated([1, 2], -1), repeated([1, 2], 2), compared(Plain(1), Plain(1)))
        print(contained(Bag([1, 2]), 2), grid(), mixed(1, 1.0, True), chains(1, 3, 2))


# What Python prints:
# CHECK: (8, 0.5, 64.0) ['ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError'] (3, 3, 3, True, 3)
# CHECK-NEXT: ([], [], '') ([1, 2, 1, 2], [1, 2, 1, 2], 'abab') (False, True, True, False)
# CHECK-NEXT: (True, False) (100, 49) (True, False, True, True) (False, True, False)
# CHECK-NEXT: (8, 0.5, 64.0) ['ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError'] (3, 3, 3, True, 3)
# CHECK-NEXT: ([], [], '') ([1, 2, 1, 2], [1, 2, 1, 2], 'abab') (False, True, True, False)
# CHECK-NEXT: (True, False) (100, 49) (True, False, True, True) (False, True, False)
# CHECK-NEXT: (8, 0.5, 64.0) ['ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError'] (3, 3, 3, True, 3)
# CHECK-NEXT: ([], [], '') ([1, 2, 1, 2], [1, 2, 1, 2], 'abab') (False, True, True, False)
# CHECK-NEXT: (True, False) (100, 49) (True, False, True, True) (False, True, False)
# CHECK-NEXT: (8, 0.5, 64.0) ['ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError'] (3, 3, 3, True, 3)
# CHECK-NEXT: ([], [], '') ([1, 2, 1, 2], [1, 2, 1, 2], 'abab') (False, True, True, False)
# CHECK-NEXT: (True, False) (100, 49) (True, False, True, True) (False, True, False)
# CHECK-NEXT: (8, 0.5, 64.0) ['ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError'] (3, 3, 3, True, 3)
# CHECK-NEXT: ([], [], '') ([1, 2, 1, 2], [1, 2, 1, 2], 'abab') (False, True, True, False)
# CHECK-NEXT: (True, False) (100, 49) (True, False, True, True) (False, True, False)
# CHECK-NEXT: (8, 0.5, 64.0) ['ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError'] (3, 3, 3, True, 3)
# CHECK-NEXT: ([], [], '') ([1, 2, 1, 2], [1, 2, 1, 2], 'abab') (False, True, True, False)
# CHECK-NEXT: (True, False) (100, 49) (True, False, True, True) (False, True, False)
# CHECK-NEXT: (8, 0.5, 64.0) ['ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError'] (3, 3, 3, True, 3)
# CHECK-NEXT: ([], [], '') ([1, 2, 1, 2], [1, 2, 1, 2], 'abab') (False, True, True, False)
# CHECK-NEXT: (True, False) (100, 49) (True, False, True, True) (False, True, False)
# CHECK-NEXT: (8, 0.5, 64.0) ['ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError'] (3, 3, 3, True, 3)
# CHECK-NEXT: ([], [], '') ([1, 2, 1, 2], [1, 2, 1, 2], 'abab') (False, True, True, False)
# CHECK-NEXT: (True, False) (100, 49) (True, False, True, True) (False, True, False)
# CHECK-NEXT: (8, 0.5, 64.0) ['ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError'] (3, 3, 3, True, 3)
# CHECK-NEXT: ([], [], '') ([1, 2, 1, 2], [1, 2, 1, 2], 'abab') (False, True, True, False)
# CHECK-NEXT: (True, False) (100, 49) (True, False, True, True) (False, True, False)
# CHECK-NEXT: (8, 0.5, 64.0) ['ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError', 'ZeroDivisionError'] (3, 3, 3, True, 3)
# CHECK-NEXT: ([], [], '') ([1, 2, 1, 2], [1, 2, 1, 2], 'abab') (False, True, True, False)
# CHECK-NEXT: (True, False) (100, 49) (True, False, True, True) (False, True, False)
