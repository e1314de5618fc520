# PyTorch issue 42459: to go backward through the gradient by an input failed in TorchScript where the function uses its
# other input or ignores it. Of sum(w tanh(x)) the first gradient is w (1 - tanh^2), the second -2 w tanh (1 - tanh^2).
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch

def joined(x, other, w):
    return (torch.tanh(torch.cat([x, other], dim=-1)) * w).sum()

def ignoring(x, other, w):
    return (torch.tanh(x) * w[:2]).sum()

def through(energy, x, w):
    g = torch.autograd.grad([energy], [x], create_graph=True)[0]
    assert g is not None
    g.sum().backward()
    of_x, of_w = x.grad, w.grad
    assert of_x is not None and of_w is not None
    print(g.detach(), of_x, of_w)

def main():
    other = torch.tensor([0.25])
    for i in range(10):
        # CHECK-COUNT-20: tensor([0.7864, 1.5729]) tensor([ 0.7269, -1.4537]) tensor([0.7864, 0.7864, 0.0000])
        x = torch.tensor([-0.5, 0.5], requires_grad=True)
        w = torch.tensor([1., 2., 3.], requires_grad=True)
        through(joined(x, other, w), x, w)
        x = torch.tensor([-0.5, 0.5], requires_grad=True)
        w = torch.tensor([1., 2., 3.], requires_grad=True)
        through(ignoring(x, other, w), x, w)
