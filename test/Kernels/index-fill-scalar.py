# A tensor without dimensions has one element for all indices to fill.
# RUN: tsc-run %s | FileCheck %s
import torch

def main():
    x = torch.tensor(1.0)
    i = torch.tensor([0, 0, 0])
    # CHECK: tensor(5.)
    print(x.index_fill(0, i, 5.0))
    # CHECK: tensor(True)
    print(torch.tensor(False).index_fill(0, i, 1))
