# PyTorch issue 75788: what a TorchScript function computed after a block of torch.no_grad() did not require a gradient if it
# also used a value of that block. It does, and the value counts as a constant.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch

def scaled(x):
    with torch.no_grad():
        y = x * 3
    z = 2 * x * y + y
    print(x.requires_grad, y.requires_grad, z.requires_grad)
    return z

def main():
    x = torch.tensor([1., 2.], requires_grad=True)
    for i in range(10):
        # CHECK-COUNT-10: True False True{{[[:space:]]}}tensor([ 6., 12.])
        g = torch.autograd.grad([scaled(x).sum()], [x])[0]
        assert g is not None
        print(g)
