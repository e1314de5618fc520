# Ifs that merge within a branch of one that has merged: what the branch returns is asked for when they have.
# RUN: %all_modes tsc-run %s --args 'torch.tensor(7), torch.ones([2]), 10' | FileCheck --check-prefix=LATE %s
# RUN: %all_modes tsc-run %s --args 'torch.tensor(7), torch.ones([2]), 5' | FileCheck --check-prefix=LATE %s
# RUN: %all_modes tsc-run %s --args 'torch.tensor(7), torch.ones([2]), -3' | FileCheck --check-prefix=EARLY %s
# LATE: {{^}}7{{$}}
# EARLY: {{^}}1{{$}}
import torch
from torch import Tensor
from typing import Optional


def main(x: Tensor, y: Optional[Tensor], n: int) -> int:
    z = torch.zeros(2)
    if n == 10:
        pass
    else:
        if z.is_contiguous():
            if not (y is not None):
                pass
            else:
                if n == -3:
                    return 1
            return x
    return x
