# Gradients of operators that take any number of operands. The numbers are PyTorch's.
#
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
from torch import Tensor

def sublists(x: Tensor, y: Tensor):
    x, y = x.detach().requires_grad_(), y.detach().requires_grad_()
    z = torch.einsum(x, [0, 1], y, [1, 2], [2, 0])
    return torch.autograd.grad([(z * z).sum()], [x, y])

# The first operand requires no gradient.
def second_sublist(x: Tensor, y: Tensor):
    y = y.detach().requires_grad_()
    z = torch.einsum(x, [0, 1], y, [1, 2], [2, 0])
    return torch.autograd.grad([(z * z).sum()], [y])[0]

def main():
    x, y = torch.tensor([[1., 2.], [3., -1.]]), torch.tensor([[1., 0.], [2., -2.]])
    for call in range(3):
        # CHECK:      [tensor({{\[\[}}10., 36.],
        # CHECK-NEXT:         [ 2., -4.]]), tensor({{\[\[}} 16.,   4.],
        # CHECK-NEXT:         [ 18., -20.]])] tensor({{\[\[}} 16.,   4.],
        # CHECK-NEXT:         [ 18., -20.]])
        print(sublists(x, y), second_sublist(x, y))
