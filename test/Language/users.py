# What users wrote and TorchScript refused: libraries, refinements, named values, sets, loops, slices, match.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import cmath
import math
import torch
import torch.nn.functional as F
from collections import OrderedDict
from enum import Enum, IntEnum
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, Union


def inputs(x: torch.Tensor) -> None:
    print(torch.sigmoid(input=x), F.relu(input=x), torch.sum(input=x, dim=0), torch.add(input=x, other=x))


def ordered() -> None:
    d: Dict[str, int] = OrderedDict()
    d["b"] = 1
    d["a"] = 2
    print([k for k in d], len(OrderedDict([("x", 1)])))
    e = OrderedDict()
    e["t"] = torch.ones(1)
    print([k for k in e.keys()])


def asserted(x: torch.Tensor) -> None:
    torch._assert(x.dim() == 1, "one dimension")
    torch._assert((x > 0).all(), "positive")
    try:
        torch._assert(x.dim() == 2, "two dimensions")
    except AssertionError as e:
        print("failed:", e)


def complexes(c: complex) -> None:
    print(cmath.sqrt(c), cmath.phase(c), abs(cmath.exp(c)), c ** 2, c / 2, c * 2, 2 / c, c + 1, c - 1.5)


def tensors(x: torch.Tensor) -> None:
    print(x.type(torch.int32), torch.norm_except_dim(torch.ones(2, 3), 2, 0), torch.finfo(torch.float32).eps)
    print(torch.finfo(torch.float16).max, torch.iinfo(torch.int8).min, torch.get_default_dtype() == torch.float32)
    q = torch.arange(12.0).view(1, 3, 4)
    print(torch.iinfo(torch.int32).max, torch.finfo(torch.float64).tiny)


class Node:
    def __init__(self, v: Optional[int]):
        self.v = v


def refined(start: Optional[int], opt: Optional[torch.Tensor], p: Node) -> int:
    cur = start
    n = 0
    while cur is not None:
        n += cur
        if cur > 2:
            cur = None
        else:
            cur = cur + 1
    if opt is not None:
        n += opt.size(0)
    if p.v is not None:
        n += p.v * 2
    return n


def truthy(opt: Optional[int], name: Optional[str], items: Optional[List[int]]) -> int:
    n = 0
    if opt:
        n += opt
    if name:
        n += len(name)
    if items and len(items) > 1:
        n += items[1]
    return n if not opt else n + 1


def walrus(values: List[int]) -> List[int]:
    out: List[int] = []
    i = 0
    while (v := values[i]) < 5:
        out.append(v)
        i += 1
    if (n := len(out)) > 1:
        out.append(n * 100)
    return out + [y for x in values if (y := x * 2) > 4]


def sets() -> None:
    s = {3, 1, 2}
    s.add(7)
    s.discard(1)
    t = set([3, 7, 9])
    print(sorted(s), sorted(s & t), sorted(s | t), sorted(s - t), sorted(s ^ t), 3 in s, len(t), s.issubset(t))
    u = {x % 3 for x in range(10)}
    print(len(u), sorted(u), u == {0, 1, 2})
    s.remove(2)
    s.update([100])
    print(sorted(s))


def loops(n: int) -> str:
    for i in range(n):
        if i == 3:
            break
    else:
        return "else"
    while n > 0:
        n -= 1
        if n == 100:
            break
    else:
        return "while else"
    return "none"


def slices(l: List[int]) -> List[int]:
    l[1:3] = [10, 20, 30]
    l[::2] = [0 for _ in l[::2]]
    l.pop(1)
    l[-1:] = [7, 8]
    return l


def matched(x: int, s: str, t: Tuple[int, int]) -> str:
    out = ""
    match x:
        case 1 | 2:
            out += "low"
        case n if n > 10:
            out += f"high{n}"
        case _:
            out += "other"
    match s:
        case "a":
            out += "A"
        case str():
            out += "S"
    match t:
        case (0, y):
            out += f"zero{y}"
        case (x, y):
            out += f"pair{x}{y}"
    return out


def main():
    inputs(torch.ones(2))
    ordered()
    asserted(torch.ones(2))
    complexes(1 + 2j)
    tensors(torch.tensor([1.7, 2.2]))
    print(refined(1, torch.ones(3), Node(5)), refined(None, None, Node(None)))
    print(truthy(3, "ab", [1, 2]), truthy(0, "", []), truthy(None, None, None))
    print(walrus([1, 2, 3, 9]))
    sets()
    print(loops(2), loops(10), loops(0))
    print(slices([1, 2, 3, 4, 5]))
    print(matched(1, "a", (0, 5)), matched(11, "b", (1, 2)), matched(5, "c", (3, 4)))


# What Python prints:
# CHECK: tensor([0.7311, 0.7311]) tensor([1., 1.]) tensor(2.) tensor([2., 2.])
# CHECK-NEXT: ['b', 'a'] 1
# CHECK-NEXT: ['t']
# CHECK-NEXT: failed: two dimensions
# CHECK-NEXT: (1.272019649514069+0.7861513777574233j) 1.1071487177940904 2.718281828459045 (-3+4j) (0.5+1j) (2+4j) (0.4-0.8j) (2+2j) (-0.5+2j)
# CHECK-NEXT: tensor([1, 2], dtype=torch.int32) tensor({{[[][[]}}1.7321],
# CHECK-NEXT:         [1.7321]]) 1.1920928955078125e-07
# CHECK-NEXT: 65504.0 -128 True
# CHECK-NEXT: 2147483647 2.2250738585072014e-308
# CHECK-NEXT: 19 0
# CHECK-NEXT: 8 0 0
# CHECK-NEXT: [1, 2, 3, 300, 6, 18]
# CHECK-NEXT: [2, 3, 7] [3, 7] [2, 3, 7, 9] [2] [2, 9] True 3 False
# CHECK-NEXT: 3 [0, 1, 2] True
# CHECK-NEXT: [3, 7, 100]
# CHECK-NEXT: else while else else
# CHECK-NEXT: [0, 0, 30, 0, 7, 8]
# CHECK-NEXT: lowAzero5 high11Spair12 otherSpair34
