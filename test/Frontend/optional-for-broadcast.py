# An optional number stands for an optional list of a fixed length, which repeats it.
#
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
import torch.nn.functional as F
from typing import List, Optional
from torch import Tensor


def resized(x: Tensor, size: Optional[int], scale: Optional[float]) -> List[int]:
    return F.interpolate(x, size=size, scale_factor=scale).size()


def main():
    x = torch.arange(16.).reshape([1, 1, 4, 4])
    # CHECK: True True
    print(resized(x, 6, None) == [1, 1, 6, 6], resized(x, None, 0.5) == [1, 1, 2, 2])
