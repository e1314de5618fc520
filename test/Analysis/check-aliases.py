# Alias analysis holds over objects, containers, tuples, branches, loops and calls, and results are what they are without the check.
# RUN: tsc-run %s --check-aliases | FileCheck %s
# RUN: tsc-run %s --check-aliases -O0 | FileCheck %s
# CHECK: tensor([71.])
from typing import Dict, List, Tuple

class Counter:
    def __init__(self, total: torch.Tensor):
        self.total = total
        self.seen: List[torch.Tensor] = []

    def count(self, x: torch.Tensor):
        self.total += x
        self.seen.append(self.total)

def twice(x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    return x, x.add_(1)

def main():
    counter = Counter(torch.zeros([1]))
    table: Dict[str, torch.Tensor] = {}
    kept = torch.ones([1])
    for i in range(4):
        a, b = twice(torch.full([1], float(i)))
        if i % 2 == 0:
            table["even"] = a
            kept = b
        else:
            table["odd"] = kept.view([1])
        counter.count(a * 1.0)
        kept.mul_(2)
    x, y = twice(kept)
    parts = torch.arange(6).chunk(2)
    parts[0].add_(1)
    return counter.total + table["odd"] + x + y + parts[0].sum() + len(counter.seen) + parts[1].sum()
