# PyTorch issue 83045: a module that holds a NamedTuple within a NamedTuple.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from collections import namedtuple
from torch import nn
from typing import NamedTuple


class Inner(NamedTuple):
    a: torch.Tensor
    n: int = 3


class Outer(NamedTuple):
    inner: Inner
    names: "list[str]"


class Main(nn.Module):
    def __init__(self):
        super().__init__()
        self.pair = Outer(Inner(torch.ones(2)), ["x"])

    def forward(self) -> None:
        for i in range(10):
            changed = self.pair.inner._replace(n=i)
            print(self.pair.inner.a, self.pair.inner.n, self.pair.names, changed.n, changed._fields)


main = Main()

# What Python prints:
# CHECK: tensor([1., 1.]) 3 ['x'] 0 ('a', 'n')
# CHECK: tensor([1., 1.]) 3 ['x'] 9 ('a', 'n')
