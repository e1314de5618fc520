# PyTorch issue 36031: TorchScript left out an in-place operation on a field of a named tuple.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import NamedTuple


class Outputs(NamedTuple):
    val: torch.Tensor


def of_new(x, y):
    out = Outputs(val=x + y)
    out.val.add_(x)
    return out


def of_given(x):
    out = Outputs(val=x)
    out.val.mul_(2)
    return out.val + x


def main() -> None:
    for i in range(10):
        x = torch.tensor([1.0])
        print(of_new(x, torch.tensor([3.0])).val, of_given(x), x)


# What Python prints:
# CHECK: tensor([5.]) tensor([4.]) tensor([2.])
# CHECK-NEXT: tensor([5.]) tensor([4.]) tensor([2.])
# CHECK-NEXT: tensor([5.]) tensor([4.]) tensor([2.])
# CHECK-NEXT: tensor([5.]) tensor([4.]) tensor([2.])
# CHECK-NEXT: tensor([5.]) tensor([4.]) tensor([2.])
# CHECK-NEXT: tensor([5.]) tensor([4.]) tensor([2.])
# CHECK-NEXT: tensor([5.]) tensor([4.]) tensor([2.])
# CHECK-NEXT: tensor([5.]) tensor([4.]) tensor([2.])
# CHECK-NEXT: tensor([5.]) tensor([4.]) tensor([2.])
# CHECK-NEXT: tensor([5.]) tensor([4.]) tensor([2.])
