# A list that is the sum of two hands gradients on, in plans as on the tape. So does one that is sorted, in place too; and where a loop
# reads a tensor as a whole and in parts, the gradients are added in the order of the tape.
#
# RUN: tsc-run %s --entry vectors --output %t.vectors.pt && tsc-run %s --entry matrices --seed 0 --output %t.matrices.pt
# RUN: %all_modes tsc-run %s --entry sum_of_lists --inputs %t.vectors.pt | FileCheck %s --check-prefix=SUM
# SUM-COUNT-3: tensor([ 3.,  4., -2.])
# RUN: %all_modes tsc-run %s --entry in_order --inputs %t.vectors.pt | FileCheck %s --check-prefix=ORDER
# ORDER-COUNT-3: tensor([-24.,   2.,   6.])
# RUN: %all_modes tsc-run %s --entry in_place_order --inputs %t.vectors.pt | FileCheck %s --check-prefix=INPLACE
# INPLACE-COUNT-3: tensor([-2.0000,  0.0000,  0.5000])
# RUN: %all_modes tsc-run %s --entry whole_and_rows --inputs %t.matrices.pt | FileCheck %s --check-prefix=DIGITS
# RUN: %all_modes tsc-run %s --entry whole_and_elements --inputs %t.matrices.pt | FileCheck %s --check-prefix=DIGITS
# DIGITS-COUNT-3: {{^}}[{{-?[0-9.]+}}, {{.*}}]
import torch
from typing import List, Optional
from torch import Tensor

# All digits of a gradient.
def digits(gradient: Optional[Tensor]) -> List[float]:
    assert gradient is not None
    numbers: List[float] = gradient.reshape([-1]).tolist()
    return numbers

def sum_of_lists(y: Tensor):
    y = y.detach().requires_grad_()
    parts = [torch.sin(y), y * 3]
    parts = parts + [y * 2]
    last = parts.pop()
    return torch.autograd.grad([(y * y).sum() + last.sum()], [y])[0]

def in_order(y: Tensor):
    y = y.detach().requires_grad_()
    parts = sorted([y[1] * 2, y[0] * 3, y[2] * 4])
    return torch.autograd.grad([parts[0] * parts[1] + parts[2]], [y])[0]

def in_place_order(y: Tensor):
    y = y.detach().requires_grad_()
    parts = y.unbind(0)
    parts.sort()
    return torch.autograd.grad([parts[0] * parts[1]], [y])[0]

def whole_and_rows(x: Tensor):
    x = x.detach().requires_grad_()
    y = x * 1
    for i in range(4):
        y = torch.tanh(y + x[i % x.size(0)] * x)
    return digits(torch.autograd.grad([y.sum()], [x])[0])

def whole_and_elements(x: Tensor):
    x = x.detach().requires_grad_()
    y, rows = x * 1, x.unbind(0)
    for i in range(4):
        y = torch.tanh(y + rows[i % x.size(0)] * x)
    return digits(torch.autograd.grad([y.sum()], [x])[0])

def calls(tensors: List[Tensor]):
    return {"calls": [{"args": (t,)} for t in tensors]}

def vectors():
    return calls([torch.tensor([.5, 1., -2.]) for i in range(3)])

def matrices():
    return calls([torch.randn([3, 3], dtype=torch.double) for i in range(3)])
