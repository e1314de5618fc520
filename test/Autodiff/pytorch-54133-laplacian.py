# PyTorch issue 54133: a TorchScript function that computes second derivatives by its split inputs was right on its first
# call and failed with an internal error on the next. The Laplacian of x^3 y + y^2 is 6 x y + 2.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch

def potential(p):
    x, y = p.unbind(-1)
    return x ** 3 * y + y ** 2

def laplacian(points):
    columns = points.requires_grad_(True).split(1, -1)
    p = torch.cat(columns, -1)
    g = torch.autograd.grad([potential(p).sum()], [p], create_graph=True)[0]
    assert g is not None
    total = torch.zeros([points.size(0), 1])
    for i, column in enumerate(columns):
        second = torch.autograd.grad([g[:, i].sum()], [column], retain_graph=True)[0]
        assert second is not None
        total += second
    return total.squeeze(-1)

def main():
    # CHECK-COUNT-10: tensor([14., 74., -4.])
    for i in range(10):
        print(laplacian(torch.tensor([[1., 2.], [3., 4.], [-1., 1.]])))
