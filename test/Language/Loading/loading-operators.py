# Operators that classes define, in code that runs while a file of modules is loaded.
# RUN: tsc-run %s | FileCheck %s
from dataclasses import dataclass

from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x


class Length:
    def __init__(self, metres):
        self.metres = metres

    def __eq__(self, other):
        return self.metres == other.metres

    def __lt__(self, other):
        return self.metres < other.metres

    def __add__(self, other):
        return Length(self.metres + other.metres)

    def __contains__(self, metres):
        return metres <= self.metres

    def __bool__(self):
        return self.metres != 0


@dataclass
class Point:
    x: int
    y: float = 0.0


if __name__ == "__main__":
    one, two = Length(1), Length(2)
    print(one == Length(1), one != Length(1), one == two, one != two)
    print(one < two, two < one, (one + two).metres, one + one == two)
    print(1 in two, 3 in two, 3 not in two)
    print("yes" if one else "no", "yes" if Length(0) else "no", not Length(0))
    print(Point(1) == Point(1), Point(1) == Point(2), Point(1) != Point(1, 2.0), [Point(3)] == [Point(3)])

# What Python prints:
# CHECK: True False False True
# CHECK-NEXT: True False 3 True
# CHECK-NEXT: True False True
# CHECK-NEXT: yes no True
# CHECK-NEXT: True False True True
