# PyTorch issue 42885: super().forward(x) of a module that is derived from a module of torch.nn.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from torch import nn


class Foo(nn.Conv1d):
    def forward(self, x):
        return super().forward(x)


class Scaled(Foo):
    def __init__(self, channels: int, scale: float):
        super().__init__(channels, channels, 1)
        self.scale = scale

    def forward(self, x):
        return super().forward(x) * self.scale


torch.manual_seed(0)


class Main(nn.Module):
    def __init__(self):
        super().__init__()
        self.foo = Foo(3, 2, 1)
        self.scaled = Scaled(2, 0.5)

    def forward(self) -> None:
        for i in range(10):
            print(self.scaled(self.foo(torch.ones(1, 3, 2))).detach())


main = Main()


# What Python prints:
# CHECK: tensor({{[[][[]}}[-0.3353, -0.3353],
# CHECK-NEXT:          [-0.2124, -0.2124]]])
# CHECK-NEXT: tensor({{[[][[]}}[-0.3353, -0.3353],
# CHECK-NEXT:          [-0.2124, -0.2124]]])
# CHECK-NEXT: tensor({{[[][[]}}[-0.3353, -0.3353],
# CHECK-NEXT:          [-0.2124, -0.2124]]])
# CHECK-NEXT: tensor({{[[][[]}}[-0.3353, -0.3353],
# CHECK-NEXT:          [-0.2124, -0.2124]]])
# CHECK-NEXT: tensor({{[[][[]}}[-0.3353, -0.3353],
# CHECK-NEXT:          [-0.2124, -0.2124]]])
# CHECK-NEXT: tensor({{[[][[]}}[-0.3353, -0.3353],
# CHECK-NEXT:          [-0.2124, -0.2124]]])
# CHECK-NEXT: tensor({{[[][[]}}[-0.3353, -0.3353],
# CHECK-NEXT:          [-0.2124, -0.2124]]])
# CHECK-NEXT: tensor({{[[][[]}}[-0.3353, -0.3353],
# CHECK-NEXT:          [-0.2124, -0.2124]]])
# CHECK-NEXT: tensor({{[[][[]}}[-0.3353, -0.3353],
# CHECK-NEXT:          [-0.2124, -0.2124]]])
# CHECK-NEXT: tensor({{[[][[]}}[-0.3353, -0.3353],
# CHECK-NEXT:          [-0.2124, -0.2124]]])
