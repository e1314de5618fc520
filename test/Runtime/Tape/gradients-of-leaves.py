# The gradient of a leaf is the leaf's own: it shares memory with nothing, has the leaf's layout, and grows in place. It goes
# with its tensor, also where it can be differentiated and so depends on it.
# RUN: tsc-run -O0 --max-memory 20M %s | FileCheck %s
# RUN: tsc-run -O2 --compile eager --max-memory 20M %s | FileCheck %s
import torch
from typing import List


def shared() -> None:
    x, y = torch.ones([2], requires_grad=True), torch.ones([2], requires_grad=True)
    (x + y).sum().backward()
    assert x.grad is not None
    x.grad.mul_(2)
    print(x.grad, y.grad, x.grad.stride())  # CHECK: tensor([2., 2.]) tensor([1., 1.]) (1,)
    e = torch.ones([2], requires_grad=True)
    e.backward(e)
    assert e.grad is not None
    e.grad.zero_()
    print(e, e.grad, e.grad.requires_grad)  # CHECK-NEXT: tensor([1., 1.], requires_grad=True) tensor([0., 0.]) False
    given = torch.ones([2])
    e.grad = None
    e.backward(given)
    assert e.grad is not None
    e.grad.mul_(3)
    print(given)  # CHECK-NEXT: tensor([1., 1.])


def in_place() -> None:
    w = torch.ones([2, 3], requires_grad=True)
    w.sum().backward()
    g = w.grad
    assert g is not None
    print(g.stride())  # CHECK-NEXT: (3, 1)
    (w * w).sum().backward()
    print(g.sum(), w.grad is g)  # CHECK-NEXT: tensor(18.) True
    f = torch.ones([2], requires_grad=True)
    (f * f).sum().backward(create_graph=True)
    first = f.grad
    assert first is not None
    print(first.requires_grad)  # CHECK-NEXT: True
    (f * f * f).sum().backward(create_graph=True)
    print(first, f.grad is first)  # CHECK-NEXT: tensor([2., 2.], grad_fn=<CopyBackwards>) False


def layouts() -> None:
    a = torch.ones([3, 2]).t().requires_grad_()
    (a * torch.ones([3])).sum().backward()
    print(a.grad.stride())  # CHECK-NEXT: (1, 2)
    h = torch.ones([1, 3, 2, 2]).contiguous(memory_format=torch.channels_last).requires_grad_()
    (h * torch.arange(12.).view(1, 3, 2, 2)).sum().backward()
    print(h.grad.stride(), h.grad.flatten())  # CHECK-NEXT: (12, 1, 6, 3) tensor([ 0.,  1.,  2.,


def forgotten() -> None:
    # Two hundred times what the limit of memory allows in all.
    for i in range(200):
        x = torch.ones([100000], requires_grad=True)
        (x * x).sum().backward(create_graph=True)
        y = torch.ones([100000], requires_grad=True)
        y.backward(y)
        z = torch.ones([100000], requires_grad=True)
        s = z.exp().sum()
        s.backward(create_graph=True)
    print("forgotten")  # CHECK: forgotten


def main() -> None:
    shared()
    in_place()
    layouts()
    forgotten()
