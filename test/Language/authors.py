# What authors write, and TorchScript does not take.
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s --match-full-lines
import torch
from typing import Dict, List, Optional, Tuple


class Counter:
    start: int = 4
    label = "n"
    limit: Optional[int] = None

    def __init__(self, values: List[int]):
        self.values = values

    def total(self) -> int:
        return self.start + sum(self.values)


class Second(Counter):
    start: int = 10


class Cache:
    def __init__(self, n: int):
        self.n = n
        self.cos: Optional[torch.Tensor] = None
        self.sin: Optional[torch.Tensor] = None

    def __call__(self, n: int) -> float:
        if self.cos is None or self.sin is None or n > self.n:
            t = torch.zeros(n)
            self.cos = t.cos()
            self.sin = t.sin()
            self.n = n
        # Both branches have left tensors: setting one attribute says nothing of another.
        return float(self.cos[:n].sum() + self.sin[:n].sum())


class Metres:
    def __init__(self, x: float):
        self.x = x

    def __abs__(self) -> float:
        return abs(self.x)

    def __rmul__(self, by: float) -> "Metres":
        return Metres(by * self.x)

    def __radd__(self, other: float) -> "Metres":
        return Metres(other + self.x)


class Code(Exception):
    def __init__(self, code: int, text: str = "x"):
        self.code = code
        super().__init__(f"code {self.code}: {text}")


class Late(Code):
    def __init__(self, by: int):
        super().__init__(by * 10, text="late")


class Silent(ValueError):
    def __init__(self, a: int, b: int):
        self.sum = a + b


def check(n: int) -> str:
    try:
        if n == 0:
            raise Code(3)
        if n == 1:
            raise Late(by=2)
        if n == 2:
            raise Silent(1, 2)
    except Code as e:
        return str(e)
    except ValueError as e:
        return "value " + str(e)
    return "nothing"


def equal(a: Optional[int], b: Optional[int]) -> str:
    return f"{a == b} {a != b} {a == 3} {a == None} {None != b}"


def main() -> None:
    a, b = Counter([1]), Second([1])
    a.start = 1
    print(a.total(), b.total(), Counter.start, Second.start, a.label, a.limit)
    cache = Cache(2)
    print(cache(2), cache(1), cache(3))
    print(abs(Metres(-2.0)), (3.0 * Metres(2.0)).x, (1.0 + Metres(2.0)).x)
    print([check(n) for n in range(4)])
    print(equal(3, 3), "|", equal(None, 3), "|", equal(None, None))
    graph: Dict[int, List[Tuple[int, float]]] = {0: [(1, 2.0)]}
    print(graph.get(0, []), graph.get(5, []), graph.setdefault(7, []), len(graph))
    sizes = [2, 3]
    x = torch.ones(4, *sizes)
    mask = x > 0
    mask[..., :1] = False
    print(list(x.shape), int(mask.sum()), list(x.new_zeros(*sizes).shape), list(x.view(*sizes, 4).shape))
    print(format(5, "b").zfill(4), format(2.5, ".2f"), format("a"), repr("b"), repr([1.0]), torch.device("cpu"))
    print(torch.arange(4).reshape(2, 2).tolist(), torch.tensor(2.5).tolist(), torch.zeros(0, 2).tolist())


# What Python prints:
# CHECK:      2 11 4 10 n None
# CHECK-NEXT: 2.0 1.0 3.0
# CHECK-NEXT: 2.0 6.0 3.0
# CHECK-NEXT: ['code 3: x', 'code 20: late', 'value (1, 2)', 'nothing']
# CHECK-NEXT: True False True False True | False True False True True | True False False True False
# CHECK-NEXT: [(1, 2.0)] [] [] 2
# CHECK-NEXT: [4, 2, 3] 16 [2, 3] [2, 3, 4]
# CHECK-NEXT: 0101 2.50 a 'b' [1.0] cpu
# CHECK-NEXT: {{\[\[}}0, 1], [2, 3]] 2.5 []
