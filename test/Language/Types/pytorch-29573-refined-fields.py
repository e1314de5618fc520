# PyTorch issue 29573: no condition refined a field of a NamedTuple, or of an object of a class.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from torch import nn
from typing import NamedTuple, Optional


class S(NamedTuple):
    s: Optional[int]


class Holder:
    def __init__(self, t: Optional[torch.Tensor]):
        self.t = t


class B(nn.Module):
    def __init__(self, index: Optional[int]):
        super().__init__()
        self.index: Optional[int] = index

    def forward(self) -> S:
        return S(self.index)


class A(nn.Module):
    def __init__(self, index: Optional[int]):
        super().__init__()
        self.mod = B(index)
        self.x = torch.arange(20.0)

    def forward(self) -> torch.Tensor:
        s = self.mod.forward()
        if s.s is None:
            return self.x[0]
        else:
            assert s.s is not None
            return self.x[s.s]


def held(h: Holder) -> torch.Tensor:
    if h.t is not None and h.t.dim() == 1:
        return h.t + 1
    return torch.zeros(1)


class Main(nn.Module):
    def __init__(self):
        super().__init__()
        self.none, self.four = A(None), A(4)

    def forward(self) -> None:
        for i in range(10):
            print(self.none(), self.four(), held(Holder(None)), held(Holder(torch.ones(1))))


main = Main()


# What Python prints:
# CHECK-COUNT-10: tensor(0.) tensor(4.) tensor([0.]) tensor([2.])
