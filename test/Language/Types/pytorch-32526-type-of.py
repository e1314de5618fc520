# PyTorch issue 32526: type(x) and x.__class__ were not known.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from torch import nn
from typing import Union


class Late(ValueError):
    pass


class Point:
    def __init__(self, x: int):
        self.x = x

    def moved(self, by: int) -> "Point":
        return type(self)(self.x + by)


def kind(x: Union[int, str]) -> str:
    if type(x) == int:
        return f"int {x + 1}"
    return x.upper()


class Base(nn.Module):
    def forward(self):
        return 1


class Derived(Base):
    pass


Layer = nn.Identity
Layers = (nn.Linear, Derived)


class Main(nn.Module):
    def __init__(self):
        super().__init__()
        self.identity = nn.Identity()
        self.derived = Derived()

    def forward(self) -> None:
        print(type(self.derived) == Base, type(self.derived) is Derived, isinstance(self.derived, Base),
              type(self.identity) == nn.Module, isinstance(self.identity, nn.Module))
        print(isinstance(self.identity, Layer), type(self.identity) is not Layer, isinstance(self.derived, Layer),
              isinstance(self.derived, Layers), isinstance(self.identity, Layers), isinstance(self.identity, int))
        for i in range(10):
            x = torch.ones(1)
            if type(self.identity) == nn.Identity:
                x = self.identity(x) + 1
            if isinstance(self.identity, (nn.Linear, nn.Identity)) and self.identity.__class__ is not nn.Linear:
                x = x + 10
            if isinstance(self.identity, nn.Linear):
                x = x + 100
            try:
                raise Late("x")
            except ValueError as e:
                print(type(e).__name__, repr(e))
            print(x, kind(1), kind("a"), type(x) == type(i), type(i).__name__, type(True) is int, Point(1).moved(2).x)


main = Main()

# What Python prints:
# CHECK: False True True False True
# CHECK-NEXT: True False False True False False
# CHECK-NEXT: Late Late('x')
# CHECK-NEXT: tensor([12.]) int 2 A False int False 3
# CHECK-COUNT-9: tensor([12.]) int 2 A False int False 3
