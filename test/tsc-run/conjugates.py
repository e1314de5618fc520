# A conjugate is a view: what is written to the tensor later is seen through it, and what is written to it is seen in the
# tensor. So are its parts. The results are PyTorch's.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
from torch import Tensor
from typing import Tuple


def seen_later(x: Tensor) -> Tuple[Tensor, Tensor, Tensor, bool]:
    y = x.conj()
    real, imaginary = y.real, y.imag
    x.add_(1)
    x[0] = 5 + 1j
    return y, real, imaginary, y.is_conj()


def written(x: Tensor) -> Tensor:
    y = x.conj()
    y.mul_(2 + 1j)
    y.imag.add_(10)
    x.mH[0, 1] = 7 + 3j
    x.adjoint().real[1, 0] = -1
    return x


def negated(x: Tensor) -> Tuple[Tensor, Tensor]:
    y = torch._neg_view(x)
    x.add_(1)
    y[0] = 3
    return x, y


def read_often(x: Tensor) -> Tensor:
    y = x.conj()
    return y * x + y.sin() * y


def main() -> None:
    # CHECK: tensor([5.-1.j, 4.+1.j]) tensor([5., 4.]) tensor([-1.,  1.]) True
    y, real, imaginary, lazy = seen_later(torch.tensor([1 + 2j, 3 - 1j]))
    print(y, real, imaginary, lazy)
    # CHECK-NEXT: tensor({{\[\[}} 4.-7.j, -1.-7.j],
    # CHECK-NEXT:         [ 7.-3.j,  4.-7.j]])
    print(written(torch.ones([2, 2], dtype=torch.complex64) * (1 + 2j)))
    # CHECK-NEXT: tensor([-3.,  3.]) tensor([ 3., -3.])
    x, n = negated(torch.tensor([1.0, 2.0]))
    print(x, n)
    # CHECK-NEXT: tensor([4.2466-8.2912j, 0.5886+1.2555j])
    print(read_often(torch.tensor([1 + 2j, 0.5 - 1j])))
