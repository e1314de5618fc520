# The gradient of a recurrence's weight is a sum of products of one row each. Some wait for each other and are added
# together: with the bits of one after the other, whatever their number.
#
# RUN: tsc-run -O0 %s > %t.plain
# RUN: tsc-run %s | diff %t.plain -
# RUN: tsc-run %s --entry recurrence --grad 1,2 --print-ir optimized 2>&1 \
# RUN:   --args 'torch.ones([70, 1, 64]), torch.ones([64, 64]) * 1e-3, torch.ones([64, 64]) * 1e-3, torch.ones([1, 64])' --bench 3 | FileCheck %s
# CHECK: prim::Loop
# CHECK: tsc::addmm_later_
# CHECK: tsc::addmm_later_
# CHECK: tsc::add_pending_
import torch
from torch import Tensor


def recurrence(x: Tensor, w: Tensor, u: Tensor, h: Tensor) -> Tensor:
    for i in range(x.size(0)):
        h = torch.tanh(x[i].mm(w) + h.mm(u))
    return h


def main() -> None:
    torch.manual_seed(0)
    for steps in [1, 31, 32, 33, 70]:
        for rows in [1, 3]:
            for width in [64, 70]:
                w = (torch.randn([width, width]) * 0.1).requires_grad_()
                u = (torch.randn([width, width]) * 0.1).requires_grad_()
                h = recurrence(torch.randn([steps, rows, width]), w, u, torch.randn([rows, width]))
                dw, du = torch.autograd.grad([(h * h).sum()], [w, u], allow_unused=True)
                if dw is not None and du is not None:
                    print(dw.view(torch.int32).sum(), du.view(torch.int32).sum())
