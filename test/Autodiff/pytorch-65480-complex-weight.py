# PyTorch issue 65480: from the second call on, what a TorchScript function made of a real weight by way of complex numbers
# did not require a gradient. It does, and the gradient is real.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch

def waves(x, y, w):
    return torch.exp(torch.mm(torch.complex(x, y), w.to(torch.complex64)))

def main():
    x = torch.tensor([[1., 2.], [3., 4.]])
    y = torch.tensor([[5., 6.], [7., 8.]])
    w = torch.zeros([2, 1]).requires_grad_()
    # CHECK-COUNT-10: True tensor([16., 20.])
    for i in range(10):
        z = waves(x, y, w)
        g = torch.autograd.grad([torch.view_as_real(z).sum()], [w])[0]
        assert g is not None
        print(z.requires_grad, g.view(-1))
