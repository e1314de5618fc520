# A variance of no elements is not a number, in a fusion group too.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch

def spread(x, dim: int):
    return torch.var(torch.relu(x), dim) * 2, torch.std(torch.relu(x), [0, 1]) * 2

def main():
    for _ in range(3):
        # CHECK: tensor([nan, nan, nan])
        # CHECK: tensor(nan)
        v, s = spread(torch.zeros(0, 3), 0)
        print(v)
        print(s)
