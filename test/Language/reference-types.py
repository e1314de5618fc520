# The type system of PyTorch's language reference (docs/LanguageReference.md).
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s --match-full-lines
import torch

from enum import Enum
from typing import Any, Callable, Dict, Final, List, NamedTuple, Optional, Set, Tuple, Union

LIMIT: Final = 3


class Color(Enum):  # nominal types: enumerations
    RED = 1
    BLUE = 2


class Pair(NamedTuple):  # nominal types: NamedTuple
    left: torch.Tensor
    right: int


class Counter:  # nominal types: classes
    total: int

    def __init__(self, start: int = 0):
        self.total = start
        self.cache: Dict[str, int] = {}

    @property
    def double(self) -> int:
        return self.total * 2

    @double.setter
    def double(self, value: int) -> None:
        self.total = value // 2

    @staticmethod
    def zero() -> int:
        return 0

    @classmethod
    def starting(cls, n: int) -> "Counter":
        return cls(n)

    def add(self, n: int) -> "Counter":
        self.total += n
        return self


def primitive(i: int, f: float, c: complex, b: bool, s: str, t: torch.Tensor) -> None:  # primitive types
    print(isinstance(i, int), isinstance(f, float), isinstance(c, complex), isinstance(b, bool), isinstance(s, str),
          isinstance(t, torch.Tensor))


def structural(t: Tuple[int, str], l: List[Dict[str, List[int]]], o: Optional[Tuple[int, float]],
               u: Union[int, str, None], s: Set[int], l2: list[tuple[int, int]] | None) -> None:  # structural types
    print(t[1], l[0]["a"][0], 0.0 if o is None else o[1], l2)
    if isinstance(u, int):  # type refinement
        print(u + 1)
    elif isinstance(u, str):
        print(u.upper())
    else:
        print(u is None)


def any_type(x: Any) -> str:  # the Any type
    if isinstance(x, int):
        return "int"
    if torch.jit.isinstance(x, List[int]):
        return "ints"
    if torch.jit.isinstance(x, Dict[str, int]):
        return "dict"
    return "other"


def special(d: torch.device, dt: torch.dtype, l: torch.layout) -> None:  # special types
    print(d, d.type, dt == torch.float32, l == torch.strided)


def commented(x, n=2):
    # type: (torch.Tensor, int) -> List[int]
    return [n] * x.size(0)  # Python 2 type comments


def inferred(x):  # parameters without annotations are tensors
    y = torch.jit.annotate(List[torch.Tensor], [])  # torch.jit.annotate
    y.append(x)
    return torch.stack(y)


def apply(f: Callable[[int], int], n: int) -> int:  # Callable
    return f(n)


def main() -> None:
    primitive(1, 1.0, 1j, True, "s", torch.ones(1))
    structural((1, "b"), [{"a": [3]}], None, 4, {1}, [(1, 2)])
    structural((1, "b"), [{"a": [3]}], (1, 0.5), "x", {1}, None)
    structural((1, "b"), [{"a": [3]}], None, None, {1}, None)
    print(any_type(1), any_type([1]), any_type({"a": 1}), any_type("s"), any_type(None))
    special(torch.device("cpu"), torch.float32, torch.strided)
    c = Counter.starting(4)
    c.double = 10
    print(c.total, c.double, c.add(1).total, Counter.zero(), c.cache, LIMIT)
    print(Color.RED, Color.BLUE.name, Color.RED.value, Color.RED == Color.BLUE, [m.name for m in Color])
    p = Pair(torch.ones(1), right=2)
    left, right = p
    print(p.right, left, p[1] + right)
    print(commented(torch.ones(2)), inferred(torch.ones(1)), apply(lambda n: n + LIMIT, 1))
    empty: List[int] = []
    nested: Dict[str, Tuple[int, List[str]]] = {"k": (1, ["v"])}
    print(empty, nested, torch.Size([1, 2]) == torch.ones(1, 2).shape)


# What Python prints:
# CHECK:      True True True True True True
# CHECK-NEXT: b 3 0.0 [(1, 2)]
# CHECK-NEXT: 5
# CHECK-NEXT: b 3 0.5 None
# CHECK-NEXT: X
# CHECK-NEXT: b 3 0.0 None
# CHECK-NEXT: True
# CHECK-NEXT: int ints dict other other
# CHECK-NEXT: cpu cpu True True
# CHECK-NEXT: 5 10 6 0 {} 3
# CHECK-NEXT: Color.RED BLUE 1 False ['RED', 'BLUE']
# CHECK-NEXT: 2 tensor([1.]) 4
# CHECK-NEXT: [2, 2] tensor({{\[\[}}1.]]) 4
# CHECK-NEXT: [] {'k': (1, ['v'])} True
