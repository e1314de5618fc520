# Numbers in a module's lists are known in plans of its gradients where operators only read the lists, here as sizes and
# dimensions. Which list an attribute is stays the same.
#
# RUN: tsc-translate %s --entry Energy -o %t.pt && tsc-run %s --entry calls --output %t.inputs.pt
# RUN: %all_modes tsc-run %t.pt --inputs %t.inputs.pt | FileCheck %s
# CHECK-COUNT-6: tensor([2., 4.])
import torch
from torch import nn, Tensor
from typing import List


class Energy(nn.Module):
    shape: List[int]
    dims: List[int]

    def __init__(self):
        super().__init__()
        self.shape = [2, 1]
        self.dims = [0]

    def forward(self, x: Tensor) -> Tensor:
        x = x.detach().requires_grad_()
        columns = x.view(self.shape)
        energy = (columns * columns).sum(self.dims).sum()
        if self.shape is not self.shape:
            energy = -energy
        force = torch.autograd.grad([energy], [x])[0]
        assert force is not None
        return force


def calls():
    return {"calls": [{"args": (torch.tensor([1., 2.]),)} for call in range(6)]}
