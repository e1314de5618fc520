# PyTorch issue 52676: a NamedTuple whose fields have defaults could not be compiled.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import List, NamedTuple, Optional


class Point(NamedTuple):
    x: Optional[torch.Tensor] = None
    y: Optional[torch.Tensor] = None
    weights: List[int] = [1, 2]
    scale: float = 2.0


def scaled(point: Point) -> torch.Tensor:
    x = point.x
    if x is None:
        return torch.zeros(1)
    return x * point.scale


def main() -> None:
    for i in range(10):
        print(scaled(Point()), scaled(Point(torch.ones(1))), scaled(Point(x=torch.ones(1), scale=0.5)), Point().weights)


# What Python prints:
# CHECK: tensor([0.]) tensor([2.]) tensor([0.5000]) [1, 2]
# CHECK-NEXT: tensor([0.]) tensor([2.]) tensor([0.5000]) [1, 2]
# CHECK-NEXT: tensor([0.]) tensor([2.]) tensor([0.5000]) [1, 2]
# CHECK-NEXT: tensor([0.]) tensor([2.]) tensor([0.5000]) [1, 2]
# CHECK-NEXT: tensor([0.]) tensor([2.]) tensor([0.5000]) [1, 2]
# CHECK-NEXT: tensor([0.]) tensor([2.]) tensor([0.5000]) [1, 2]
# CHECK-NEXT: tensor([0.]) tensor([2.]) tensor([0.5000]) [1, 2]
# CHECK-NEXT: tensor([0.]) tensor([2.]) tensor([0.5000]) [1, 2]
# CHECK-NEXT: tensor([0.]) tensor([2.]) tensor([0.5000]) [1, 2]
# CHECK-NEXT: tensor([0.]) tensor([2.]) tensor([0.5000]) [1, 2]
