# PyTorch issue 39633: a module that defines __call__, and no forward, failed when it was called.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from torch import nn


class Example(nn.Module):
    def __call__(self, input):
        return nn.functional.relu(input)


class Main(nn.Module):
    def __init__(self):
        super().__init__()
        self.example = Example()

    def forward(self) -> None:
        for i in range(10):
            print(self.example(torch.tensor([-1.0, 2.0])))


main = Main()

# What Python prints:
# CHECK-COUNT-10: tensor([0., 2.])
