from enum import Enum
from typing import Dict, List, NamedTuple, Optional, Tuple
import torch

class Color(Enum):
    RED = 1
    BLUE = 2

class Pair(NamedTuple):
    first: int
    second: Optional[str] = None

class Counter:
    def __init__(self, n: int):
        self.n = n

    @property
    def twice(self) -> int:
        return self.n * 2

    def __add__(self, other: "Counter") -> "Counter":
        return Counter(self.n + other.n)

def control(xs: List[int], limit: Optional[int] = None):
    total, seen = 0, torch.jit.annotate(Dict[int, str], {})
    for i, x in enumerate(xs):
        if limit is not None and x > limit:
            break
        elif x in seen:
            continue
        seen[x] = f"{x}:{i}"
        total += x
    while total > 10:
        total //= 2
    assert total >= 0, "negative"
    if total == 3:
        raise ValueError("three")
    return [str(k) for k in seen.keys()], total

def values(t, p: Pair, c: Color):
    a, *rest = (t, t + 1, t[0, ..., None])
    q = (Counter(p.first) + Counter(1)).twice
    return a.relu_(), rest, q, c == Color.RED, p.second if p.second is not None else "", t[1:, ::2]
