# Objects that each hold the next one twice were walked once for each way to the last: 2^34 times here.
# RUN: timeout 60 tsc-run %s --entry main | FileCheck %s
import torch
from torch import nn
from typing import Optional


class Node:
    def __init__(self, n: int, left: Optional["Node"], right: Optional["Node"]):
        self.n = n
        self.left = left
        self.right = right


node = Node(0, None, None)
for i in range(34):
    node = Node(i + 1, node, node)


class Main(nn.Module):
    def __init__(self):
        super().__init__()
        self.node = node

    def forward(self) -> int:
        left = self.node.left
        return self.node.n + (left.n if left is not None else 0)


main = Main()

# What Python gives:
# CHECK: 67
