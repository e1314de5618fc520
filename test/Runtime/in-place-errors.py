# An in-place operator raises what its functional form would have raised, and only then what the write asks.
# RUN: %all_modes --status 1 tsc-run %s --args 'torch.ones([2, 0])' | FileCheck %s
# CHECK: error: RuntimeError: The size of tensor a (3) must match the size of tensor b (0) at non-singleton dimension 1
import torch
from torch import Tensor


def main(x: Tensor) -> int:
    print("seen")
    mask = torch.ones(3, dtype=torch.bool)
    mask *= x
    return 1
