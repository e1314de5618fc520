# match on literals, types, parts, with guards.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import Any, Optional, Tuple, Union


class Point:
    def __init__(self, x: int, y: int):
        self.x = x
        self.y = y


def literal(n: int) -> str:
    match n:
        case 0:
            return "zero"
        case 1 | 2:
            return "few"
        case -1:
            return "minus one"
        case k if k > 100:
            return f"many {k}"
        case _:
            return "some"


def typed(x: Any) -> str:
    match x:
        case int() as n if n > 5:
            return f"big int {n}"
        case int():
            return f"int {x + 1}"
        case str(text):
            return "str " + text
        case None:
            return "none"
        case _:
            return "other"


def shape(p: Point) -> str:
    match p:
        case Point(x=0, y=0):
            return "origin"
        case Point(x=0, y=below):
            return f"axis {below}"
        case Point():
            return "point"


def pair(p: Tuple[int, str]) -> str:
    match p:
        case (0, name):
            return "zero " + name
        case (n, "b"):
            return f"b {n}"
    return "else"


def sequence(values: list[int]) -> int:
    match values:
        case []:
            return 0
        case [one]:
            return one
        case [a, b]:
            return a * b
    return -1


def number(x: Any) -> str:
    match x:
        case 1:
            return "one"
        case -2:
            return "minus two"
        case True:
            return "never"
        case 2.5:
            return "two and a half"
    return "else"


def either(x: Union[int, float, str]) -> str:
    match x:
        case 1 | "1":
            return "one"
        case 2.0:
            return "two"
    return "else"


def main() -> None:
    print(literal(0), literal(2), literal(-1), literal(200), literal(50))
    print(typed(9), typed(1), typed("a"), typed(None), typed(1.5))
    print(shape(Point(0, 0)), shape(Point(0, 3)), shape(Point(1, 1)))
    print(pair((0, "a")), pair((3, "b")), pair((4, "c")))
    print(sequence([]), sequence([5]), sequence([2, 3]), sequence([1, 2, 3]))
    match = 3
    case = match + 1
    print(match, case)
    print(number(1), number(1.0), number(True), number(-2.0), number(2.5), number("1"), number(None), number(3))
    print(either(1), either(1.0), either("1"), either(2), either(2.5), either("2"))


# What Python prints:
# CHECK: zero few minus one many 200 some
# CHECK-NEXT: big int 9 int 2 str a none other
# CHECK-NEXT: origin axis 3 point
# CHECK-NEXT: zero a b 3 else
# CHECK-NEXT: 0 5 6 -1
# CHECK-NEXT: 3 4
# CHECK-NEXT: one one one minus two two and a half else else else
# CHECK-NEXT: one one one two else else
