# What was overwritten is told by the shape that the formula reads, also where operators in a row are one node of the tape
# and it is a view of what the node keeps.
# DEFINE: %{entry} =
# DEFINE: %{shape} =
# DEFINE: %{check} = %all_modes --status 1 tsc-run --entry %{entry} --args 'torch.rand([6]).requires_grad_()' %s | \
# DEFINE:   FileCheck %s -DSHAPE=%{shape}
# CHECK: start
# CHECK: RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [[SHAPE]]] is at version 1; expected version 0 instead.
#
# REDEFINE: %{entry} = view
# REDEFINE: %{shape} = "[2, 3]"
# RUN: %{check}
# REDEFINE: %{entry} = transposed
# REDEFINE: %{shape} = "[3, 2]"
# RUN: %{check}
# REDEFINE: %{entry} = part
# REDEFINE: %{shape} = "[3]"
# RUN: %{check}
# REDEFINE: %{entry} = whole
# REDEFINE: %{shape} = "[6]"
# RUN: %{check}
# REDEFINE: %{entry} = given
# REDEFINE: %{shape} = "[2, 3]"
# RUN: %{check}
# REDEFINE: %{entry} = several
# REDEFINE: %{shape} = "[1, 6]"
# RUN: %{check}
import torch
from torch import Tensor


def view(x: Tensor) -> Tensor:
    y = x * 2
    v = y.view(2, 3)
    z = (v * v).sum()
    print("start")
    y.add_(1)
    z.backward()
    return y


def transposed(x: Tensor) -> Tensor:
    y = x.exp().view(2, 3)
    v = y.t()
    z = (v.sin() * v).sum()
    print("start")
    y.mul_(2)
    z.backward()
    return y


def part(x: Tensor) -> Tensor:
    y = x * 3
    v = y[1:4]
    z = (v.sin() * 2).sum()
    print("start")
    y[0] = 1.
    z.backward()
    return y


def whole(x: Tensor) -> Tensor:
    y = x * 3
    z = (y.sin() * 2).sum()
    print("start")
    y.add_(1)
    z.backward()
    return y


def given(x: Tensor) -> Tensor:
    w = torch.ones(6)
    z = (x.view(2, 3) * w.view(2, 3)).sum()
    print("start")
    w.add_(1)
    z.backward()
    return w


def several(x: Tensor) -> Tensor:
    y = x * 3
    z = (y.view(3, 2).sin() * y.view(2, 3).t()).sum() + y.unsqueeze(0).cos().sum()
    print("start")
    y.add_(1)
    z.backward()
    return y
