# RUN: %all_modes tsc-run %s | FileCheck %s

# Writes to views that have the numbers of their base in another form: real and imaginary parts, and pairs.
import torch


def main():
    z = torch.complex(torch.tensor([1.0, 3.0]), torch.tensor([2.0, -1.0])).requires_grad_()
    x = torch.tensor([2.0, 5.0], requires_grad=True)
    w = z * 1
    w.real.mul_(x)
    w.imag.add_(x * x)
    g = torch.autograd.grad([(w.real * w.imag).sum()], [z, x])
    # CHECK:      tensor([ 12.+2.j, 120.+15.j])
    # CHECK-NEXT: tensor([ 14., 222.])
    print(g[0])
    print(g[1])

    # A view that was there before the write.
    w = z * 1
    parts = torch.view_as_real(w)
    w.mul_(2j)
    parts[:, 0].mul_(x)
    # CHECK-NEXT: tensor([ 8.+64.j, 24.-200.j])
    g = torch.autograd.grad([parts.square().sum()], [z, x])
    print(g[0])
    # CHECK-NEXT: tensor([64., 40.])
    print(g[1])

    # Real numbers as complex ones.
    y = torch.stack([x, x * x], 1)
    torch.view_as_complex(y).mul_(z)
    g = torch.autograd.grad([(y * y).sum()], [z, x])
    # CHECK-NEXT: tensor([  40.+80.j, 3900.-1300.j])
    print(g[0])
    # CHECK-NEXT: tensor([ 180., 5100.])
    print(g[1])

    # Conjugates, which are computed when they are asked for, and their parts.
    w = z * 1
    conjugate = w.conj()
    conjugate.mul_(x)
    conjugate.imag.add_(x * x)
    g = torch.autograd.grad([(w.real * w.imag).sum()], [z, x])
    # CHECK-NEXT: tensor([   0.+4.j, -150.+75.j])
    print(g[0])
    # CHECK-NEXT: tensor([  -4., -255.])
    print(g[1])
