# A number on the left of % and // has the digits and the dtype that the tensor asks for.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch


def main() -> None:
    v = torch.tensor([3.0], dtype=torch.float64)
    print((0.1 % v).item(), (1e300 // v).item())  # CHECK: 0.1 3.3333333333333335e+299
    print((0.1 % v.float()).dtype, (7 // torch.tensor(2)).item(), (7 % torch.tensor([2.5])).item())
    # CHECK-NEXT: torch.float32 3 2.0
