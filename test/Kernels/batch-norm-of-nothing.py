# RUN: %all_modes tsc-run %s | FileCheck %s
#
# A batch without elements has no statistics: running ones stay as they are, and the gradients of weight and bias are
# zeros, as PyTorch's are.
import torch
from torch import Tensor


def norms(sizes: list[int], perSample: bool):
    x = torch.zeros(sizes, requires_grad=True)
    weight, bias = torch.full([6], 2.), torch.full([6], 3.)
    weight.requires_grad_()
    bias.requires_grad_()
    mean, variance = torch.full([6], 4.), torch.full([6], 5.)
    if perSample:
        y = torch.instance_norm(x, weight, bias, mean, variance, True, 0.5, 1e-5, True)
    else:
        y = torch.batch_norm(x, weight, bias, mean, variance, True, 0.5, 1e-5, True)
    g = torch.autograd.grad([y.sum()], [x, weight, bias])
    print(mean, variance)
    for one in g:
        if one is not None:
            print(one.size(), one.sum())


def main():
    # CHECK:      tensor([4., 4., 4., 4., 4., 4.]) tensor([5., 5., 5., 5., 5., 5.])
    # CHECK-NEXT: torch.Size([0, 6, 2]) tensor(0.)
    # CHECK-NEXT: torch.Size([6]) tensor(0.)
    # CHECK-NEXT: torch.Size([6]) tensor(0.)
    norms([0, 6, 2], False)
    # CHECK-NEXT: tensor([4., 4., 4., 4., 4., 4.]) tensor([5., 5., 5., 5., 5., 5.])
    # CHECK-NEXT: torch.Size([2, 6, 0]) tensor(0.)
    # CHECK-NEXT: torch.Size([6]) tensor(0.)
    # CHECK-NEXT: torch.Size([6]) tensor(0.)
    norms([2, 6, 0], False)
    # CHECK-NEXT: tensor([4., 4., 4., 4., 4., 4.]) tensor([5., 5., 5., 5., 5., 5.])
    # CHECK-NEXT: torch.Size([2, 6, 0]) tensor(0.)
    # CHECK-NEXT: torch.Size([6]) tensor(0.)
    # CHECK-NEXT: torch.Size([6]) tensor(0.)
    norms([2, 6, 0], True)

