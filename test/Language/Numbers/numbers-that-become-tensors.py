# `number op= tensor` makes a tensor of the variable: no number changes in place.
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s --match-full-lines
import torch


def main() -> None:
    x = torch.ones(2)
    total = 0
    total += x
    total += x
    # CHECK: tensor([2., 2.])
    print(total)
    # CHECK-NEXT: tensor([1., 1.])
    print(x)
    rest = 1.5
    rest -= x
    rest *= 2
    # CHECK-NEXT: tensor([1., 1.])
    print(rest)
    # CHECK-NEXT: cpu cpu:0
    print(torch.device(type="cpu"), torch.device(type="cpu", index=0))
