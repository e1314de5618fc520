# Names for functions, lines with separators, declarations without a value, loops over tuples that are left early.
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s --match-full-lines
import string
import sys
from dataclasses import dataclass, field
from typing import Dict, List, NamedTuple, Optional, Tuple, Union

import torch


def double(x: int) -> int:
    return 2 * x


twice = double
add_one = lambda x: x + 1


class Pair(NamedTuple):
    first: int
    second: str


@dataclass
class Item:
    tags: List[str] = field(default_factory=list)
    weight: float = 1.0

    def __post_init__(self) -> None:
        self.total = self.weight * len(self.tags)


def around(i: int, j: int) -> List[int]:
    found: List[int] = []
    for di in (-1, 0, 1):
        for dj in (-1, 0, 1):
            if di == 0 and dj == 0:
                continue
            if dj > di + 1:
                break
            found.append(10 * (i + di) + j + dj)
    return found


def halves(n: int) -> float:
    rest: float
    rest = n
    return rest / 2


def declared(c: bool) -> List[int]:
    numbers: List[int]
    limit: Optional[int]
    if c:
        numbers = []
        limit = None
    else:
        numbers = [1]
        limit = 3
    numbers.append(2 if limit is None else limit)
    return numbers


def shape_of(x: Union[List[int], "tuple[int, int]"]) -> str:
    match x:
        case [a, b]:
            return f"two {a} {b}"
        case [a, *rest]:
            return f"many {a} {len(rest)}"
        case _:
            return "empty"


def options(given: Dict[str, int]) -> str:
    match given:
        case {"a": 1, **rest}:
            return f"a and {rest}"
        case {"b": (1 | 2) as b}:
            return f"b {b}"
        case {**rest}:
            return f"{len(rest)} others"


def command(words: List[str]) -> str:
    match words:
        case ["go", ("north" | "south") as where]:
            return "to the " + where
        case [("look" | "see") as verb, *_]:
            return verb
        case _:
            return "?"


def formats() -> None:
    print("%c%c|%5c" % ("a", 98, "é"), "%d %i %x" % (3.7, True, 255), "%.1f" % torch.tensor(2.5))
    for spec in ["%d", "%x", "%f", "%c"]:
        try:
            print(spec % "ab")
        except TypeError as e:
            print(e)
    try:
        print("%d %d" % (1,))
    except TypeError as e:
        print(e)


def refused_numbers() -> None:
    for number in [1e300, -1e19, float("nan"), 9e18]:
        try:
            print("%d" % number)
        except (OverflowError, ValueError) as e:
            print(e)
    try:
        print("%d" % torch.ones(2))
    except TypeError as e:
        print(e)


def imports_again(n: int) -> float:
    import math

    for _ in range(n):
        import math
    if n > 1:
        f = math.sqrt
        import math
    else:
        f = math.sqrt
    return math.sqrt(4.0) + f(9.0)


def two_kinds(x: Union[List[int], Tuple[int, int]]) -> str:
    match x:
        case [1] | [1, 2]:
            return "one or two"
        case [a, b] as both:
            return f"{a} {b} {len(both)}"
        case _:
            return "others"


def unwrapped(x: Optional[int]) -> int:
    return torch.jit._unwrap_optional(x)


def main() -> None:
    print(twice(4), add_one(4), [add_one(x) for x in [1.5]])
    print(1, "a", 2.5, sep=", ")
    print("x", [1, 2], sep="-", flush=True)
    print(around(5, 5), declared(True), declared(False), halves(3))
    print(shape_of([1, 2]), shape_of((3, 4)), shape_of([1, 2, 3]), shape_of([]), sep=" / ")
    print(options({"a": 1, "c": 3}), options({"b": 2}), options({"c": 1}), sep=" / ")
    print(command("go south".split()), command("see it all".split()), command(["go"]))
    formats()
    item = Item(["t", "u"], 2.5)
    print(item.total, Item().total)
    print(Pair._fields, hasattr(Pair(1, "x"), "_fields"), hasattr(Pair(1, "x"), "third"))
    print(hash(0.0) == hash(-0.0), hash(2.5) == hash(2.5), hash(True) == hash(1))
    print(string.ascii_lowercase[:3], string.digits, sys.maxsize, unwrapped(3))
    refused_numbers()
    print(imports_again(2), two_kinds([1]), two_kinds((1, 2)), two_kinds((3, 4)), two_kinds([3, 4]), two_kinds([5]))
    print(torch.LongTensor([1, 2]).dtype, torch.FloatTensor(2, 3).shape, torch.BoolTensor([True]), torch.DoubleTensor().numel())


# CHECK: 8 5 [2.5]
# CHECK-NEXT: 1, a, 2.5
# CHECK-NEXT: x-[1, 2]
# CHECK-NEXT: [44, 45, 54, 56, 64, 65, 66] [2] [1, 3] 1.5
# CHECK-NEXT: two 1 2 / two 3 4 / many 1 2 / empty
# CHECK-NEXT: a and {'c': 3} / b 2 / 1 others
# CHECK-NEXT: to the south see ?
# CHECK-NEXT: ab|    é 3 1 ff 2.5
# CHECK-NEXT: %d format: a real number is required, not str
# CHECK-NEXT: %x format: an integer is required, not str
# CHECK-NEXT: must be real number, not str
# CHECK-NEXT: %c requires int or char
# CHECK-NEXT: not enough arguments for format string
# CHECK-NEXT: 5.0 0.0
# CHECK-NEXT: ('first', 'second') True False
# CHECK-NEXT: True True True
# CHECK-NEXT: abc 0123456789 9223372036854775807 3
# CHECK-NEXT: 1e+300 does not fit an int of 64 bits
# CHECK-NEXT: -1e+19 does not fit an int of 64 bits
# CHECK-NEXT: cannot convert float NaN to integer
# CHECK-NEXT: 9000000000000000000
# CHECK-NEXT: %d format: a real number is required, not Tensor
# CHECK-NEXT: 5.0 one or two one or two 3 4 2 3 4 2 others
# CHECK-NEXT: torch.int64 torch.Size([2, 3]) tensor([True]) 0
