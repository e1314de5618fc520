# A program with torch.optim is saved, and runs; PyTorch, which has no such operators, shows a line that says so.
# RUN: tsc-translate %s -o %t.pt
# RUN: tsc-run %t.pt --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=RESULT
# RESULT: tensor(6.
# RUN: tsc-translate %t.pt --to py | FileCheck %s
# CHECK: ops.tsc.set_gradient({{.*}})  # an operator of tsc's own: PyTorch cannot load this program
import torch
from torch import Tensor


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(3))

    def forward(self, x: Tensor) -> Tensor:
        optimizer = torch.optim.SGD([self.w], lr=0.1)
        loss = (self.w * x).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss


net = Net()
