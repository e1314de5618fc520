# A call that fails after it asked for gradients is not made again: they would be added twice.
#
# RUN: %exits 1 tsc-run %s -O0 2>&1 | FileCheck %s
# RUN: %exits 1 tsc-run %s 2>&1 | FileCheck %s
# RUN: %exits 1 tsc-run %s -O3 --compile=eager 2>&1 | FileCheck %s
# CHECK: RuntimeError: tensor([1.5000, 1.5000, 1.5000])
import torch


def main():
    w = torch.full([3], 0.5).requires_grad_()
    x = w * 3
    y = x * x + x.sin() * 0
    z = (y / 6 + x * 0).neg().neg()
    z.sum().backward()
    raise RuntimeError(str(w.grad))
