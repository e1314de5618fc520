# PyTorch issue 24135: `if self.attr is not None` did not make the attribute a tensor.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
from torch import nn
from typing import Optional


class Foo(nn.Module):
    attr: Optional[torch.Tensor]

    def __init__(self, attr: Optional[torch.Tensor]):
        super().__init__()
        self.attr = attr

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.attr is not None:
            return x + self.attr
        else:
            return x


without = Foo(None)
given = Foo(torch.tensor([2.0]))


def main() -> None:
    for i in range(10):
        print(without(torch.ones(1)), given(torch.ones(1)))


# What Python prints:
# CHECK: tensor([1.]) tensor([3.])
# CHECK-NEXT: tensor([1.]) tensor([3.])
# CHECK-NEXT: tensor([1.]) tensor([3.])
# CHECK-NEXT: tensor([1.]) tensor([3.])
# CHECK-NEXT: tensor([1.]) tensor([3.])
# CHECK-NEXT: tensor([1.]) tensor([3.])
# CHECK-NEXT: tensor([1.]) tensor([3.])
# CHECK-NEXT: tensor([1.]) tensor([3.])
# CHECK-NEXT: tensor([1.]) tensor([3.])
# CHECK-NEXT: tensor([1.]) tensor([3.])
