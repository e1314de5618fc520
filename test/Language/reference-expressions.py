# Python's reference, chapter 6, section by section (docs/LanguageReference.md).
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s --match-full-lines
import torch
from typing import Dict, List, NamedTuple, Optional


class Point(NamedTuple):
    x: int
    y: int = 2


class Box:
    size: int = 4

    def __init__(self, items: List[int]):
        self.items = items

    def __getitem__(self, i: int) -> int:
        return self.items[i]

    def __setitem__(self, i: int, value: int) -> None:
        self.items[i] = value

    def __contains__(self, value: int) -> bool:
        return value in self.items

    def __call__(self, n: int, *, scale: int = 1) -> int:
        return (len(self.items) + n) * scale

    def __lt__(self, other: "Box") -> bool:
        return len(self.items) < len(other.items)


def add(a: int, b: int = 10, *rest: int) -> int:
    return a + b + sum(rest)


def arithmetic_conversions() -> None:  # 6.1
    print(1 + 2.5, True + 1, 2 * (1 + 2j), 7 // 2.0, 2 ** 0.5)
    print(torch.ones(2, dtype=torch.int32) + 1.5, 2 - torch.ones(1))


def atoms(name: str) -> None:  # 6.2.1 identifiers, 6.2.2 literals
    größe = 3
    print(größe, name, 0x1F, 0o17, 0b101, 1_000, 1e-3, .5, 5., 2j, "a" 'b', r"\n", """c
d""", f"{größe:>3}|{name!r}", "\u00e9", True, None)
    print((1 + 2) * 3, (), (1,), (1, "a"))  # 6.2.3 parenthesized forms
    print([i * j for i in range(3) for j in range(2) if i != j])  # 6.2.4 displays
    print([1, 2, *[3, 4]], [[1]] == [[2]])  # 6.2.5 list displays
    print({1, 2} == {2, 1}, {c for c in "ab"} == {"a", "b"})  # 6.2.6 set displays
    print({"a": 1, **{"b": 2}}, {k: v for k, v in zip("ab", [1, 2])})  # 6.2.7 dictionary displays
    print(sum(i for i in range(4)), any(c == "b" for c in "ab"))  # 6.2.8 generator expressions


def primaries(values: List[int], table: Dict[str, List[int]], x: torch.Tensor) -> None:
    p = Point(1)
    print(p.x, p.y, Box.size, Box([1]).size, x.shape[0], x.dtype == torch.float32)  # 6.3.1 attribute references
    box = Box(values)
    box[0] = 9
    print(values[-1], table["a"][0], box[0], p[1], "text"[1], x[0, -1].item(), x[None].dim())  # 6.3.2 subscriptions
    print(values[1:], values[::2], values[::-1], values[-2:], "text"[1:3], (1, 2, 3)[:2])  # 6.3.3 slicings
    print(x[:, 1:].sum().item(), x[..., ::2].shape[1], x[1:, None].dim())
    pair = (1, 2)
    print(add(1), add(1, 2, 3, 4), add(b=1, a=5), add(*pair), add(**{"a": 3}), box(1, scale=2))  # 6.3.4 calls


def operators(a: int, b: int, f: float, opt: Optional[int]) -> None:
    print(2 ** 3, -2 ** 2, 2 ** -1, f ** 2)  # 6.5 the power operator
    print(-a, +a, ~a, -f, not a)  # 6.6 unary arithmetic and bitwise operations
    print(a + b, a - b, a * b, a / b, a // b, -a // b, a % b, -a % b, f % 2, divmod(-a, b))  # 6.7 binary operations
    print((torch.eye(2) @ torch.ones(2)).tolist(), [1] + [2], [0] * 3, "ab" * 2, (1,) + (2,))
    print(a << 2, a >> 1, -a >> 1)  # 6.8 shifting operations
    print(a & b, a | b, a ^ b, True & False, True ^ True)  # 6.9 binary bitwise operations
    print(a < b, a <= 7, a == 7.0, a != b, "a" < "b", [1, 2] < [1, 3], (1, "b") > (1, "a"), 1 < 2 < 3)  # 6.10.1 values
    print(1 in [1, 2], "b" in "abc", "k" not in {"k": 1}, 2 in (1, 2), 3 in Box([3]), Box([1]) < Box([1, 2]))  # 6.10.2
    print(opt is None, opt is not None, None is None)  # 6.10.3 identity comparisons
    print(a and b, 0 or b, not (a and 0), opt or 5)  # 6.11 boolean operations
    if (n := a + 1) > 7:  # 6.12 assignment expressions
        print(n)
    print("big" if a > 5 else "small", a if opt is None else opt)  # 6.13 conditional expressions
    print((lambda v: v + a)(1), max([3, -5], key=lambda v: abs(v)))  # 6.14 lambdas
    t = 1, 2, *(3, 4)  # 6.15 expression lists
    print(t, 2 + 3 * 4 ** 2 // 5 - 1 << 1 & 7 | 8 ^ 3)  # 6.17 operator precedence


def order(n: int, seen: List[int]) -> int:
    seen.append(n)
    return n


def main() -> None:
    arithmetic_conversions()
    atoms("it's")
    primaries([1, 2, 3, 4], {"a": [5]}, torch.arange(6.0).reshape(2, 3))
    operators(7, 2, 2.5, None)
    operators(3, 4, -0.5, 1)
    seen: List[int] = []  # 6.16 evaluation order
    print(order(1, seen) + order(2, seen) * order(3, seen), seen)


# What Python prints:
# CHECK:      3.5 2 (2+4j) 3.0 1.4142135623730951
# CHECK-NEXT: tensor([2.5000, 2.5000]) tensor([1.])
# CHECK-NEXT: 3 it's 31 15 5 1000 0.001 0.5 5.0 2j ab \n c
# CHECK-NEXT: d   3|"it's" é True None
# CHECK-NEXT: 9 () (1,) (1, 'a')
# CHECK-NEXT: [0, 0, 0, 2]
# CHECK-NEXT: [1, 2, 3, 4] False
# CHECK-NEXT: True True
# CHECK-NEXT: {'a': 1, 'b': 2} {'a': 1, 'b': 2}
# CHECK-NEXT: 6 True
# CHECK-NEXT: 1 2 4 4 2 True
# CHECK-NEXT: 4 5 9 2 e 2.0 3
# CHECK-NEXT: [2, 3, 4] [9, 3] [4, 3, 2, 9] [3, 4] ex (1, 2)
# CHECK-NEXT: 12.0 2 3
# CHECK-NEXT: 11 10 6 3 13 10
# CHECK-NEXT: 8 -4 0.5 6.25
# CHECK-NEXT: -7 7 -8 -2.5 False
# CHECK-NEXT: 9 5 14 3.5 3 -4 1 1 0.5 (-4, 1)
# CHECK-NEXT: [1.0, 1.0] [1, 2] [0, 0, 0] abab (1, 2)
# CHECK-NEXT: 28 3 -4
# CHECK-NEXT: 2 7 5 False False
# CHECK-NEXT: False True True True True True True True
# CHECK-NEXT: True True False True True True
# CHECK-NEXT: True False True
# CHECK-NEXT: 2 2 True 5
# CHECK-NEXT: 8
# CHECK-NEXT: big 7
# CHECK-NEXT: 8 -5
# CHECK-NEXT: (1, 2, 3, 4) 15
# CHECK-NEXT: 8 -4 0.5 0.25
# CHECK-NEXT: -3 3 -4 0.5 False
# CHECK-NEXT: 7 -1 12 0.75 0 -1 3 1 1.5 (-1, 1)
# CHECK-NEXT: [1.0, 1.0] [1, 2] [0, 0, 0] abab (1, 2)
# CHECK-NEXT: 12 1 -2
# CHECK-NEXT: 0 7 7 False False
# CHECK-NEXT: True True False True True True True True
# CHECK-NEXT: True True False True True True
# CHECK-NEXT: False True True
# CHECK-NEXT: 4 4 True 1
# CHECK-NEXT: small 1
# CHECK-NEXT: 4 -5
# CHECK-NEXT: (1, 2, 3, 4) 15
# CHECK-NEXT: 7 [1, 2, 3]
