# Patterns: stars, places, mappings; True is matched as `is` compares.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
from dataclasses import dataclass
from typing import Dict, List, NamedTuple, Optional, Union


@dataclass
class Point:
    x: int
    y: int


class Size(NamedTuple):
    width: int
    height: int


class Segment:
    __match_args__ = ("start", "end")

    def __init__(self, start: int, end: int):
        self.start = start
        self.end = end


def place(p: Point) -> str:
    match p:
        case Point(0, 0):
            return "origin"
        case Point(x, y) if x == y:
            return f"diagonal {x}"
        case Point(0, y=below):
            return f"axis {below}"
        case Point(a, b):
            return f"{a} {b}"


def size(s: Size) -> str:
    match s:
        case Size(0, _):
            return "none"
        case Size(w, h):
            return f"{w} by {h}"


def segment(s: Segment) -> int:
    match s:
        case Segment(0, end):
            return end
        case Segment(start, end):
            return end - start


def parts(values: List[int]) -> str:
    match values:
        case []:
            return "empty"
        case [1, *rest]:
            return f"one and {rest}"
        case [first, *_, last] if first == last:
            return f"between {first}"
        case [*start, 9]:
            return f"{start} and nine"
        case _:
            return "others"


def command(d: Dict[str, int]) -> str:
    match d:
        case {"add": n, "to": m}:
            return f"sum {n + m}"
        case {"add": 0}:
            return "nothing"
        case {"add": n}:
            return f"add {n}"
        case {}:
            return "unknown"


def truth(n: int) -> str:
    match n:
        case True:
            return "true"
        case 1:
            return "one"
    return "else"


def flag(b: bool) -> str:
    match b:
        case True:
            return "true"
        case False:
            return "false"
    return "neither"


def several(x: Union[int, str, None, List[int]]) -> str:
    match x:
        case None:
            return "none"
        case int(n):
            return f"int {n}"
        case "a" | "b":
            return "letter"
        case str() as s:
            return "text " + s
        case [a, b]:
            return f"two {a} {b}"
        case _:
            return "many"


def empty(n: int, l: List[int], d: Dict[str, int]) -> str:
    match n:
        case {}:
            return "a number is no mapping"
    match l:
        case {}:
            return "a list is no mapping"
    match d:
        case {}:
            return "a mapping"
    return "none"


def main() -> None:
    print(place(Point(0, 0)), place(Point(2, 2)), place(Point(0, 3)), place(Point(1, 2)))
    print(size(Size(0, 3)), size(Size(2, 3)), segment(Segment(0, 5)), segment(Segment(2, 5)))
    print(parts([]), parts([1, 2, 3]), parts([4, 5, 4]), parts([2, 9]), parts([2, 3]))
    print(command({"add": 1, "to": 2}), command({"add": 0}), command({"add": 4}), command({"x": 1}))
    print(truth(1), truth(0), flag(True), flag(False))
    print(empty(1, [1], {"a": 1}))
    print(several(None), several(3), several("a"), several("xy"), several([1, 2]), several([1, 2, 3]))


# What Python prints:
# CHECK: origin diagonal 2 axis 3 1 2
# CHECK-NEXT: none 2 by 3 5 3
# CHECK-NEXT: empty one and [2, 3] between 4 [2] and nine others
# CHECK-NEXT: sum 3 nothing add 4 unknown
# CHECK-NEXT: one else true false
# CHECK-NEXT: a mapping
# CHECK-NEXT: none int 3 letter text xy two 1 2 many
