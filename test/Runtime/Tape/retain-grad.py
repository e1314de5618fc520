# Gradients of results that are no leaves. A result that is written to retains the gradient of what it has become.
#
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: %exits 1 tsc-run %s --entry plain 2>&1 | FileCheck %s --check-prefix=PLAIN
# RUN: %exits 1 tsc-run %s --entry without 2>&1 | FileCheck %s --check-prefix=PLAIN
# PLAIN: can't retain_grad on Tensor that has requires_grad=False
import torch

def leaf():
    return torch.tensor([1., 2.], requires_grad=True)

def sums():
    x = leaf()
    y = x * 2
    same = x * 2
    # CHECK: False
    print(y.retains_grad)
    y.retain_grad()
    x.retain_grad()
    # CHECK-NEXT: True False False
    print(y.retains_grad, x.retains_grad, same.retains_grad)
    z = (y * y).sum() + same.sum()
    z.backward(retain_graph=True)
    # CHECK-NEXT: tensor([2., 4.])
    print(y.grad / 2)
    z.backward()
    # CHECK-NEXT: tensor([4., 8.]) tensor([20., 36.])
    print(y.grad / 2, x.grad / 1)
    y.grad = None
    # CHECK-NEXT: True
    print(y.retains_grad)

# A call of grad adds to what is retained too.
def asked():
    x = leaf()
    y = x * 2
    y.retain_grad()
    z = (y * y).sum()
    # CHECK-NEXT: tensor([ 8., 16.])
    print(torch.autograd.grad([z], [x], retain_graph=True)[0])
    torch.autograd.grad([z], [y], retain_graph=True)
    z.backward()
    # CHECK-NEXT: tensor([12., 24.])
    print(y.grad)

def writes():
    x = leaf()
    y = x * 2
    y.retain_grad()
    y.mul_(3)
    (y * y).sum().backward()
    # CHECK-NEXT: tensor([12., 24.])
    print(y.grad)
    y = x * 2
    y.retain_grad()
    y[0] = 5.
    (y * y).sum().backward()
    # CHECK-NEXT: tensor([10., 8.])
    print(y.grad)
    y = x * 2
    part = y[0:1]
    part.retain_grad()
    y.mul_(3)
    (part * part).sum().backward()
    # CHECK-NEXT: True tensor([12.])
    print(part.retains_grad, part.grad)

def several():
    x = leaf()
    a, b = (x * 3).split(1)
    b.retain_grad()
    (a * b).sum().backward()
    # CHECK-NEXT: tensor([3.])
    print(b.grad)
    y = (x * 2).sum()
    y.retain_grad()
    y.backward()
    # CHECK-NEXT: tensor(1.)
    print(y.grad)

# What is written to a retained gradient changes no other.
def own():
    x = leaf()
    y = x * 1
    y.retain_grad()
    y.sum().backward()
    y.grad.mul_(7)
    # CHECK-NEXT: tensor([7., 7.]) tensor([1., 1.])
    print(y.grad, x.grad)

def steps():
    x = leaf()
    for i in range(3):
        y = x * float(i)
        y.retain_grad()
        (y * y).sum().backward()
        # CHECK-NEXT: tensor([0., 0.])
        # CHECK-NEXT: tensor([2., 4.])
        # CHECK-NEXT: tensor([4., 8.])
        print(y.grad)

# The gradient can be differentiated in turn.
def again():
    x = leaf()
    y = x * x
    y.retain_grad()
    (y * y).sum().backward(create_graph=True)
    # CHECK-NEXT: tensor([4., 8.])
    print(torch.autograd.grad([y.grad.sum()], [x])[0])

def main():
    sums()
    asked()
    writes()
    several()
    own()
    steps()
    again()

def plain():
    y = torch.ones(2) * 2
    y.retain_grad()

def without():
    x = leaf()
    with torch.no_grad():
        y = x * 2
    y.retain_grad()
