# The elements of a module's parameters, in one vector that gradients go through.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
from torch import nn
from torch.nn.utils import parameters_to_vector


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
        self.bias = nn.Parameter(torch.tensor([5.0]))

    def forward(self, x):
        return x * self.weight + self.bias


if __name__ == "__main__":
    net = Net()
    # CHECK: [1.0, 2.0, 3.0, 4.0, 5.0]
    vector = parameters_to_vector(net.parameters())
    print(vector.tolist())
    # CHECK-NEXT: [2.0, 4.0, 6.0, 8.0] [10.0]
    (vector * vector).sum().backward()
    print(net.weight.grad.view(-1).tolist(), net.bias.grad.tolist())
