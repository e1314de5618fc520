# RUN: %all_modes tsc-run %s | FileCheck %s
# Writes to parts of tensors whose elements do not lie next to each other, or do not begin where their memory does; and
# to the diagonal alone.
import torch

def main():
    x = torch.tensor([1., 2., 3.], requires_grad=True)
    # Rows with a gap behind each.
    spaced = torch.empty_strided([2, 3], [4, 1])
    spaced.zero_()
    spaced[1] = x * x
    spaced[0].add_(spaced[1], alpha=2.)
    # CHECK: {{tensor\(\[\[ 2., 8., 18.\],}}
    # CHECK-NEXT: {{        \[ 1., 4., 9.\]\]}}
    print(spaced.detach())
    # CHECK-NEXT: tensor([ 6., 12., 18.])
    print(torch.autograd.grad([spaced.sum()], [x])[0])

    # What shares the memory, gaps included, sees nothing but its own elements written.
    memory = torch.zeros(9)
    columns = memory.as_strided([3, 2], [3, 1], 1)
    columns[:, 1] = x * 5
    # CHECK-NEXT: tensor([ 0., 0., 5., 0., 0., 10., 0., 0., 15.])
    print(memory.detach())
    # CHECK-NEXT: tensor([0., 5., 5.])
    print(torch.autograd.grad([memory[3:].sum()], [x])[0])

    # The memory begins before the tensor.
    tail = torch.zeros(6).detach()[2:].detach()
    tail[1:].copy_(x)
    tail[1:3].mul_(x[1:])
    # CHECK-NEXT: tensor([2., 4., 3.])
    print(torch.autograd.grad([tail.sum()], [x])[0])

    # CHECK-NEXT: {{tensor\(\[\[0., 2., 2.\],}}
    # CHECK-NEXT: {{        \[2., 0., 2.\],}}
    # CHECK-NEXT: {{        \[2., 2., 0.\]\]\)}}
    square = torch.arange(9.).reshape(3, 3).requires_grad_()
    twice = square * 2
    twice.fill_diagonal_(7.)
    print(torch.autograd.grad([twice.sum()], [square])[0])
