# A conjugate is a view: what is written to the tensor later is seen through it, and what is written to it is seen in the
# tensor. So are its parts. The results are PyTorch's.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
from torch import Tensor
import torch.nn.functional as F
from typing import List, Tuple


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


# Kernels read memory, and get it.
def parts(z: Tensor) -> List[Tensor]:
    part = z.conj().imag
    index = torch.tensor([1, 0])
    rows = F.linear(part, torch.ones([3, 2]), part[0].new_zeros([3]))
    return [part.min(), part.std(), part.amax(1), F.prelu(part, torch.tensor([0.5])), rows, torch.cat([part, z.real], 1),
            torch.stack([part, part])[1], part.sort(1)[0], part.index_select(0, index), part[index], part.median(),
            torch.complex(part, part), torch.where(part > 2, part, -part), F.layer_norm(part, [2]), part.cumsum(0)]


def written_parts(z: Tensor) -> Tensor:
    part = z.conj().imag
    part[torch.tensor([0])] = 9.0
    part.index_add_(0, torch.tensor([1]), torch.ones([1, 2]))
    part.clamp_(max=5.0)
    torch.add(part, 1.0, out=part)
    part.sort(1)
    return z


def gradient(x: Tensor) -> Tensor:
    z = torch.complex(x, x * x)
    g = torch.autograd.grad([(z.conj().imag * z.mT.conj().real).sum() + z.conj().imag.prod()], [x])[0]
    assert g is not None
    return g


def main() -> None:
    z = torch.tensor([[1 + 2j, 3 - 1j], [0.5 - 3j, 2 + 1j]])
    for part in parts(z):
        print(part)
    print(written_parts(z.clone()))
    print(gradient(torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)))
    y, real, imaginary, lazy = seen_later(torch.tensor([1 + 2j, 3 - 1j]))
    print(y, real, imaginary, lazy)
    print(written(torch.ones([2, 2], dtype=torch.complex64) * (1 + 2j)))
    x, n = negated(torch.tensor([1.0, 2.0]))
    print(x, n)
    print(read_often(torch.tensor([1 + 2j, 0.5 - 1j])))


# CHECK:      tensor(-2.)
# CHECK-NEXT: tensor(2.2174)
# CHECK-NEXT: tensor([1., 3.])
# CHECK-NEXT: tensor({{\[\[}}-1.0000,  1.0000],
# CHECK-NEXT:         [ 3.0000, -0.5000]])
# CHECK-NEXT: tensor({{\[\[}}-1., -1., -1.],
# CHECK-NEXT:         [ 2.,  2.,  2.]])
# CHECK-NEXT: tensor({{\[\[}}-2.0000,  1.0000,  1.0000,  3.0000],
# CHECK-NEXT:         [ 3.0000, -1.0000,  0.5000,  2.0000]])
# CHECK-NEXT: tensor({{\[\[}}-2.,  1.],
# CHECK-NEXT:         [ 3., -1.]])
# CHECK-NEXT: tensor({{\[\[}}-2.,  1.],
# CHECK-NEXT:         [-1.,  3.]])
# CHECK-NEXT: tensor({{\[\[}} 3., -1.],
# CHECK-NEXT:         [-2.,  1.]])
# CHECK-NEXT: tensor({{\[\[}} 3., -1.],
# CHECK-NEXT:         [-2.,  1.]])
# CHECK-NEXT: tensor(-1.)
# CHECK-NEXT: tensor({{\[\[}}-2.-2.j,  1.+1.j],
# CHECK-NEXT:         [ 3.+3.j, -1.-1.j]])
# CHECK-NEXT: tensor({{\[\[}} 2., -1.],
# CHECK-NEXT:         [ 3.,  1.]])
# CHECK-NEXT: tensor({{\[\[}}-1.0000,  1.0000],
# CHECK-NEXT:         [ 1.0000, -1.0000]])
# CHECK-NEXT: tensor({{\[\[}}-2.,  1.],
# CHECK-NEXT:         [ 1.,  0.]])
# CHECK-NEXT: tensor({{\[\[}}1.0000-6.j, 3.0000-6.j],
# CHECK-NEXT:         [0.5000-5.j, 2.0000-1.j]])
# CHECK-NEXT: tensor({{\[\[}}1149.,  555.],
# CHECK-NEXT:         [ 368.,  240.]])
# CHECK-NEXT: tensor([5.-1.j, 4.+1.j]) tensor([5., 4.]) tensor([-1.,  1.]) True
# CHECK-NEXT: tensor({{\[\[}} 4.-7.j, -1.-7.j],
# CHECK-NEXT:         [ 7.-3.j,  4.-7.j]])
# CHECK-NEXT: tensor([-3.,  3.]) tensor([ 3., -3.])
# CHECK-NEXT: tensor([4.2466-8.2912j, 0.5886+1.2555j])
