# RUN: %all_modes tsc-run %s | FileCheck %s

# Writes whose overload is named otherwise than that of the operator which gives what they write.
import torch


def gradient(x: torch.Tensor, which: int):
    y = x * 1
    if which == 0:
        y.pow_(3)
    elif which == 1:
        y.pow_(torch.tensor([1.0, 2.0], dtype=torch.float64))
    elif which == 2:
        y.float_power_(2.0)
    elif which == 3:
        y.float_power_(torch.tensor([2.0, 3.0]))
    elif which == 4:
        y.ldexp_(torch.tensor([1, 3]))
    else:
        y = y * y.detach().clone().floor_divide_(torch.tensor(1.5))
    return torch.autograd.grad([y.sum()], [x])[0]


def main():
    x = torch.tensor([2.0, 3.0], dtype=torch.float64, requires_grad=True)
    # CHECK:      tensor([12., 27.], dtype=torch.float64)
    # CHECK-NEXT: tensor([1., 6.], dtype=torch.float64)
    # CHECK-NEXT: tensor([4., 6.], dtype=torch.float64)
    # CHECK-NEXT: tensor([ 4., 27.], dtype=torch.float64)
    # CHECK-NEXT: tensor([2., 8.], dtype=torch.float64)
    # CHECK-NEXT: tensor([1., 2.], dtype=torch.float64)
    for which in range(6):
        print(gradient(x, which))
