# What gives its operand's elements is another tensor nevertheless, in every tier.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch


def main():
    x = torch.rand([2]) - 0.5  # no constant, so that nothing is folded
    a = torch.relu(x)
    b = torch.relu(a)
    c = -(-a)
    # CHECK: False True True
    print(b is a, c is not a, a is a)
    # CHECK-NEXT: True True
    print(torch.equal(b, a), torch.equal(c, a))
    return 0
