# PyTorch issue 84510: from the third call on, the gradient of what was broadcast against values of fewer dimensions failed
# in TorchScript's fuser, or was silently wrong. It is the sum along the dimensions that were broadcast.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
from typing import List, Optional

def power(x, y, z):
    return (x + y) ** z

def gradient(x, y, z):
    r = power(x, y, z)
    ones: List[Optional[torch.Tensor]] = [torch.ones_like(r)]
    g = torch.autograd.grad([r], [x], ones)[0]
    assert g is not None
    return g

def main():
    y = torch.tensor([0., 1., 2., 3.]).view(1, 1, 1, 4)
    z = torch.full([1, 1, 1, 1], 2.)
    few = torch.tensor([1., 2., 3.]).view(3, 1, 1, 1, 1).requires_grad_()
    # CHECK-COUNT-10: [3, 1, 1, 1, 1] tensor([20., 28., 36.])
    for i in range(10):
        g = gradient(few, y, z)
        print(list(g.size()), g.view(-1))
    many = torch.arange(1., 301.).view(300, 1, 1, 1, 1).requires_grad_()
    # CHECK-COUNT-10: [300, 1, 1, 1, 1] True
    for i in range(10):
        g = gradient(many, y, z)
        print(list(g.size()), torch.allclose(g, many * 8 + 12))
