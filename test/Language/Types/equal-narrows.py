# What equals a number is not None. Tuples of one type go with lists in zip().
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
import torch
from torch import Tensor
from typing import List, Optional


def pick(x: Tensor, at: Optional[int]) -> Tensor:
    if at == 0:
        return x[at]
    return x


def other(at: Optional[int]) -> int:
    if at != 3:
        return -1
    return at + 1


def mixed(values: List[int]) -> List[int]:
    out: List[int] = []
    for n, m in zip(values, (4, 5)):
        out.append(n * m)
    pair = (7, 8, 9)
    for i, (a, b) in enumerate(zip(pair, values)):
        out.append(i + a * b)
    return out


def main():
    x = torch.arange(4).view(2, 2)
    # CHECK: tensor([0, 1]) 4 4
    print(pick(x, 0), pick(x, None).numel(), pick(x, 1).numel())
    # CHECK-NEXT: 4 -1 -1
    print(other(3), other(None), other(2))
    # CHECK-NEXT: [8, 15, 14, 25]
    print(mixed([2, 3]))


if __name__ == "__main__":
    main()
