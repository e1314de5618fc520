# Writes through views of tensors that the program makes are followed in the graph: each puts what it wrote back in its
# place, and who looks at a view later sees it. The gradients are the tape's, and those of a program without writes.
#
# RUN: tsc-run %s --entry filled --args 'torch.ones([6, 8], requires_grad=True)' --pass-remarks 'differentiate-calls' 2>&1 | FileCheck %s --check-prefix=GRAPH
# RUN: tsc-run %s --entry branches --args 'torch.ones([6, 8], requires_grad=True), True' --pass-remarks 'differentiate-calls' 2>&1 | FileCheck %s --check-prefix=GRAPH
# RUN: tsc-run %s --entry kept --args 'torch.ones([6, 8], requires_grad=True)' --pass-remarks-missed 'differentiate-calls' 2>&1 | FileCheck %s --check-prefix=TAPE
# RUN: tsc-run -O0 %s --entry filled --args 'torch.arange(48.0).view([6, 8]).requires_grad_()' > %t.plain
# RUN: tsc-run %s --entry filled --args 'torch.arange(48.0).view([6, 8]).requires_grad_()' --pass-remarks 'differentiate-calls' 2> %t.remarks | diff %t.plain -
# RUN: FileCheck %s --check-prefix=GRAPH --input-file %t.remarks
# RUN: tsc-run -O0 %s --entry read_before_and_after --args 'torch.arange(48.0).view([6, 8]).requires_grad_()' > %t.plain
# RUN: tsc-run %s --entry read_before_and_after --args 'torch.arange(48.0).view([6, 8]).requires_grad_()' --pass-remarks 'differentiate-calls' 2> %t.remarks | diff %t.plain -
# RUN: FileCheck %s --check-prefix=GRAPH --input-file %t.remarks
# RUN: tsc-run -O0 %s --entry views_of_views --args 'torch.arange(48.0).view([6, 8]).requires_grad_()' > %t.plain
# RUN: tsc-run %s --entry views_of_views --args 'torch.arange(48.0).view([6, 8]).requires_grad_()' --pass-remarks 'differentiate-calls' 2> %t.remarks | diff %t.plain -
# RUN: FileCheck %s --check-prefix=GRAPH --input-file %t.remarks
# RUN: tsc-run -O0 %s --entry diagonals --args 'torch.arange(48.0).view([6, 8]).requires_grad_()' > %t.plain
# RUN: tsc-run %s --entry diagonals --args 'torch.arange(48.0).view([6, 8]).requires_grad_()' --pass-remarks 'differentiate-calls' 2> %t.remarks | diff %t.plain -
# RUN: FileCheck %s --check-prefix=GRAPH --input-file %t.remarks
# RUN: not tsc-run %s --entry captured --args 'torch.ones([6, 8], requires_grad=True)' 2>&1 | FileCheck %s --check-prefix=CAPTURED
# RUN: not tsc-run -O0 %s --entry captured --args 'torch.ones([6, 8], requires_grad=True)' 2>&1 | FileCheck %s --check-prefix=CAPTURED
# CAPTURED: modified by an inplace operation
# RUN: %all_modes tsc-run %s | FileCheck %s
# GRAPH: 'aten::grad' computed in the graph
# TAPE: a tape computes these gradients: a tensor is written in place
import torch
from torch import Tensor
from typing import List


def gradient(e: Tensor, x: Tensor) -> Tensor:
    g = torch.autograd.grad([e.sum()], [x])[0]
    assert g is not None
    return g


def filled(x: Tensor) -> Tensor:
    y = x * 2
    z = y.new_zeros([6, 8])
    torch.narrow(z, -1, 0, 4).copy_(torch.narrow(y, -1, 4, 4))
    z[:, 4:] = y[:, :4] * y[:, :4]
    z[0] = 3.0
    return gradient(z * z, x)


def read_before_and_after(x: Tensor) -> Tensor:
    z = torch.zeros_like(x)
    row = z[1]
    before = row * 1
    z[1] = x[1] * x[2]
    after = row * 10
    row.mul_(x[0])
    return gradient(before + after * row + z[1], x)


def views_of_views(x: Tensor) -> Tensor:
    z = x.new_zeros([8, 6])
    z.t()[2:4].select(1, 3).unsqueeze(0)[0, 1] = (x * x).sum()
    z.transpose(0, 1)[0, ::2].add_(x[0, ::2])
    z[1:3, 0].fill_(0.0)
    return gradient(z * torch.arange(48).view(8, 6), x)


def diagonals(x: Tensor) -> Tensor:
    z = torch.zeros_like(x)
    z.diagonal().copy_(x[:, 1] * x[:, 2])
    z[2:].diagonal(1).mul_(x[0, :4]).add_(x[:4, 3] * 2)
    return gradient(z * z, x)


def branches(x: Tensor, c: bool) -> Tensor:
    z = torch.ones_like(x)
    first = z[0]
    if c:
        first.mul_(x[1])
        second = first * 2
    else:
        z[:, 1] = x[:, 2]
        second = z[:, 1].sum() + first
    return gradient(first * second + z[0] * z[5], x)


# Whether a tensor has a history, the tape knows.
def asked(x: Tensor) -> Tensor:
    y = torch.zeros_like(x)
    y[0] = x[0] * 2
    print(x.is_leaf, y.is_leaf, (x * 2).is_leaf)
    return gradient(y, x)


# The tensor is in a list when it is written.
def kept(x: Tensor) -> Tensor:
    z = torch.zeros_like(x)
    all: List[Tensor] = [z]
    z[0] = x[0] * x[0]
    return gradient(all[0] * 3, x)


# The product reads its operands again, one of which is written through another view by then.
def captured(x: Tensor) -> Tensor:
    z = torch.zeros_like(x)
    z[0] = x[0]
    y = z[:, 1:] * z[:, 1:]
    z[:, 2].fill_(1.0)
    return gradient(y, x)


def main() -> None:
    x = (torch.arange(48) % 7 - 2).float().view(6, 8).requires_grad_()
    # CHECK: tensor(20376.) tensor(39326.5000)
    g = filled(x)
    print(g.sum(), (g * torch.arange(48).view(6, 8)).sum() / 16)
    # CHECK-NEXT: True False False
    asked(x)
    # CHECK-NEXT: tensor(5070.) tensor(33940.)
    # CHECK-NEXT: tensor(1950.) tensor(49872.)
    # CHECK-NEXT: tensor(32.) tensor(368.)
    # CHECK-NEXT: tensor(48.) tensor(936.)
    # CHECK-NEXT: tensor(30.) tensor(210.)
    for g in read_before_and_after(x), views_of_views(x), branches(x, True), branches(x, False), kept(x):
        print(g.sum(), (g * torch.arange(48).view(6, 8)).sum())
