# Where points are evenly spread, the derivative at one is made of its neighbours alone.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch


def main() -> None:
    x = torch.tensor([1.0, float("inf"), 3.0, 5.0, float("nan"), 2.0, 7.0])
    print(torch.gradient(x)[0])
    # CHECK: tensor([    inf,  1.0000,    -inf,     nan, -1.5000,     nan,  5.0000])
    print(torch.gradient(x, spacing=2.0, edge_order=2)[0])
    # CHECK-NEXT: tensor([    inf,  0.5000,    -inf,     nan, -0.7500,     nan,     nan])
    print(torch.gradient(torch.arange(5.0) ** 2, spacing=0.1)[0])
    # CHECK-NEXT: tensor([10., 20., 40., 60., 70.])
    y = torch.tensor([1.0, 2.0, 4.0, 8.0], dtype=torch.float64)
    print(torch.gradient(y, spacing=float("inf"), edge_order=2)[0].tolist(), torch.gradient(y, spacing=1e-200)[0].tolist())
    # CHECK-NEXT: [0.0, 0.0, 0.0, 0.0] [1e+200, 1.5e+200, 3e+200, 4e+200]
