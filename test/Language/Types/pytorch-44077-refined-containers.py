# PyTorch issue 44077: attributes whose type is an Optional of a container were not refined by a condition.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import Dict, List, Optional


class Holder:
    weight: Optional[torch.Tensor]
    sizes: Optional[List[int]]
    names: Optional[Dict[str, int]]

    def __init__(self, weight: Optional[torch.Tensor], sizes: Optional[List[int]], names: Optional[Dict[str, int]]):
        self.weight = weight
        self.sizes = sizes
        self.names = names

    def total(self) -> int:
        n = 0
        if self.weight is not None:
            n += self.weight.numel()
        if self.sizes is not None and len(self.sizes) > 1:
            n += self.sizes[0] * 100
        if self.names is None:
            return n
        for name, value in self.names.items():
            n += len(name) + value
        return n


def replaced(a: Holder, b: Holder) -> int:
    # The refinement ends where the object behind the name is another one.
    if a.sizes is None:
        a.sizes = [7]
    n = len(a.sizes)
    a = b
    if a.sizes is not None:
        n += 10 * len(a.sizes)
    return n


def main() -> None:
    for i in range(10):
        full = Holder(torch.ones(3), [2, 5], {"ab": 1})
        none = Holder(None, None, None)
        print(full.total(), none.total(), replaced(none, full), replaced(full, Holder(None, None, None)))


# What Python prints:
# CHECK-COUNT-10: 206 0 21 2
