# Sums, means and extrema of rows with the same index, by torch_scatter's definitions.
#
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
from typing import List
from torch import Tensor


def flat(x: Tensor) -> List[float]:
    row: List[float] = x.reshape(-1).double().tolist()
    return row


def main():
    src = torch.tensor([[1., 2.], [3., 4.], [5., 6.], [7., 0.]])
    index = torch.tensor([0, 0, 3, 0])
    scatter = torch.ops.torch_scatter
    # CHECK: [11.0, 6.0, 0.0, 0.0, 0.0, 0.0, 5.0, 6.0]
    print(flat(scatter.scatter_sum(src, index, 0, None, None)))
    # One group more than there are rows for, and rows along the other dimension.
    # CHECK: [1.0, 2.0, 0.0, 3.0, 4.0, 0.0, 5.0, 6.0, 0.0, 7.0, 0.0, 0.0]
    print(flat(scatter.scatter_sum(src, torch.tensor([0, 1]), 1, None, 3)))
    # CHECK: [21.0, 0.0, 1.0, 1.0, 1.0, 1.0, 5.0, 6.0]
    print(flat(scatter.scatter_mul(src, index, 0, None, None)))
    # CHECK: [4.0, 2.0, 0.0, 0.0, 0.0, 0.0, 5.0, 6.0]
    whole = torch.tensor([[1, 2], [3, 4], [5, 6], [8, 0]])
    print(flat(scatter.scatter_mean(whole, index, 0, None, None)))
    # Where there was no row the number of rows stands.
    values, places = scatter.scatter_max(src, index, 0, None, None)
    # CHECK: [7.0, 4.0, 0.0, 0.0, 0.0, 0.0, 5.0, 6.0] [3.0, 1.0, 4.0, 4.0, 4.0, 4.0, 2.0, 2.0]
    print(flat(values), flat(places))
    values, places = scatter.scatter_min(src, index, 0, None, None)
    # CHECK: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 5.0, 6.0] [0.0, 3.0, 4.0, 4.0, 4.0, 4.0, 2.0, 2.0]
    print(flat(values), flat(places))
    # CHECK: [4.0, 6.0, 12.0, 6.0]
    print(flat(scatter.segment_sum_coo(src, torch.tensor([0, 0, 1, 1]), None, None)))
