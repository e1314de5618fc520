# What users of TorchScript reported as missing, beside what has tests of its own, by number.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import math
import torch
import typing
from abc import ABC, abstractmethod
from collections import namedtuple
from dataclasses import dataclass, field
from typing import ClassVar, Collection, Dict, List, Literal, MutableMapping, NamedTuple, Optional, Union

Pair = namedtuple("Pair", ["x", "y"])
Spaced = namedtuple("Spaced", "first, second")
Commas = namedtuple("Commas", "first,second\tthird")
Typed = NamedTuple("Typed", [("n", int), ("names", List[str])])


class Shape(ABC):
    @abstractmethod
    def area(self) -> float:
        ...

    def twice(self) -> float:
        return 2 * self.area()


class Square(Shape):
    def __init__(self, side: float):
        self.side = side

    def area(self) -> float:
        return self.side ** 2


@dataclass
class Base:
    a: int
    b: float = 0.5

    def scaled(self) -> float:
        return self.a * self.b


@dataclass
class Derived(Base):
    c: str = "c"
    items: List[int] = field(default_factory=list)
    b: float = 2.0

    def __post_init__(self):
        self.items.append(self.a)


def choose(mode: Literal["add", "sub"], a: int, b: int) -> int:
    return a + b if mode == "add" else a - b


def total(values: Collection[int], more: MutableMapping[str, int]) -> int:
    return sum(values) + more["x"]


def shown(x: torch.Tensor) -> None:
    # CHECK: torch.Size([2, 3]) torch.float32 torch.Size([2, 3]) shape torch.Size([2, 3]), float: True, torch.float32 [2, 3]
    print(x.shape, x.dtype, str(x.size()), f"shape {x.shape}, float: {x.dtype.is_floating_point},", "{}".format(x.dtype),
          list(x.shape))
    # CHECK: 6 True False
    print(x.shape.numel(), 2 in torch.tensor([1, 2]), 3 in torch.tensor([1.0]))


def unions(x: Union[int, str]) -> str:
    match x:
        case 0:
            return "zero"
        case "a" | "b":
            return "letter"
        case int(n):
            return f"int {n}"
    return "other"


def main() -> None:
    shown(torch.zeros(2, 3))
    pair = Pair(torch.ones(1), torch.zeros(1))
    # CHECK: tensor([1.]) tensor([0.]) tensor([2.]) 3 ['x'] ('n', 'names')
    print(pair.x, pair[1], Spaced(pair.x + 1, pair.y).first, Typed(3, ["x"]).n, Typed(3, []) ._replace(names=["x"]).names,
          Typed(1, [])._fields)
    # CHECK: ('first', 'second', 'third')
    print(Commas(pair.x, pair.x, pair.y)._fields)
    # CHECK: 9.0 18.0
    print(Square(3.0).area(), Square(3.0).twice())
    # CHECK: Derived(a=2, b=2.0, c='c', items=[2]) 4.0 True False
    print(Derived(2), Derived(2).scaled(), Derived(2) == Derived(2), Derived(2) == Derived(3))
    # CHECK: 3 -1 9
    print(choose("add", 1, 2), choose("sub", 1, 2), total([1, 2], {"x": 6}))
    s = "prefix.name.py"
    # CHECK: name.py prefix.name True True xyxyxy-3
    print(s.removeprefix("prefix."), s.removesuffix(".py"), s.startswith(("x", "pre")), s.endswith((".c", ".py")), end_of(s))
    # CHECK: True 24 5.0 10 4 3.0 2
    print(math.isclose(0.1 + 0.2, 0.3), math.prod([2, 3, 4]), math.hypot(3, 4), math.comb(5, 2), math.isqrt(24), math.log2(8),
          pow(3, 5, 7) - 3)
    c = complex(3, -4)
    # CHECK: 3.0 -4.0 (3+4j)
    print(c.real, c.imag, c.conjugate())
    # CHECK: 1200 1300 {'a': 1, 'b': 2} True False 10
    print(round(1234, -2), round(1250 + 1, -2), dict(zip(["a", "b"], [1, 2])), 4 in range(0, 10, 2), 5 in range(0, 10, 2),
          sum(range(5)))
    # CHECK: zero letter int 5 other
    print(unions(0), unions("b"), unions(5), unions("z"))
    values, counts = torch.tensor([3, 1, 1]).unique(return_counts=True)
    # CHECK: tensor([1, 3]) tensor([2, 1]) tensor([1, 2])
    print(values, counts, torch.tensor([1, 1, 2]).unique_consecutive())


    # CHECK: (1, 2, 3) 3 (2, 4) b a ('c', 'd') 7
    print(tuple([1, 2, 3]), len(tuple([1, 2, 3])), tuple(v * 2 for v in (1, 2)), max("a", "b"), min("b", "a", "c"),
          max(("a", "b"), ("c", "d")), max(3, 7, 5))
    # CHECK: 5 1
    print(behind(None), behind(1))


def behind(x: Optional[int]) -> int:
    while x is None:
        x = 5
    return x


def end_of(s: str) -> str:
    text = "xy"
    text *= 3
    text += "-%d"
    text %= len(s) - 11
    return text
