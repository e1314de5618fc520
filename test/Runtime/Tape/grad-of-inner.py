# What is assigned to `.grad` of a result is that tensor's alone: nothing that the tape knows of the operator that made it
# changes. It stays when the tensor is written to, and goes into the sum where the tensor is made to retain its gradient,
# or is a leaf later.
#
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch


def leaf():
    return torch.tensor([1., 2.], requires_grad=True)


def results():
    x = leaf()
    y = x * 2
    given = torch.tensor([5., 6.])
    y.grad = given
    # CHECK: tensor([5., 6.]) True False False
    print(y.grad, y.grad is given, y.retains_grad, y.is_leaf)
    (y * y).sum().backward(retain_graph=True)
    # CHECK-NEXT: tensor([5., 6.]) tensor([ 8., 16.])
    print(y.grad, x.grad)
    y.retain_grad()
    (y * y).sum().backward()
    # CHECK-NEXT: tensor([ 9., 14.]) tensor([16., 32.]) tensor([5., 6.])
    print(y.grad, x.grad, given)
    y.grad = None
    # CHECK-NEXT: None
    print(y.grad)


# Results of one operator have a gradient each.
def several():
    x = leaf()
    a, b = (x * 3).split(1)
    a.grad = torch.tensor([7.])
    # CHECK-NEXT: tensor([7.]) None None
    print(a.grad, b.grad, x.grad)
    b.grad = torch.tensor([8.])
    # CHECK-NEXT: tensor([7.]) tensor([8.])
    print(a.grad, b.grad)
    (a * b).sum().backward()
    # CHECK-NEXT: tensor([7.]) tensor([18.,  9.])
    print(a.grad, x.grad)


# Another tensor of the same elements has none.
def others():
    y = leaf() * 2
    y.grad = torch.tensor([9., 9.])
    # CHECK-NEXT: None None None
    print(y.detach().grad, y[0:2].grad, y.clone().grad)


def written():
    x = leaf()
    y = x * 2
    y.grad = torch.tensor([9., 9.])
    y.mul_(3)
    # CHECK-NEXT: tensor([9., 9.]) False
    print(y.grad, y.is_leaf)
    plain = torch.ones([2])
    plain.grad = torch.tensor([3., 3.])
    plain.add_(x)
    (plain * plain).sum().backward()
    # CHECK-NEXT: tensor([3., 3.]) tensor([4., 6.])
    print(plain.grad, x.grad)
    gone = x * 2
    gone.grad = torch.tensor([4., 4.])
    gone.detach_()
    # CHECK-NEXT: tensor([4., 4.]) True
    print(gone.grad, gone.is_leaf)


def leaves():
    plain = torch.ones([2])
    plain.grad = torch.tensor([3., 3.])
    plain.requires_grad_()
    (plain * plain).sum().backward()
    # CHECK-NEXT: tensor([5., 5.])
    print(plain.grad)
    part = torch.ones([4])[0:2]
    part.grad = torch.tensor([4., 4.])
    # CHECK-NEXT: tensor([4., 4.])
    print(part.grad)
    part.requires_grad_()
    (part * part).sum().backward()
    # CHECK-NEXT: tensor([6., 6.])
    print(part.grad)


if __name__ == "__main__":
    results()
    several()
    others()
    written()
    leaves()
