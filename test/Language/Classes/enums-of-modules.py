# auto() and constants of Python's in a file that makes modules; round() as Python has it.
# RUN: tsc-run %s | FileCheck %s
import string
import sys
import torch
from enum import Enum, IntEnum, auto
from torch import nn


class Kind(Enum):
    SLOW = auto()
    FAST = auto()


class Level(IntEnum):
    LOW = 3
    HIGH = auto()


class Net(nn.Module):
    def __init__(self, kind: Kind):
        super().__init__()
        self.kind = kind

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2 if self.kind == Kind.FAST else x


# CHECK: 2 4 Kind.FAST
# CHECK: tensor([2.])
# CHECK: 0123456789 52 9223372036854775807
# CHECK: 1200.0 1e+300 1400.0 -1200.0 0.0 100.0 0.0 2.67 -0.0 inf
# CHECK: round(): the result does not fit into 64 bits
def numbers() -> None:
    print(round(1234.5, -2), round(1e300, -299), round(1350.0, -2), round(-1249.9, -2), round(49.0, -2), round(51.0, -2),
          round(50.0, -2), round(2.675, 2), round(-0.4, -1), round(float("inf"), -3))
    try:
        print(round(9223372036854775807, -1))
    except ValueError as e:
        print(e)


if __name__ == "__main__":
    net = Net(Kind.FAST)
    print(Kind.FAST.value, Level.HIGH.value, Kind.FAST)
    print(net(torch.ones(1)))
    print(string.digits, len(string.ascii_letters), sys.maxsize)
    numbers()
