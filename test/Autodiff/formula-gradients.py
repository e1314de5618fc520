# RUN: %all_modes tsc-run %s | FileCheck %s

# Gradients of operators whose operands are hardly made by chance, with PyTorch's numbers.
import torch
from typing import List, Optional


def gradients(out: torch.Tensor, inputs: List[torch.Tensor]):
    weights = torch.cos(torch.arange(out.numel(), dtype=out.dtype)).reshape(out.size())
    given = torch.jit.annotate(List[Optional[torch.Tensor]], [weights])
    for g in torch.autograd.grad([out], inputs, given):
        if g is not None:
            print(g)


def numbers(sizes: List[int], step: float):
    count = 1
    for size in sizes:
        count *= size
    return torch.sin(torch.arange(count, dtype=torch.float64) * step).reshape(sizes).requires_grad_()


def ctc():
    """Of what log_softmax gives; the third sequence is too short for its targets."""
    x = numbers([4, 3, 3], 1.7)
    targets = torch.tensor([[1, 2], [2, 2], [1, 1]])
    out = torch.ctc_loss(torch.log_softmax(x, 2), targets, [4, 3, 2], [2, 1, 2], 0, 0, True)
    gradients(out, [x])
    lengths = torch.tensor([4, 4, 4])
    out = torch.ctc_loss(torch.log_softmax(x, 2), torch.tensor([1, 2, 2, 2]), lengths, torch.tensor([2, 1, 1]), 0, 1)
    gradients(out, [x])


def bags():
    weight, factors = numbers([4, 2], 1.3), numbers([5], 0.9)
    rows, starts = torch.tensor([1, 3, 3, 0, 1]), torch.tensor([0, 2, 2])
    gradients(torch.embedding_bag(weight, rows, starts, False, 0, False, factors, False, 3)[0], [weight, factors])
    gradients(torch.embedding_bag(weight, rows, starts, False, 1, False, None, False, -4)[0], [weight])
    gradients(torch.embedding_bag(weight, rows, starts, False, 2)[0], [weight])


def three_factors():
    a, b, c = numbers([2, 3], 1.1), numbers([2, 2], 0.7), numbers([3, 2], 1.9)
    gradients(torch._trilinear(a, b, c, [2], [1], [0], [1]), [a, b, c])


def main():
    # CHECK-LABEL: ctc
    print("ctc")
    # CHECK: tensor({{\[\[\[}} 0.1413, -0.3146,  0.1733],
    # CHECK: [-0.1658,  0.2080, -0.0422],
    # CHECK: [ 0.0000,  0.0000,  0.0000]],
    # CHECK: {{\[\[}} 0.0538, -0.0513, -0.0025],
    # CHECK: [ 0.0245,  0.1214, -0.1459],
    # CHECK: [ 0.0000,  0.0000,  0.0000]],
    # CHECK: {{\[\[}} 0.0240,  0.4388, -0.4628],
    # CHECK: [-0.1259,  0.1052,  0.0207],
    # CHECK: [ 0.0000,  0.0000,  0.0000]],
    # CHECK: {{\[\[}}-0.0854,  0.1741, -0.0886],
    # CHECK: [ 0.0000,  0.0000,  0.0000],
    # CHECK: [ 0.0000,  0.0000,  0.0000]]], dtype=torch.float64)
    # CHECK: tensor({{\[\[\[}} 0.0236, -0.0524,  0.0289],
    # CHECK: [-0.1124,  0.1283, -0.0159],
    # CHECK: [-0.0684,  0.0529,  0.0155]],
    # CHECK: {{\[\[}} 0.0090, -0.0085, -0.0004],
    # CHECK: [ 0.0188,  0.0749, -0.0936],
    # CHECK: [-0.0595,  0.1826, -0.1231]],
    # CHECK: {{\[\[}} 0.0040,  0.0731, -0.0771],
    # CHECK: [-0.0656,  0.0649,  0.0007],
    # CHECK: [-0.0174,  0.0464, -0.0290]],
    # CHECK: {{\[\[}}-0.0142,  0.0290, -0.0148],
    # CHECK: [-0.1364,  0.1484, -0.0119],
    # CHECK: [-0.1330,  0.1940, -0.0610]]], dtype=torch.float64)
    ctc()
    # CHECK-LABEL: bags
    print("bags")
    # CHECK: tensor({{\[\[}}-0.2794,  0.1212],
    # CHECK: [ 0.2893, -0.1255],
    # CHECK: [ 0.0000,  0.0000],
    # CHECK: [ 0.0000,  0.0000]], dtype=torch.float64)
    # CHECK: tensor([ 0.1439,  0.0000,  0.0000,  0.2733, -0.5320], dtype=torch.float64)
    # CHECK: tensor({{\[\[}}0.0000, 0.0000],
    # CHECK: [0.1732, 0.4120],
    # CHECK: [0.0000, 0.0000],
    # CHECK: [0.1732, 0.4120]], dtype=torch.float64)
    # CHECK: tensor({{\[\[}}0.0000, 0.2837],
    # CHECK: [0.0000, 0.0000],
    # CHECK: [0.0000, 0.0000],
    # CHECK: [0.3464, 0.5403]], dtype=torch.float64)
    bags()
    # CHECK-LABEL: three factors
    print("three factors")
    # CHECK: tensor({{\[\[}} 0.3294, -0.1917, -0.0262],
    # CHECK: [-0.8087,  0.7215, -0.3327]], dtype=torch.float64)
    # CHECK: tensor({{\[\[}} 0.2373, -0.2980],
    # CHECK: [ 0.0419, -0.4235]], dtype=torch.float64)
    # CHECK: tensor({{\[\[}}0.0647, 0.1348],
    # CHECK: [0.3902, 1.1234],
    # CHECK: [0.2893, 0.8843]], dtype=torch.float64)
    three_factors()
