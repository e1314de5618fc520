# A `.grad` that is not there is None also where the type of the parameter that gets it is Tensor once it is inlined.
# RUN: %all_modes tsc-run %s --entry f --args 'torch.ones(2)' | FileCheck %s
# CHECK: (1, 1, 1)
import torch
from torch import Tensor
from typing import Optional, Tuple


def absent(g: Optional[Tensor]) -> int:
    if g is None:
        return 1
    return 2


def f(x: Tensor) -> Tuple[int, int, int]:
    either = x.grad if x.dim() == 1 else x
    last = x.grad
    for i in range(x.size(0)):
        last = (x + i).grad
    return absent(x.grad), absent(either), absent(last)
