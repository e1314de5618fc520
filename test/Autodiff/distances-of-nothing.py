# RUN: %all_modes tsc-run %s | FileCheck %s

# Rows that lie in one place: their distance has no direction, and gradients of gradients are zero there, as PyTorch's are.
import torch


def main():
    x = torch.tensor([[0.0, 0.0], [0.0, 0.0], [3.0, 4.0]], dtype=torch.float64, requires_grad=True)
    weights = torch.tensor([[1.0, 2.0], [3.0, 5.0], [4.0, 7.0]], dtype=torch.float64)
    # CHECK:      tensor({{\[\[}}-4.8000, -6.4000],
    # CHECK-NEXT:         [-7.2000, -9.6000],
    # CHECK-NEXT:         [12.0000, 16.0000]], dtype=torch.float64)
    # CHECK-NEXT: tensor({{\[\[}} 0.7680, -0.5760],
    # CHECK-NEXT:         [ 0.7680, -0.5760],
    # CHECK-NEXT:         [-1.5360,  1.1520]], dtype=torch.float64)
    distances = torch.cdist(x, x) * torch.arange(9, dtype=torch.float64).view([3, 3])
    g = torch.autograd.grad([distances.sum()], [x], create_graph=True)[0]
    if g is not None:
        print(g.detach())
        print(torch.autograd.grad([(g * weights).sum()], [x])[0])
    # CHECK-NEXT: tensor({{\[\[}}0., 0.],
    # CHECK-NEXT:         [0., 0.]], dtype=torch.float64)
    y = torch.zeros([2, 2], dtype=torch.float64, requires_grad=True)
    h = torch.autograd.grad([torch.pdist(y).sum()], [y], create_graph=True)[0]
    if h is not None:
        print(torch.autograd.grad([(h * h).sum()], [y])[0])
