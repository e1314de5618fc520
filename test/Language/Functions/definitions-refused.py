# Refused: auto() after a string, defaults of a namedtuple, misspelt classes, an empty tuple for one of two.
# RUN: not tsc-run %s --check-only --split-input-file 2>&1 | FileCheck %s
from enum import Enum, auto


class Color(Enum):
    RED = "r"
    GREEN = auto()


def main() -> str:
    return Color.RED.value


# CHECK: error: enum 'Color' must have members whose values are constants of one type
# -----
import torch
from collections import namedtuple

Pair = namedtuple("Pair", "x,y", defaults=(None,))


def main(x: torch.Tensor) -> torch.Tensor:
    pair: Pair = Pair(x, x)
    return pair.y


# CHECK: error: defaults of a namedtuple aren't supported
# -----
import torch
from torch import nn


class Main(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self) -> bool:
        return isinstance(self.linear, nn.Linaer)


main = Main()

# CHECK: error: Unknown type name 'nn.Linaer'
# -----
import torch
from torch import nn
from typing import Tuple


class Main(nn.Module):
    def __init__(self):
        super().__init__()
        self.pair: Tuple[int, int] = ()

    def forward(self) -> int:
        return 1


main = Main()

# CHECK: error: {{.*}}'pair'{{.*}}Tuple[int, int]
