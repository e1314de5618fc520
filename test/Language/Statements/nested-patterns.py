# Patterns within patterns: parts of known types, of several types, and parts that cannot match.
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s --match-full-lines
from dataclasses import dataclass
from enum import Enum
from typing import Dict, List, NamedTuple, Optional, Tuple, Union


class Color(Enum):
    RED = 1
    BLUE = 2


@dataclass
class Point:
    x: int
    y: int


class Mark(NamedTuple):
    at: Point
    tags: List[str]


class Link:
    __match_args__ = ("value", "next")

    def __init__(self, value: int, next: Optional["Link"]) -> None:
        self.value = value
        self.next = next


def nothing() -> List[int]:
    empty: List[int] = []
    return empty


def tuples(p: Tuple[int, Tuple[int, int]]) -> str:
    match p:
        case (0, (0, 0)):
            return "zero"
        case (a, (b, 0)):
            return f"b {a} {b}"
        case (a, (b, c)):
            return f"c {a} {b} {c}"


def lists(l: List[List[int]]) -> str:
    match l:
        case []:
            return "empty"
        case [[]]:
            return "one empty"
        case [[a]]:
            return f"one one {a}"
        case [[a, *r], [b]]:
            return f"{a} {r} {b}"
        case [[a, b], *rest]:
            return f"pair {a} {b} {rest}"
        case [*_, [1, z]]:
            return f"last {z}"
    return "none"


def pairs(l: List[Tuple[str, int]]) -> str:
    match l:
        case [("a", n)]:
            return f"a{n}"
        case [("b", n), (k, 2)]:
            return f"b{n}{k}"
        case [(k, _), *_]:
            return f"k {k}"
    return "none"


def mappings(d: Dict[str, List[int]]) -> str:
    match d:
        case {"p": [x, y]}:
            return f"p {x} {y}"
        case {"q": [x]}:
            return f"q {x}"
        case {"q": []}:
            return "q empty"
    return "none"


def inner_mappings(d: Dict[str, Dict[str, int]]) -> str:
    match d:
        case {"a": {"x": x, "y": 0}}:
            return f"x {x}"
        case {"a": {"x": x, **rest}}:
            return f"x {x} {rest}"
        case {1: _}:
            return "a key of another type"
    return "none"


def several(x: Union[int, List[List[int]], str]) -> str:
    match x:
        case int():
            return "int"
        case [[a, b], [c, d]]:
            return f"matrix {a} {b} {c} {d}"
        case [[a], *_]:
            return f"column {a}"
        case str():
            return "str"
    return "none"


def mixed(l: List[Union[int, str, List[int], None]]) -> str:
    match l:
        case [int(n), str(s)]:
            return f"int {n} str {s}"
        case [[a, 1 | 2 as b], *_]:
            return f"list {a} {b}"
        case [None, (int() | str()) as v]:
            return f"None {v}"
        case ["x", [first, *_]]:
            return f"x {first}"
        case [1, *rest]:
            return f"1 and {len(rest)}"
    return "none"


def objects(p: Tuple[Point, List[int]]) -> str:
    match p:
        case (Point(x=0), [q]):
            return f"0 {q}"
        case (Point(x=x), [q, *r]) if x > 1:
            return f"{x} {q} {r}"
        case (_, []):
            return "nil"
    return "none"


def chain(link: Optional[Link]) -> str:
    match link:
        case None:
            return "none"
        case Link(1, None):
            return "one alone"
        case Link(a, Link(b, Link(c))):
            return f"three {a} {b} {c}"
        case Link(value=a, next=Link(value=b)):
            return f"two {a} {b}"
        case Link(value=a):
            return f"one {a}"


def mark(m: Mark) -> str:
    match m:
        case Mark(Point(0, y), ["up"]):
            return f"up {y}"
        case Mark(tags=[first, *_], at=Point(x, _)):
            return f"{first} {x}"
        case (Point(), []):
            return "bare"
    return "none"


def two(a: int, b: List[int]) -> str:
    match a, b:
        case 0, []:
            return "z"
        case 1, [x]:
            return f"one {x}"
        case n, [x, y]:
            return f"{n} {x} {y}"
    return "none"


def axis(p: Tuple[int, int]) -> str:
    match p:
        case (0, 0):
            return "origin"
        case (0, d) | (d, 0) if d > 0:
            return f"axis {d}"
        case (0, _) | (_, 0):
            return "behind"
        case (1 | 2 as q, r):
            return f"{q} {r}"
        case (x, y):
            return "else"


def optional_list(l: Optional[List[int]]) -> str:
    match l:
        case [x]:
            return f"{x}"
        case None:
            return "None"
        case _:
            return "many"


def optional_tuple(o: Optional[Tuple[int, Optional[int]]]) -> str:
    match o:
        case (0, _):
            return "zero"
        case None:
            return "N"
        case (a, None):
            return f"{a} N"
        case (a, b):
            return f"{a} {b}"


def kinds(t: Tuple[int, str, float]) -> str:
    match t:
        case (1, s, f):
            return s
        case (n, "k", f):
            return f"{n} {f}"
        case (_, _, 2.5):
            return "2.5"
        case ("never", 3, _):
            return "never"
        case _:
            return "_"


# What is no sequence matches no pattern of elements, and a text no pattern of its letters.
def never(l: List[int], s: str, d: Dict[str, int]) -> str:
    match l:
        case [[a], b]:
            return f"{a}"
        case [(a, _) as b, *_]:
            return f"{a} {b}"
        case [{"k": v}, *_]:
            return f"{v}"
        case [None, *_] | ["x", *_] | ["y"]:
            return "others"
        case [a, b]:
            pass
    match s:
        case [a, b]:
            return f"letters {a} {b}"
        case {"a": v}:
            return f"{v}"
    match d:
        case [a]:
            return f"{a}"
        case (a, b):
            return f"{a} {b}"
    return "never"


def members(c: Tuple[Color, Optional[Color]]) -> str:
    match c:
        case (Color.RED, None):
            return "red alone"
        case (Color.RED | Color.BLUE as first, Color.BLUE):
            return f"{first.name} and blue"
        case (first, _):
            return f"{first.name} and another"


def in_loop(all: List[List[int]]) -> List[int]:
    found: List[int] = []
    for one in all:
        match one:
            case [0, *_]:
                continue
            case [9]:
                break
            case [a, b] | [a, _, b]:
                found += [a, b]
            case [a, *_]:
                found.append(a)
    return found


def main() -> None:
    print(tuples((0, (0, 0))), tuples((1, (2, 0))), tuples((1, (2, 3))), sep=", ")
    print(lists([]), lists([nothing()]), lists([[3]]), lists([[1, 2, 3], [4]]), lists([[1, 2], [3, 4], [5]]), sep=", ")
    print(lists([[1, 2, 3], [1, 9]]), lists([[1, 2, 3], [2, 9]]), lists([nothing(), nothing()]), sep=", ")
    print(pairs([("a", 1)]), pairs([("b", 1), ("c", 2)]), pairs([("c", 1), ("c", 2)]), sep=", ")
    print(mappings({"p": [1, 2]}), mappings({"p": [1], "q": [5]}), mappings({"q": nothing()}), sep=", ")
    print(inner_mappings({"a": {"x": 1, "y": 0}}), inner_mappings({"a": {"x": 1, "z": 0}}), inner_mappings({}), sep=", ")
    print(several(1), several([[1, 2], [3, 4]]), several([[7], [1]]), several("s"), several([[1, 2, 3]]), sep=", ")
    print(mixed([1, "a"]), mixed([[3, 2], 4]), mixed([None, 5]), mixed([None, "v"]), mixed([None, None]), sep=", ")
    print(mixed(["x", [7, 8]]), mixed(["x", nothing()]), mixed([1, 2, 3]), mixed([2, 3]), mixed([[3, 3]]), sep=", ")
    print(objects((Point(0, 1), [3])), objects((Point(2, 1), [3, 4])), objects((Point(2, 1), nothing())), sep=", ")
    print(chain(None), chain(Link(1, None)), chain(Link(2, None)), chain(Link(2, Link(3, None))), sep=", ")
    print(chain(Link(1, Link(2, Link(3, Link(4, None))))))
    print(mark(Mark(Point(0, 5), ["up"])), mark(Mark(Point(3, 5), ["up", "b"])), mark(Mark(Point(0, 0), [])), sep=", ")
    print(two(0, nothing()), two(1, [5]), two(1, [5, 6]), two(1, nothing()), sep=", ")
    print(axis((0, 0)), axis((0, 5)), axis((5, 0)), axis((-5, 0)), axis((2, 3)), axis((4, 4)), sep=", ")
    print(optional_list(None), optional_list([1]), optional_list(nothing()), sep=", ")
    print(optional_tuple(None), optional_tuple((0, 1)), optional_tuple((1, None)), optional_tuple((1, 2)), sep=", ")
    print(kinds((1, "q", 1.0)), kinds((3, "k", 1.5)), kinds((3, "j", 2.5)), kinds((3, "j", 2.0)), sep=", ")
    print(never([1, 2], "ab", {"a": 1}), never(nothing(), "", {}))
    print(members((Color.RED, None)), members((Color.BLUE, Color.BLUE)), members((Color.BLUE, None)), sep=", ")
    print(in_loop([[1, 2], [0, 1], [1, 2, 3], [7, 7, 7, 7], [9], [5, 5]]))


# What Python prints:
# CHECK: zero, b 1 2, c 1 2 3
# CHECK-NEXT: empty, one empty, one one 3, 1 [2, 3] 4, pair 1 2 {{\[\[}}3, 4], [5]]
# CHECK-NEXT: last 9, none, none
# CHECK-NEXT: a1, b1c, k c
# CHECK-NEXT: p 1 2, q 5, q empty
# CHECK-NEXT: x 1, x 1 {'z': 0}, none
# CHECK-NEXT: int, matrix 1 2 3 4, column 7, str, none
# CHECK-NEXT: int 1 str a, list 3 2, None 5, None v, none
# CHECK-NEXT: x 7, none, 1 and 2, none, none
# CHECK-NEXT: 0 3, 2 3 [4], nil
# CHECK-NEXT: none, one alone, one 2, two 2 3
# CHECK-NEXT: three 1 2 3
# CHECK-NEXT: up 5, up 3, bare
# CHECK-NEXT: z, one 5, 1 5 6, none
# CHECK-NEXT: origin, axis 5, axis 5, behind, 2 3, else
# CHECK-NEXT: None, 1, many
# CHECK-NEXT: N, zero, 1 N, 1 2
# CHECK-NEXT: q, 3 1.5, 2.5, _
# CHECK-NEXT: never never
# CHECK-NEXT: red alone, BLUE and blue, BLUE and another
# CHECK-NEXT: [1, 2, 1, 3, 7]
