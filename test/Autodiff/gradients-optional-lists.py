# What is known not to be None in a composite that is taken apart for its gradient has the type of the rest.
#
# RUN: tsc-run %s --entry calls --output %t.pt
# RUN: %all_modes tsc-run %s --entry slopes --inputs %t.pt | FileCheck %s
# CHECK-COUNT-3: tensor([6., 4., 6.])
import torch
from torch import Tensor
from typing import List, Optional


def slopes(x: Tensor, sizes: Optional[List[float]]):
    x = x.detach().requires_grad_()
    y = torch._test_optional_floatlist(x, sizes)
    gradient = torch.autograd.grad([(y * y).sum()], [x])[0]
    assert gradient is not None
    return gradient


def calls():
    return {"calls": [{"args": (torch.tensor([1., 2., 3.]), [2., 0., 0.])} for call in range(3)]}
