# Constant weights of a program that nobody has frozen stay what they are: its numbers are the same, bit for bit.
# RUN: %all_modes tsc-run %s --args 'torch.ones([2, 3]) * 0.1' | FileCheck %s
# CHECK: (True, tensor({{\[\[}}{{[0-9]+}},
import torch
from torch import Tensor
from typing import Tuple


def main(x: Tensor) -> Tuple[bool, Tensor]:
    zero = 0 * torch.nn.functional.linear(x, -torch.ones(4, 3))
    third = torch.nn.functional.linear(x, torch.full([4, 3], 0.7)) / 3
    return bool((1 / zero < 0).all()), third.view(torch.int32)
