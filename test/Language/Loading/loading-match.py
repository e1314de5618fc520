# Patterns where a file is loaded: places that a class names, the rest of a dict, and True, which is not 1. What loops and
# conditions at the top of a file bind has its last value in compiled code.
# RUN: tsc-run %s --args "torch.ones(2)" | FileCheck %s
import torch
from torch import nn


class Point:
    __match_args__ = ("x",)

    def __init__(self, x):
        self.x = x


def kind(value):
    match value:
        case True:
            return "true"
        case 1:
            return "one"
        case Point(7):
            return "seven"
        case Point(x):
            return "point " + str(x)
        case {"a": 1, **rest}:
            return rest
        case int(n):
            return n
        case _:
            return "other"


# CHECK: one true seven point 8 {'b': 2} 5 other
print(kind(1), kind(True), kind(Point(7)), kind(Point(8)), kind({"a": 1, "b": 2}), kind(5), kind("s"))

factor = 7
for i in range(3):
    factor = factor + 1
try:
    import nosuchlibrary
    half = 2.0
except ImportError:
    half = 0.5


class Scale(nn.Module):
    def forward(self, x):
        return x * factor * half


net = Scale()
# CHECK: tensor([5., 5.])
