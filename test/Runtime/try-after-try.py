# RUN: %all_modes tsc-run %s | FileCheck %s
#
# What is tried runs where its failure is asked for, and that may be any fork that was made before: of two tries, the
# first was taken to read what the second one does, and to lay out a group of operators before each did not end.
import torch
from torch import Tensor


def tried(x: Tensor, y: Tensor):
    a = torch.sigmoid(x * y)
    b = (a + y) * 2 - x
    try:
        b.sum().backward()
    except Exception as e:
        print("refused:", str(e)[:13])
    c = torch.sigmoid(x + y)
    d = (c + y) * 3 - x
    try:
        print(d.sum())
        d.sum().backward()
    except Exception as e:
        print("refused:", str(e)[:13])


def main():
    for _ in range(3):
        # CHECK:      refused: element 0 of
        # CHECK-NEXT: tensor(3.7495)
        # CHECK-NEXT: refused: element 0 of
        tried(torch.zeros([2]), torch.tensor([0., 0.2]))
        x = torch.zeros([2]).requires_grad_()
        # CHECK-NEXT: tensor(3., grad_fn=<SumBackward0>)
        tried(x, torch.zeros([2]))
        # CHECK-NEXT: tensor([-1.2500, -1.2500])
        print(x.grad)
