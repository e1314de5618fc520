# PyTorch issue 48984: methods of a NamedTuple were left out without a word.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from typing import NamedTuple, Tuple


class Pair(NamedTuple):
    x: int
    y: int = 4

    @staticmethod
    def from_tuple(t: Tuple[int, int]) -> "Pair":
        return Pair(t[0], t[1])

    @classmethod
    def zero(cls) -> "Pair":
        return cls(0, 0)

    @property
    def swapped(self) -> Tuple[int, int]:
        return self.y, self.x

    def sum(self, more: int = 0) -> int:
        return self.x + self.y + more


def main() -> None:
    for i in range(10):
        print(Pair.from_tuple((2, 3)), Pair(3).sum(), Pair(3, i).sum(more=1), Pair.zero().x, Pair(1).swapped)


# What Python prints:
# CHECK: Pair(x=2, y=3) 7 4 0 (4, 1)
# CHECK: Pair(x=2, y=3) 7 13 0 (4, 1)
