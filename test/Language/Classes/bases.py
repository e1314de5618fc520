# isinstance with a class that the object's class derives from; comparisons that only one side defines.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
from typing import Any, List, Union


class Shape:
    def __init__(self) -> None:
        self.sides = 0


class Square(Shape):
    def __init__(self) -> None:
        self.sides = 4


class Other:
    def __init__(self) -> None:
        self.sides = 1


class Base:
    def __init__(self, n: int):
        self.n = n

    def plus(self, n: int) -> "Base":
        self.n += n
        return self


class Derived(Base):
    def twice(self) -> int:
        return self.n * 2


class Version:
    def __init__(self, n: int):
        self.n = n

    def __lt__(self, other: "Version") -> bool:
        return self.n < other.n

    def __le__(self, other: "Version") -> bool:
        return self.n <= other.n


def sides(x: Union[Square, Other]) -> int:
    if isinstance(x, Shape):
        return x.sides * 10
    return x.sides


def is_shape(x: Any) -> bool:
    return isinstance(x, Shape)


def size(x: Union[int, str, None]) -> int:
    if not x:
        return 0
    return len(x) if isinstance(x, str) else x


def main() -> None:
    square = Square()
    print(isinstance(square, Shape), isinstance(square, Square), isinstance(Shape(), Square))
    print(sides(Square()), sides(Other()), is_shape(square), is_shape(Shape()), is_shape(3))
    print(Version(2) > Version(1), Version(2) >= Version(3), Version(1) < Version(2))
    print(Derived(1).plus(2).twice(), Base(1).plus(2).plus(3).n)
    print(size(None), size(""), size("abc"), size(0), size(7))


# What Python prints:
# CHECK: True True False
# CHECK-NEXT: 40 1 True True False
# CHECK-NEXT: True False True
# CHECK-NEXT: 6 6
# CHECK-NEXT: 0 0 3 0 7
