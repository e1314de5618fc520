# torch.set_grad_enabled as a statement and in `with`; factories that ask for gradients; lists of weights as literals.
#
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: %exits 1 tsc-run %s --entry integers 2>&1 | FileCheck %s --check-prefix=INTEGERS
# RUN: %exits 2 tsc-run %s --entry unknown 2>&1 | FileCheck %s --check-prefix=UNKNOWN
# INTEGERS: can require gradients
# UNKNOWN: 'relu' has no argument 'requires_grad'
from typing import List, Optional
import torch

def modes(x, flag: bool):
    with torch.set_grad_enabled(flag):
        inside = (x * 2).requires_grad
        with torch.set_grad_enabled(not flag):
            nested = (x * 2).requires_grad
            with torch.set_grad_enabled(True):
                deepest = torch.is_grad_enabled()
            restored = torch.is_grad_enabled()
        after = (x * 2).requires_grad
    print(inside, nested, deepest, restored, after, torch.is_grad_enabled())

def leaves(x):
    with torch.set_grad_enabled(False) as nothing, torch.enable_grad():
        return (x * 2).requires_grad

def raises(x):
    try:
        with torch.set_grad_enabled(False):
            raise ValueError("left")
    except ValueError as error:
        print(error, torch.is_grad_enabled())

def statement(x):
    torch.set_grad_enabled(False)
    with torch.set_grad_enabled(True):
        print((x * 2).requires_grad)
    print((x * 2).requires_grad)
    torch.set_grad_enabled(True)
    print((x * 2).requires_grad)

def factories(flag: bool):
    x = torch.ones(2, requires_grad=True)
    (x * torch.full([2], 3.)).sum().backward()
    print(x.grad, x.is_leaf, x.requires_grad)
    print(torch.zeros([2], dtype=torch.double, requires_grad=flag).requires_grad,
          torch.rand(2, 3, requires_grad=True).requires_grad, torch.arange(3, requires_grad=False).requires_grad,
          torch.ones_like(x, requires_grad=True).is_leaf, x.new_zeros([2], requires_grad=flag).requires_grad)
    with torch.no_grad():
        print(torch.empty(2, requires_grad=True).requires_grad)

def weigh(weights: List[Optional[torch.Tensor]]):
    return len(weights)

def literals():
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    print(torch.autograd.grad([y], [x], grad_outputs=[torch.tensor([1., 5.])])[0])
    print(torch.autograd.grad([x * 3, x.sum()], [x], grad_outputs=[torch.tensor([1., 5.]), None])[0])
    torch.autograd.backward([x * 4], [torch.ones(2)])
    print(x.grad, weigh([x]))

def main():
    x = torch.ones(2, requires_grad=True)
    # CHECK: False True True True False True
    modes(x, False)
    # CHECK-NEXT: True False True False True True
    modes(x, True)
    # CHECK-NEXT: True True
    print(leaves(x), torch.is_grad_enabled())
    # CHECK-NEXT: left True
    raises(x)
    # CHECK-NEXT: True
    # CHECK-NEXT: False
    # CHECK-NEXT: True
    statement(x)
    # CHECK-NEXT: tensor([3., 3.]) True True
    # CHECK-NEXT: True True False True True
    # CHECK-NEXT: True
    factories(True)
    # CHECK-NEXT: tensor([ 2., 10.])
    # CHECK-NEXT: tensor([ 4., 16.])
    # CHECK-NEXT: tensor([4., 4.]) 1
    literals()

def integers():
    print(torch.arange(3, requires_grad=True))

def unknown():
    print(torch.relu(torch.ones(2), requires_grad=True))
