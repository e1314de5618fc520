# RUN: tsc-run --explain --compile eager %s 2>&1 | FileCheck %s

# What gradients that are nodes of the graph read of the way forth: what tanh gives, and the sum, whose gradient is like it.
# CHECK: remark: 'aten::grad' computed in the graph: 3 operators backwards read 2 tensors of the way forth, 12 bytes
# CHECK: tensor([0.4200, 0.0707])
import torch


def main():
    x = torch.tensor([1., 2.], requires_grad=True)
    y = torch.tanh(x)
    g = torch.autograd.grad([(y * 1.).sum()], [x])[0]
    if g is not None:
        print(g)
