# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: %exits 1 tsc-run %s --entry twice 2>&1 | FileCheck %s --check-prefix=TWICE
# RUN: %exits 1 tsc-run %s --entry leaf 2>&1 | FileCheck %s --check-prefix=LEAF
# RUN: %exits 1 tsc-run %s --entry changed 2>&1 | FileCheck %s --check-prefix=CHANGED
# RUN: %exits 1 tsc-run %s --entry unused 2>&1 | FileCheck %s --check-prefix=UNUSED
# RUN: %exits 1 tsc-run %s --entry many 2>&1 | FileCheck %s --check-prefix=MANY
# RUN: %exits 1 tsc-run %s --entry unknown 2>&1 | FileCheck %s --check-prefix=UNKNOWN
# RUN: tsc-run %s --entry chain | FileCheck %s --check-prefix=CHAIN
import torch

def energy(x):
    return (x * x * x).sum()

def orders():
    # CHECK: once
    # CHECK-NOT: once
    print("once")
    x = torch.tensor([1., 2., 3.], requires_grad=True)
    g = torch.autograd.grad([energy(x)], [x], create_graph=True)[0]
    assert g is not None
    # CHECK: tensor([ 3., 12., 27.])
    print(g.detach())
    # CHECK-NEXT: tensor([ 6., 12., 18.])
    print(torch.autograd.grad([g.sum()], [x])[0])

def leaves():
    x = torch.tensor([1., 2.], requires_grad=True)
    (x * 3).sum().backward()
    (x * x).sum().backward()
    # CHECK-NEXT: tensor([5., 7.])
    print(x.grad)
    # CHECK-NEXT: True False
    print(x.is_leaf, (x * 2).is_leaf)

# What is written to a view is seen by what it is a view of, and by its other views.
def writes():
    x = torch.tensor([1., 2., 3.], requires_grad=True)
    y = x * 2
    row = y[1:]
    y.mul_(x)
    row.add_(10.)
    # CHECK-NEXT: tensor([ 4., 8., 12.])
    print(torch.autograd.grad([y.sum()], [x], retain_graph=True)[0])
    # CHECK-NEXT: tensor([ 0., 8., 12.])
    print(torch.autograd.grad([row.sum()], [x])[0])

# Operators that change a tensor's own geometry.
def geometry():
    x = torch.arange(6.).reshape(2, 3).requires_grad_()
    w = torch.arange(6.).reshape(3, 2)
    y = x * 1.
    row = y[0]
    y.t_().unsqueeze_(0).squeeze_().mul_(w)
    # CHECK-NEXT: {{tensor\(\[\[0., 2., 4.\],}}
    # CHECK-NEXT: {{        \[1., 3., 5.\]\]\)}}
    print(torch.autograd.grad([y.sum()], [x], retain_graph=True)[0])
    # CHECK-NEXT: {{tensor\(\[\[0., 2., 4.\],}}
    # CHECK-NEXT: {{        \[0., 0., 0.\]\]\)}}
    print(torch.autograd.grad([row.sum()], [x])[0])
    view = (x * 1.)[:]
    view.transpose_(0, 1)
    # CHECK-NEXT: {{tensor\(\[\[0., 2., 4.\],}}
    # CHECK-NEXT: {{        \[1., 3., 5.\]\]\)}}
    print(torch.autograd.grad([(view * w).sum()], [x])[0])
    y.detach_()
    x.requires_grad_()
    # CHECK-NEXT: False True
    print(y.requires_grad, y.is_leaf)

# Writes that are no part of differentiation.
def apart():
    x = torch.tensor([[0., 1.], [2., 3.], [4., 8.]], requires_grad=True)
    mean, var = torch.zeros(2), torch.ones(2)
    for _ in range(2):
        y = torch.batch_norm(x, None, None, mean, var, True, 0.5, 1e-5, False)
        torch.autograd.grad([y.sum()], [x])
    # CHECK-NEXT: tensor([1.5000, 3.0000]) False
    print(mean, mean.requires_grad)
    y = x * 2
    y.logical_not_()
    # CHECK-NEXT: {{tensor\(\[\[2., 2.\],}}
    # CHECK-NEXT: {{        \[2., 2.\],}}
    # CHECK-NEXT: {{        \[2., 2.\]\]\)}}
    print(torch.autograd.grad([y.sum()], [x])[0])

def flow(x, times: int):
    total = x
    for i in range(times):
        if i % 2 == 0:
            total = total * x
        else:
            with torch.no_grad():
                total + 1
            total = total + x
    return total.sum()

def branches():
    x = torch.tensor([2., 3.], requires_grad=True)
    # CHECK-NEXT: tensor([16., 33.])
    print(torch.autograd.grad([flow(x, 3)], [x])[0])

def main():
    orders()
    leaves()
    writes()
    geometry()
    apart()
    branches()

def twice():
    x = torch.tensor([1.], requires_grad=True)
    y = x.exp()
    y.backward()
    # TWICE: error: RuntimeError: Trying to backward through the graph a second time
    y.backward()

def leaf():
    x = torch.tensor([1.], requires_grad=True)
    # LEAF: error: RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.
    x.add_(1.)
    x.sum().backward()

def changed():
    x = torch.tensor([1.], requires_grad=True)
    y = x * 2
    z = y * y
    y.add_(1.)
    # CHANGED: error: RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [1]] is at version 1; expected version 0 instead.
    z.sum().backward()

def unused():
    x = torch.tensor([1.], requires_grad=True)
    y = torch.tensor([1.], requires_grad=True)
    # UNUSED: error: RuntimeError: One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True
    torch.autograd.grad([x * 2], [y])

def many():
    x = torch.tensor([1., 2.], requires_grad=True)
    # MANY: error: RuntimeError: grad can be implicitly created only for scalar outputs
    (x * 2).backward()

def unknown():
    x = torch.rand(3, 3).requires_grad_()
    # UNKNOWN: error: RuntimeError: derivative for aten::geqrf is not implemented
    torch.geqrf(x)[0].sum().backward()

# Neither backward nor the end of a long chain recurses.
def chain():
    x = torch.tensor([1.], requires_grad=True)
    y = x
    for i in range(300000):
        y = y + x
    # CHAIN: tensor([300001.])
    print(torch.autograd.grad([y], [x])[0])
