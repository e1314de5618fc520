# What is rounded to zero keeps its sign, with every level of vector instructions.
# RUN: tsc-run %s | FileCheck %s
# RUN: %if all-simd-levels && x86_64 %{ env TSC_SIMD=v2 tsc-run %s | FileCheck %s %}
import torch


def main() -> None:
    x = torch.tensor([-0.3, -0.0, 0.0, 0.3, 0.5, -0.5, 2.5])
    for t in [x, x.double(), x.repeat([3])[7:]]:
        print((1.0 / t.round())[:7].tolist())
        # CHECK: [-inf, -inf, inf, inf, inf, -inf, 0.5]
        print((1.0 / t.trunc())[:7].tolist())
        # CHECK-NEXT: [-inf, -inf, inf, inf, inf, -inf, 0.5]
        print((1.0 / t.ceil())[:7].tolist())
        # CHECK-NEXT: [-inf, -inf, inf, 1.0, 1.0, -inf, 0.3333333{{[0-9]*}}]
        print((1.0 / t.floor())[:7].tolist())
        # CHECK-NEXT: [-1.0, -inf, inf, inf, inf, -1.0, 0.5]
        print(torch.div(t, torch.ones_like(t), rounding_mode="trunc").signbit()[:3].tolist())
        # CHECK-NEXT: [True, True, False]
