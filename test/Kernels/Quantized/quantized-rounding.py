# What lies halfway between two integers goes to the even one before the zero point is added, and averages are of integers:
# the numbers are PyTorch's, of fbgemm and of oneDNN.

# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
import torch
import torch.nn.functional as F
from torch import Tensor
from typing import List


def integers(x: Tensor) -> List[int]:
    return torch.int_repr(x).contiguous().to(torch.int64).flatten().tolist()


def main():
    halves = (torch.arange(16).to(torch.float) - 8) / 2
    # CHECK: [-1, -1, 0, 1, 1, 1, 2, 3, 3, 3, 4, 5, 5, 5, 6, 7]
    print(integers(torch.quantize_per_tensor(halves, 1.0, 3, torch.qint8)))
    # CHECK: [-1, -1, 0, 1, 1, 1, 2, 3, -1, 0, 1, 2, 3, 4, 5, 6]
    print(integers(torch.quantize_per_channel(halves.view(2, 8), torch.tensor([1.0, 0.5]), torch.tensor([3, -1]), 0,
                                              torch.qint8)))
    reals = (torch.arange(32) % 13).to(torch.float).view(1, 2, 4, 4) * 0.0317
    x = torch.quantize_per_tensor(reals, 0.0317, 121, torch.quint8).contiguous(memory_format=torch.channels_last)
    # CHECK: [121, 121, 122, 122, 123, 123, 124, 124, 122, 122, 123, 123, 124, 124, 125, 125, 124, 124, 125, 125]
    print(integers(F.interpolate(x, scale_factor=2.0, mode="bilinear"))[:20])
    # CHECK: [123, 125, 128, 127, 127, 129, 128, 123]
    print(integers(F.avg_pool2d(x, 2)))
    # CHECK: [125, 128, 127, 126]
    print(integers(F.adaptive_avg_pool2d(x, [2, 1])))
    # CHECK: 1
    print(len(x))
