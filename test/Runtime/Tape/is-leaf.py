# Leaves, and who requires a gradient: a write to one view makes its base and all other views of it results. Programs that
# ask for no gradient say the same.
# RUN: %all_modes tsc-run --entry views %s | FileCheck %s
# RUN: %all_modes tsc-run --entry flags %s | FileCheck %s --check-prefix=FLAGS
# RUN: tsc-translate %s --entry views -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch


def leaf() -> torch.Tensor:
    return torch.ones(3, requires_grad=True)


def views() -> None:
    x = leaf()
    base = torch.zeros(4)
    view = base[1:]
    # CHECK: True True False
    print(view.is_leaf, base.is_leaf, view.requires_grad)
    view.mul_(x)
    # CHECK-NEXT: view: False False True True
    print("view:", view.is_leaf, base.is_leaf, view.requires_grad, base.requires_grad)
    base = torch.zeros(4)
    view, other = base[1:], base[:2]
    base.mul_(x.sum())
    # CHECK-NEXT: base: False False True False True
    print("base:", view.is_leaf, base.is_leaf, view.requires_grad, other.is_leaf, other.requires_grad)
    base = torch.zeros(4)
    view = base[1:]
    base.add_(1)
    # CHECK-NEXT: without gradients: True True False
    print("without gradients:", view.is_leaf, base.is_leaf, view.requires_grad)
    base = torch.zeros(4)
    square = base.view(2, 2)
    row = square[0]
    row.copy_(x[:2])
    # CHECK-NEXT: view of a view: False False False True True
    print("view of a view:", row.is_leaf, square.is_leaf, base.is_leaf, row.requires_grad, square.requires_grad)
    y = x * 2
    d = y.detach()
    # CHECK-NEXT: detached: True False True False
    print("detached:", d.is_leaf, y.is_leaf, d[1:].is_leaf, y[1:].is_leaf)
    y.mul_(2)
    # CHECK-NEXT: detached before a write: False True
    print("detached before a write:", d.requires_grad, d.is_leaf)
    base = torch.zeros(3)
    view = base[1:]
    with torch.no_grad():
        view.mul_(x[1:])
    # CHECK-NEXT: no_grad: True True False
    print("no_grad:", view.is_leaf, base.is_leaf, view.requires_grad)
    t = torch.zeros(3).requires_grad_()
    # CHECK-NEXT: True False False
    print(t.is_leaf, t[1:].is_leaf, t.clone().is_leaf)
    base = torch.zeros(4)
    view = base[1:]
    view += x
    base[:1] = 5
    # CHECK-NEXT: augmented: False False True
    print("augmented:", view.is_leaf, base.is_leaf, view.requires_grad)


# Nobody asks for leaves here.
def flags() -> None:
    x = leaf()
    base = torch.zeros(4)
    view, other = base[1:], base[:2]
    view.mul_(x)
    # FLAGS: True True True
    print(base.requires_grad, view.requires_grad, other.requires_grad)
    base = torch.zeros(2, requires_grad=False)
    base[:1] = x[:1]
    # FLAGS-NEXT: True True
    print(base.requires_grad, base[1:].requires_grad)
