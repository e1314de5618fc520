# What a call returns is memory of its own, and shares what the program says, though all of it is known beforehand.
# RUN: %all_modes tsc-run %s | FileCheck %s
# CHECK: (True, True, False, True, True)
import torch
from torch import Tensor
from typing import List, Tuple


def shared() -> List[Tensor]:
    a = torch.zeros(3, 2)
    return [a, a.unbind(1)[1]]


def first_half() -> Tensor:
    return torch.ones(4).chunk(2, 0)[0]


def copies(x: Tensor) -> List[Tensor]:
    found: List[Tensor] = []
    for i in range(3):
        found.append(torch.unsafe_chunk(x, 2)[0])
    return found


def twice(x: Tensor) -> Tuple[Tensor, Tensor]:
    return torch.where(x > 0)[0], torch.where(x > 0)[0]


def main() -> Tuple[bool, bool, bool, bool, bool]:
    a, column = shared()
    a.fill_(3)
    left, right = first_half(), first_half()
    left.fill_(2)
    found = copies(torch.ones(4))
    found[0] += 1
    places, same = twice(torch.ones(3))
    places += 1
    again, _ = shared()
    return bool((column == 3).all()), bool((right == 1).all()), bool((found[1] == 1).all()), bool((same == torch.arange(3)).all()), bool((again == 0).all())
