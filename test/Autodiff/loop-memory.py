# Backwards through a loop, memory grows by what is captured, and by nothing else: 64 KiB a step here, a state, which the
# product and tanh share. A thousand steps take 62.5 MiB; what else is there at once is less than two.
#
# RUN: %all_modes tsc-run --args '1000' --max-memory 67600000 %s | FileCheck %s
# RUN: %all_modes tsc-run --args '2000' --max-memory 133200000 %s | FileCheck %s
# RUN: not tsc-run --args '1000' --max-memory 65500000 %s 2>&1 | FileCheck %s --check-prefix=LESS
#
# CHECK: True
# LESS: memory
import torch
from torch import Tensor


def states(h: Tensor, w: Tensor, steps: int) -> Tensor:
    for _ in range(steps):
        h = torch.tanh(h.mm(w))
    return h.sum()


def main(steps: int):
    w = (torch.eye(64) * 1.01).requires_grad_()
    g = torch.autograd.grad([states(torch.full([256, 64], 0.5), w, steps)], [w])[0]
    print(g is not None and bool((g >= 0).all()))
