# Attributes that a module changes between its calls (numbers, flags, tensors, a tensor's size, a parameter written in place)
# are those of the call in its gradients: a plan is used where they are as they were.
#
# RUN: tsc-translate %s --entry Energy -o %t.pt && tsc-run %s --entry calls --output %t.inputs.pt
# RUN: %all_modes tsc-run %t.pt --inputs %t.inputs.pt | FileCheck %s
# CHECK:      tensor([2., 4.])
# CHECK-NEXT: tensor([4., 8.])
# CHECK-NEXT: tensor([ -6., -12.])
# CHECK-NEXT: tensor([ -8., -16.])
# CHECK-NEXT: tensor([10., 20.])
# CHECK-NEXT: tensor([24., 48.])
import torch
from torch import nn, Tensor


class Energy(nn.Module):
    scale: float
    flipped: bool

    def __init__(self):
        super().__init__()
        self.scale = 1.0
        self.flipped = False
        self.calls = 0
        self.weight = nn.Parameter(torch.ones(1))
        self.register_buffer("mask", torch.ones(1))

    def forward(self, x: Tensor) -> Tensor:
        x = x.detach().requires_grad_()
        energy = (x * x * self.scale * self.weight * self.mask).sum()
        if self.flipped:
            energy = -energy
        force = torch.autograd.grad([energy], [x])[0]
        assert force is not None
        self.calls += 1
        self.scale += 1.0
        self.flipped = self.calls == 2 or self.calls == 3
        if self.calls == 4:
            self.mask = torch.ones(2)
        if self.calls == 5:
            with torch.no_grad():
                self.weight.mul_(2.0)
        return force


def calls():
    return {"calls": [{"args": (torch.tensor([1., 2.]),)} for call in range(6)]}
