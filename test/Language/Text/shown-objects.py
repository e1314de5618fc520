# Objects whose classes say how they are shown, alone and within tuples, lists, dicts and dataclasses.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple


class P:
    def __init__(self, x: int):
        self.x = x
    def __repr__(self) -> str:
        return f"P({self.x})"
    def __str__(self) -> str:
        return f"p{self.x}"


@dataclass
class D:
    a: int
    p: Tuple[P, str]


def main() -> str:
    p = P(1)
    none: Optional[P] = None
    print(p, [3], f"{p} {p!r}", [p, P(2)], (p,), (p, "s", 2.0), {"k": p, "l": P(3)}, [[p], [P(4)]], none)
    d: Dict[int, List[P]] = {1: [p], 2: []}
    print(d, D(1, (p, "x")), str([p]), str((p, 1)))
    empty: List[P] = []
    print(empty, [(p, "a")])
    return f"{(p, 1)} {[p]!r}"


# What Python prints:
# CHECK: {{^}}p1 [3] p1 P(1) [P(1), P(2)] (P(1),) (P(1), 's', 2.0) {'k': P(1), 'l': P(3)} {{\[\[}}P(1)], [P(4)]] None
# CHECK-NEXT: {1: [P(1)], 2: []} D(a=1, p=(P(1), 'x')) [P(1)] (P(1), 1)
# CHECK-NEXT: {{^}}[] [(P(1), 'a')]
# CHECK-NEXT: (P(1), 1) [P(1)]
