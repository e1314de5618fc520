# RUN: not tsc-run %s 2>&1 | FileCheck %s
import torch


def main() -> None:
    x = torch.arange(100.0)
    x[50] = float("nan")
    print(torch.histc(torch.tensor([3.3333332538604736]), 3, 0, 10))  # CHECK-DAG: tensor([0., 1., 0.])
    print(torch.histc(x, 4, 0, 100))  # CHECK-DAG: tensor([25., 25., 24., 25.])
    print(torch.histc(x, 4))  # CHECK-DAG: torch.histc: range of [nan, nan] is not finite
