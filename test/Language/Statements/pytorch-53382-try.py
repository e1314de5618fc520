# PyTorch issue 53382: try in a module.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from torch import nn


class TryModel(nn.Module):
    def forward(self, x: torch.Tensor) -> int:
        try:
            return x.size(4)
        except:
            return -x.dim()


class Main(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = TryModel()

    def forward(self) -> None:
        for i in range(10):
            print(self.model(torch.zeros(3, 4, 5)), self.model(torch.zeros(1, 1, 1, 1, 7)))


main = Main()


# What Python prints:
# CHECK-COUNT-10: -3 7
