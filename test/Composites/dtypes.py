# Recorded by utils/record_composite_tests.py with PyTorch's values; do not edit, edit dtypes.cases.
#
# RUN: %all_modes tsc-run %s | FileCheck %s
# CHECK-NOT: differs
# CHECK: 16 cases
import torch
from typing import List, Optional
from checks import check
from torch import Tensor


def part0() -> None:
    a = torch.arange(9, dtype=torch.int8).reshape([3, 3]) * 10
    v = torch.arange(3, dtype=torch.int8)
    one = torch.ones([3, 1], dtype=torch.int8)
    f = torch.tensor([1.0, 2.0, 4.0])
    q = torch.quantize_per_tensor(torch.tensor([0.5, -1.0, 3.0]), 0.1, 3, torch.quint8)
    many = torch.quantize_per_tensor(torch.arange(4096.) * 0.01 - 20, 0.1, 100, torch.quint8)
    check("einsum", torch.einsum("ij->i", a), [3], 360., 7.44544, 243.721)
    check("einsum", torch.einsum("ij->ji", a), [3, 3], 360., 20.3095, 142.829)
    check("einsum", torch.einsum("ii", a), [], 120., 120., 120.)
    check("einsum", torch.einsum("ij,k->k", a, v), [3], 1080., -105.117, 804.984)
    check("einsum", torch.einsum("ij,kl->il", a, a), [3, 3], 129600., 20336.3, 51701.1)
    check("einsum", torch.einsum("ij,ij->i", a, one), [3], 360., 7.44544, 243.721)
    check("einsum", torch.einsum("ij,jk->ik", a, a), [3, 3], 216., -182.601, 169.706)
    check("einsum", torch.einsum("ij,jk->", a, a), [], 48600., 48600., 48600.)
    check("einsum", torch.einsum("i,j->ij", f, v), [3, 3], 21., 1.38698, 10.247)
    check("einsum", torch.einsum("i->", v > 0), [], 2., 2., 2.)
    check("gradient", torch.ops.aten.gradient(f, spacing=[torch.tensor([0.0, 1.0, 3.0], dtype=torch.double)])[0], [3], 3., 1.12416, 1.73205)
    check("gradient", torch.ops.aten.gradient(v, spacing=[torch.tensor([0, 1, 3])])[0], [3], 2.33333, 1.24218, 1.39443)
    check("view_as_real", torch.view_as_real(torch.ops.aten.gradient(f, spacing=2 + 1j)[0]), [3, 2], 0.9, -0.297131, 1.20416)
    check("view_as_real", torch.view_as_real(torch.ops.aten.gradient(f.to(torch.double), spacing=1j)[0]), [3, 2], -4.5, 0.377362, 2.69258)
    check("hardsigmoid", torch.nn.functional.hardsigmoid(q.clone(), inplace=True).dequantize(), [3], 2.02734, 0.410224, 1.23805)
    check("hardsigmoid", torch.nn.functional.hardsigmoid(many.clone(), inplace=True).dequantize()[1700:2400:64], [11], 5.79688, -1.14514, 2.05966)


def main():
    part0()
    print(16, "cases")
