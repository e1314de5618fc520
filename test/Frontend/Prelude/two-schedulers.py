# Two schedulers of one optimizer: each tells the rate that its own step left.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(2))

    def forward(self, x):
        return x * self.weight


if __name__ == "__main__":
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=1.0)
    first = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    second = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    for i in range(4):
        optimizer.step()
        first.step()
        second.step()
        print(first.get_last_lr(), second.get_last_lr())


# What Python prints:
# CHECK: [1.0] [0.9]
# CHECK-NEXT: [0.45] [0.405]
# CHECK-NEXT: [0.405] [0.36450000000000005]
# CHECK-NEXT: [0.18225000000000002] [0.16402500000000003]
