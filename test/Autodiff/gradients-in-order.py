# Gradients that a plan computes have the bits of those that a tape computes: parts of a tensor that one loop reads are added
# before what another loop reads of the whole, as the tape adds them; a formula with one form to be differentiated again and
# one that is not takes the second where nobody asks for more.
# RUN: %all_modes tsc-run --seed 1 --entry order --args 'torch.randn([3, 4]).double(), torch.randn([4]).double()' %s
# RUN: %all_modes tsc-run --seed 1 --entry form --args 'torch.randn([3, 4]).double(), torch.randn([4]).double()' %s
import torch
from typing import List
from torch import Tensor

def parts_then_whole(x: Tensor, y: Tensor) -> Tensor:
    a = x * 1
    for i in range(2):
        if i % 2 == 0:
            a = torch.atan2(a, x * x + 1)
        a = torch.tanh(torch.tanh(a) * 1.1 + x)
    b = torch.zeros([x.size(1)], dtype=x.dtype)
    for row in x.unbind(0):
        b = torch.tanh(b * 0.5 + row * y)
    return a.sum() + a.flip([1]).sum() + b.sum()

def running(x: Tensor, y: Tensor) -> Tensor:
    z = x ** 2
    return z.sum() + (torch.logcumsumexp(z, 1) * 0.3).sum() + y.sum()

def numbers(grads: List[Tensor]) -> List[List[float]]:
    found: List[List[float]] = []
    for g in grads:
        row: List[float] = g.reshape([-1]).tolist()
        found.append(row)
    return found

def order(x: Tensor, y: Tensor):
    x, y = x.detach().requires_grad_(), y.detach().requires_grad_()
    a, b = torch.autograd.grad([parts_then_whole(x, y)], [x, y])
    assert a is not None and b is not None
    return numbers([a, b])

def form(x: Tensor, y: Tensor):
    x, y = x.detach().requires_grad_(), y.detach().requires_grad_()
    a, b = torch.autograd.grad([running(x, y)], [x, y])
    assert a is not None and b is not None
    return numbers([a, b])
