# PyTorch issue 157103: super() in a module that derives from a class of the user's and from nn.Module.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
from torch import nn


class Scaled:
    def scale(self, x: torch.Tensor) -> torch.Tensor:
        return x * 3


class Net(Scaled, nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = nn.Parameter(torch.ones(2))

    def scale(self, x: torch.Tensor) -> torch.Tensor:
        return super().scale(x) + 1

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.scale(x) + self.bias


net = Net()


def main() -> None:
    for i in range(10):
        print(net(torch.ones(2)).detach())


# What Python prints:
# CHECK: tensor([5., 5.])
# CHECK-NEXT: tensor([5., 5.])
# CHECK-NEXT: tensor([5., 5.])
# CHECK-NEXT: tensor([5., 5.])
# CHECK-NEXT: tensor([5., 5.])
# CHECK-NEXT: tensor([5., 5.])
# CHECK-NEXT: tensor([5., 5.])
# CHECK-NEXT: tensor([5., 5.])
# CHECK-NEXT: tensor([5., 5.])
# CHECK-NEXT: tensor([5., 5.])
