# A batch with its channels innermost is normalized as it lies. The numbers are those of the definition, in doubles.
# RUN: tsc-run --seed 0 --entry main %s | FileCheck %s
import torch
import torch.nn.functional as F
from torch import Tensor


def check(x: Tensor, format: torch.memory_format, tolerance: float):
    mean = torch.randn([5])
    variance = torch.rand([5]) + 0.5
    weight = torch.randn([5])
    bias = torch.randn([5])
    dtype = torch.double if x.dtype == torch.double else torch.float
    found = F.batch_norm(x.contiguous(memory_format=format), mean.to(dtype), variance.to(dtype), weight.to(dtype), bias.to(dtype))
    assert found.is_contiguous(memory_format=format) and found.dtype == x.dtype
    at = [1, 5] + [1] * (x.dim() - 2)
    of = [p.double().view(at) for p in [mean, variance, weight, bias]]
    expected = (x.double() - of[0]) / torch.sqrt(of[1] + 1e-5) * of[2] + of[3]
    # CHECK-COUNT-5: True
    print((found.double() - expected).abs().max().item() < tolerance)


def main():
    x = torch.randn([2, 5, 3, 4])
    check(x, torch.channels_last, 1e-5)
    check(x.double(), torch.channels_last, 1e-12)
    check(x.half(), torch.channels_last, 1e-2)
    check(x.bfloat16(), torch.channels_last, 1e-1)
    check(torch.randn([2, 5, 2, 2, 3]), torch.channels_last_3d, 1e-5)
