# PyTorch issue 128261: on the second call of a TorchScript function a quotient of numbers that was computed under
# torch.no_grad() required a gradient. It never does, and the rest is differentiated as ever.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch

def damped(x, c: float):
    with torch.no_grad():
        f = 1. / torch.tensor(c)
    assert not f.requires_grad
    return x * f

def main():
    # CHECK-COUNT-10: True tensor([0.2500, 0.2500])
    for i in range(10):
        x = torch.zeros([2]).requires_grad_()
        y = damped(x, 4.)
        y.sum().backward()
        g = x.grad
        assert g is not None
        print(y.requires_grad, g)
