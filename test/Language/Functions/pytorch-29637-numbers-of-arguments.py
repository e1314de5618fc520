# PyTorch issue 29637: functions and modules with a variable number of arguments.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from torch import nn
from typing import List


def total(first: int, *rest: int, scale: int = 1) -> int:
    for value in rest:
        first += value
    return first * scale


class Reshaped(nn.Module):
    def __init__(self, *shape: int):
        super().__init__()
        self.shape = shape

    def forward(self, x):
        return x.view(x.size(0), *self.shape)


class Joined(nn.Module):
    def __init__(self, *modules, **names):
        super().__init__()
        self.parts = nn.ModuleList(modules)
        self.dim = names.get("dim", 1)

    def forward(self, *xs: torch.Tensor):
        made: List[torch.Tensor] = []
        for part in self.parts:
            made.append(part(xs[len(made)]))
        return torch.cat(made, dim=self.dim)


class Main(nn.Module):
    def __init__(self):
        super().__init__()
        self.joined = Joined(Reshaped(2, 3), Reshaped(1, 3), dim=1)

    def forward(self) -> None:
        for i in range(10):
            y = self.joined(torch.ones(2, 6), torch.zeros(2, 3))
            values = [3, 4]
            print(list(y.shape), int(y.sum()), total(1), total(1, 2), total(1, *values, scale=10))


main = Main()


# What Python prints:
# CHECK-COUNT-10: [2, 3, 3] 12 1 3 80
