# A static method of a module could not be called in the archive that was written of it; and methods that are compiled
# only when the archive is written were skipped or read out of bounds.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from torch import nn


class Main(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = 3

    @torch.jit.export
    def helper(self, n: int) -> int:
        return self.later(n) + self.k

    @torch.jit.export
    def later(self, n: int) -> int:
        return self.doubled + self.sum(n, 1)

    @property
    def doubled(self) -> int:
        return self.k * 2

    @staticmethod
    def sum(x: int, y: int) -> int:
        return x + y

    def forward(self) -> None:
        print(self.helper(1), self.doubled, self.sum(1, 1))


main = Main()

# CHECK: 11 6 2
