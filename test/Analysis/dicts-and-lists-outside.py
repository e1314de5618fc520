# What leaves the program as a dict and what comes in as a list may be one thing to alias analysis: then it still knows
# that a list holds its elements.
# RUN: tsc-run %s --args 'torch.ones([2]), [torch.ones([2])], 2' -O0 --check-aliases | FileCheck %s
# RUN: tsc-run %s --args 'torch.ones([2]), [torch.ones([2])], 2' -O3 --compile=eager --check-aliases | FileCheck %s
# CHECK: {{^}}0{{$}}
import torch
from torch import Tensor
from typing import Any, Dict, List


class Guard:
    def __init__(self, n: int):
        self.n = n

    def __enter__(self) -> int:
        return self.n

    def __exit__(self, type: Any, value: Any, trace: Any) -> None:
        pass


def ignoring(x: Tensor, d: Dict[str, int]) -> int:
    return 0


def main(x: Tensor, v: List[Tensor], n: int) -> int:
    ignored = ignoring(torch.zeros(2), {"b": 10})
    guard = Guard(n)
    with guard:
        v.pop()
    return len(v)
