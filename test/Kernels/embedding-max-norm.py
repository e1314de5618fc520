# F.embedding shortens the rows that it looks up, in place, where it is told a norm.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
import torch.nn.functional as F

def look_up(weight, rows):
    return F.embedding(rows, weight, max_norm=1.0)

def main():
    for _ in range(3):
        # CHECK: tensor({{\[\[}}0.4243, 0.5657, 0.7071],
        # CHECK-NEXT: [0.4915, 0.5735, 0.6554]])
        # CHECK-NEXT: tensor([0.0000, 0.4243, 0.4915, 9.0000])
        weight = torch.arange(12.).view(4, 3)
        print(look_up(weight, torch.tensor([1, 2])))
        print(weight[:, 0])
