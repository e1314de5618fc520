# What gives its operand's elements is another tensor nevertheless, in every tier.
# RUN: %all_modes tsc-run %s --args 'torch.tensor([-1.0, 2.0])' | FileCheck %s
import torch


def main(x):
    a = torch.relu(x)
    b = torch.relu(a)
    c = -(-a)
    # CHECK: False True True
    print(b is a, c is not a, a is a)
    # CHECK-NEXT: [0.0, 2.0] [0.0, 2.0]
    print(b.tolist(), c.tolist())
    return 0
