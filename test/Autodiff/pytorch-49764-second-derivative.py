# PyTorch issue 49764: a second derivative of a recurrent function with chunk, sigmoid and tanh failed in TorchScript on the
# third call. What stands here is what eager PyTorch computes.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
from typing import List, Optional

def recur(xs, h, w):
    for x in xs:
        keep, new = torch.chunk(torch.cat([x, h], dim=1) @ w, 2, dim=1)
        gate = torch.sigmoid(keep)
        h = gate * h + (1. - gate) * torch.tanh(new)
    return h.sum()

def main():
    xs = torch.linspace(-1, 1, 12).view(3, 2, 2)
    h = torch.tensor([[0.5], [-0.5]])
    w = torch.linspace(-1, 1, 6).view(3, 2).requires_grad_()
    direction: List[Optional[torch.Tensor]] = [torch.arange(1., 7.).view(3, 2)]
    # CHECK-COUNT-10: tensor([ 0.1114,  0.3751,  0.1086,  0.7247,  0.0148, -0.0568]) tensor([-1.4268, -2.4165, -1.6875, -2.5274, -1.1046, -5.9723])
    for i in range(10):
        g = torch.autograd.grad([recur(xs, h, w)], [w], create_graph=True)[0]
        assert g is not None
        second = torch.autograd.grad([g], [w], direction)[0]
        assert second is not None
        print(g.detach().reshape(-1), second.reshape(-1))
