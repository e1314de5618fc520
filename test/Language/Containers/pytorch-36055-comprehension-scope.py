# PyTorch issue 36055: the variable of a comprehension overwrote that of the function.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import List


def kept() -> List[int]:
    i = 1
    x = [i for i in range(7)]
    y = {i: 2 for i in range(3)}
    z = [i for i in (5, 6)]
    return [i, len(x), len(y), sum(z)]


def nested(x: List[int]) -> int:
    y = [sum([x for x in range(x)]) for x in x if x is not None]
    return sum(y) + len(x)


def main() -> None:
    for k in range(10):
        print(kept(), nested([2, 3]))


# What Python prints:
# CHECK: [1, 7, 3, 11] 6
# CHECK-NEXT: [1, 7, 3, 11] 6
# CHECK-NEXT: [1, 7, 3, 11] 6
# CHECK-NEXT: [1, 7, 3, 11] 6
# CHECK-NEXT: [1, 7, 3, 11] 6
# CHECK-NEXT: [1, 7, 3, 11] 6
# CHECK-NEXT: [1, 7, 3, 11] 6
# CHECK-NEXT: [1, 7, 3, 11] 6
# CHECK-NEXT: [1, 7, 3, 11] 6
# CHECK-NEXT: [1, 7, 3, 11] 6
