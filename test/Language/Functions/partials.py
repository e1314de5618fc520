# functools.partial: a callee with some of its arguments, called and given as an argument.
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s --match-full-lines
import functools
from functools import partial
from typing import Callable, List

import torch


def place(a: int, b: int, c: int = 0) -> int:
    return a + 10 * b + 100 * c


def twice(f: Callable[[int], int], x: int) -> int:
    return f(f(x))


def main() -> None:
    first = functools.partial(place, 1)
    # A keyword of the call counts more than one of the partial, and its places go on behind those of the partial.
    by_name = partial(place, b=2, c=3)
    print(first(2), first(2, c=3), by_name(1), by_name(1, c=4), partial(first, 5)(), partial(first, c=7)(2))
    n = 3
    add = partial(lambda x, y: x + y, n)
    n = 100
    print(add(1), twice(add, 1), sorted([3, 1, 2], key=partial(place, 0, c=-1)))
    print(list(map(partial(max, 2), [1, 2, 3])), partial(torch.full, fill_value=2.5)([2]))


# CHECK: 21 321 321 421 51 721
# CHECK-NEXT: 4 7 [1, 2, 3]
# CHECK-NEXT: [2, 2, 3] tensor([2.5000, 2.5000])
