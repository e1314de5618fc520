# How results lie in memory, which strides tell, and with it what may be looked at flat: as in PyTorch.

# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
import torch.nn.functional as F
from torch import Tensor

def rows(x: Tensor, index: Tensor, row: Tensor):
    # Row-major, whatever the strides of the operand.
    print(x.stride())
    print(x.masked_fill(x > 0, 0.0).stride(), x.masked_fill(x > 0, torch.tensor(0.0)).view(-1).size(0))
    print(x.scatter(0, index, 0.0).stride(), x.scatter(0, index, x).stride(), x.scatter_add(0, index, x).view(-1).size(0))
    print(x.scatter_reduce(0, index, x, "sum").stride(), x.index_reduce(0, index[0, :1], row, "amax").stride())
    print(x.index_add(0, index[0, :1], row).stride(), x.index_copy(0, index[0, :1], row).view(-1).size(0))
    print(F.logsigmoid(x).stride())
    # As the operand lies.
    print(x.index_fill(0, index[0, :1], 1.0).stride(), x.where(x > 0, x * 2).stride())


def fused(x: Tensor):
    y = (x * 2).masked_fill(x > 0.5, 0.0) + 1
    return (y.view(-1), (x + 1).masked_fill(x > 0.5, 0.0).view(-1))


def images(x: Tensor):
    # Channels stay innermost.
    print(F.pad(x, [1, 1, 1, 1]).stride(), F.pad(x, [-1, 1, 0, 1]).stride())
    print(F.pixel_shuffle(x, 2).stride(), torch.channel_shuffle(x, 2).stride())
    small = x[:, :, :4, :4].contiguous(memory_format=torch.channels_last)
    print(F.pixel_unshuffle(small, 2).stride())
    print(F.adaptive_avg_pool2d(x, 1).stride(), F.adaptive_avg_pool2d(x, [2, 1]).stride())
    plain = x.contiguous()
    print(bool((F.pad(x, [1, 2, -1, 1], value=3.0) == F.pad(plain, [1, 2, -1, 1], value=3.0)).all()))
    print(bool((F.pixel_shuffle(x, 2) == F.pixel_shuffle(plain, 2)).all()))
    print(bool((torch.channel_shuffle(x, 4) == torch.channel_shuffle(plain, 4)).all()))
    print(bool((F.pixel_unshuffle(small, 2) == F.pixel_unshuffle(small.contiguous(), 2)).all()))


def main():
    # CHECK: (1, 4)
    # CHECK-NEXT: (3, 1) 12
    # CHECK-NEXT: (3, 1) (3, 1) 12
    # CHECK-NEXT: (3, 1) (3, 1)
    # CHECK-NEXT: (3, 1) 12
    # CHECK-NEXT: (3, 1)
    # CHECK-NEXT: (1, 4) (1, 4)
    rows(torch.rand(3, 4).t(), torch.zeros(1, 3, dtype=torch.long), torch.ones(1, 3))
    for i in range(3):
        a, b = fused(torch.arange(6.0).reshape(2, 3).t() / 4)
        # CHECK-COUNT-3: {{^}}[1.0, 1.0, 1.5, 1.0, 2.0, 1.0] [1.0, 0.0, 1.25, 0.0, 1.5, 0.0]
        print(a.tolist(), b.tolist())
    # CHECK-NEXT: (448, 1, 64, 8) (288, 1, 48, 8)
    # CHECK-NEXT: (240, 1, 24, 2) (240, 1, 48, 8)
    # CHECK-NEXT: (128, 1, 64, 32)
    # CHECK-NEXT: (8, 1, 8, 8) (16, 1, 8, 8)
    # CHECK-NEXT: True
    # CHECK-NEXT: True
    # CHECK-NEXT: True
    # CHECK-NEXT: True
    images(torch.rand(2, 8, 5, 6).contiguous(memory_format=torch.channels_last))
