# Recorded by utils/record_composite_tests.py with PyTorch's values; do not edit, edit random.cases.
#
# RUN: %all_modes tsc-run %s | FileCheck %s
# CHECK-NOT: differs
# CHECK: 9 cases
import torch
from typing import List, Optional
from checks import check
from torch import Tensor


def part0() -> None:
    torch.manual_seed(5)
    x = torch.exp(torch.sin(torch.arange(40.)) * 2)
    check("_standard_gamma", torch._standard_gamma(x), [40], 94.3147, 4.56458, 23.6337)
    check("_standard_gamma", torch._standard_gamma(x.double()), [40], 92.1118, -1.3766, 24.5952)
    check("_sample_dirichlet", torch._sample_dirichlet(x.reshape([8, 5])), [8, 5], 8., 0.429428, 1.84564)
    check("exponential", torch.ops.aten.exponential(x, 1.5), [40], 31.3047, 4.46629, 6.74127)
    check("cauchy", torch.ops.aten.cauchy(x, 0.5, 2.0), [40], 224.644, -32.941, 175.114)
    check("log_normal", torch.ops.aten.log_normal(x, 0.5, 0.25), [40], 65.1856, 2.83883, 10.5887)
    check("geometric", torch.ops.aten.geometric(x, 0.3), [40], 155., 17.2425, 31.0322)
    check("normal_functional", torch.ops.aten.normal_functional(x, 1.0, 2.0), [40], 59.567, 3.91691, 13.1156)
    check("random", torch.ops.aten.random(x, 100), [40], 1843., 119.304, 333.042)


def main():
    part0()
    print(9, "cases")
