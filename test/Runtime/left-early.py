# What a loop that was left early has not computed is not asked for its rank.
# RUN: %all_modes tsc-run %s --args 'torch.tensor(7), "a"' | FileCheck --check-prefix=EARLY %s
# RUN: %all_modes tsc-run %s --args 'torch.tensor(7), ""' | FileCheck --check-prefix=LATE %s
# EARLY: {{^}}1{{$}}
# LATE: {{^}}-2{{$}}
import torch
from torch import Tensor


def main(x: Tensor, s: str) -> int:
    for i in range(4):
        if "" < s:
            return int(x > 1)
        x = x
    return (-3 >> 1) ^ x.dim()
