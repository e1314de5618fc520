# Classes: inheritance, super(), dataclasses, class methods, properties, magic methods.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from dataclasses import dataclass, field
from typing import List


class Shape:
    kind = "shape"

    def __init__(self, size: float) -> None:
        self.size = size

    def area(self) -> float:
        return 0.0

    def describe(self) -> str:
        return f"{self.kind} {self.area()}"

    @classmethod
    def unit(cls):
        return cls(1.0)

    @property
    def double(self) -> float:
        return self.size * 2


class Square(Shape):
    kind = "square"

    def area(self) -> float:
        return self.size ** 2


class Framed(Square):
    def __init__(self, size: float, frame: float) -> None:
        super().__init__(size)
        self.frame = frame

    def area(self) -> float:
        return super().area() + self.frame


@dataclass
class Point:
    x: int
    y: float = 1.5
    tags: List[int] = field(default_factory=list)

    def norm(self) -> float:
        return self.x + self.y


@dataclass(order=True)
class Version:
    major: int
    minor: int = 0


class Vector:
    def __init__(self, values: List[int]):
        self.values = values

    def __add__(self, other: "Vector") -> "Vector":
        return Vector([a + b for a, b in zip(self.values, other.values)])

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, i: int) -> int:
        return self.values[i]

    def __eq__(self, other: "Vector") -> bool:
        return self.values == other.values

    def __str__(self) -> str:
        return "<" + " ".join([str(v) for v in self.values]) + ">"

    def __call__(self, k: int) -> int:
        return self.values[0] * k

    def __contains__(self, v: int) -> bool:
        return v in self.values

    def __neg__(self) -> "Vector":
        return Vector([-v for v in self.values])


def main() -> None:
    print(Shape(2.0).describe(), Square(3.0).describe(), Framed(3.0, 0.5).describe())
    print(Square.unit().area(), Square(2.0).double, Framed(1.0, 2.0).kind)
    p = Point(3)
    p.tags.append(4)
    print(p, p.norm(), p == Point(3), p != Point(3), Point(1, 2.0, [3]).tags, Point(1, y=2.5))
    print(Version(1) < Version(1, 2), Version(2) > Version(1, 9), Version(1) <= Version(1), Version(1, 2) == Version(1, 2))
    v = Vector([1, 2]) + Vector([3, 4])
    print(v, len(v), v[1], v == Vector([4, 6]), v != Vector([1]), v(10), 6 in v, -v, f"{v}", str(v))


# What Python prints:
# CHECK: shape 0.0 square 9.0 square 9.5
# CHECK-NEXT: 1.0 4.0 square
# CHECK-NEXT: Point(x=3, y=1.5, tags=[4]) 4.5 False True [3] Point(x=1, y=2.5, tags=[])
# CHECK-NEXT: True True True True
# CHECK-NEXT: <4 6> 2 6 True True 40 True <-4 -6> <4 6> <4 6>
