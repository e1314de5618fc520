# PyTorch issue 66883: of a value that is used where it was computed and also returned, TorchScript forgot what the uses
# after the return contribute to the gradient. Both count, on every call.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
from typing import Tuple

def block(x, w) -> Tuple[torch.Tensor, torch.Tensor]:
    h = x * w
    return torch.nn.functional.layer_norm(h, [4], eps=0.), h

def main():
    x = torch.tensor([0.5, 0.5, -0.5, -0.5], requires_grad=True)
    w = torch.full([4], 2.).requires_grad_()
    after = torch.tensor([1., 10., 100., 1000.])
    inside = torch.tensor([8., 0., 0., 0.])
    # Of h: [4, -4, 0, 0] of the norm, and [1, 10, 100, 1000] of the sum.
    # CHECK-COUNT-10: tensor([  10.,   12.,  200., 2000.]) tensor([   2.5000,    3.0000,  -50.0000, -500.0000])
    for i in range(10):
        y, h = block(x, w)
        of_x, of_w = torch.autograd.grad([(y * inside).sum() + (h * after).sum()], [x, w])
        assert of_x is not None and of_w is not None
        print(of_x.round(decimals=3), of_w.round(decimals=3))
