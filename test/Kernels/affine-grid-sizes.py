# What affine_grid says of sizes, in PyTorch's words, and what it takes.
# RUN: %all_modes tsc-run %s | FileCheck %s
# CHECK: Expected non-zero, positive output size. Got [0, 1, 2, 2]
# CHECK: Expected non-zero, positive output size. Got [1, 1, 0, 2]
# CHECK: Expected size for first two dimensions of batch2 tensor to be: [3, 3] but got: [1, 3].
# CHECK: Expected a batch of 2D affine matrices of shape Nx2x3 for size [1, 1, 0, 2]. Got [1, 3, 4].
# CHECK: [0, 1, 2, 2]
# CHECK: [2, 0, 3, 2]
import torch
import torch.nn.functional as F
from typing import List

def say(theta: torch.Tensor, size: List[int]) -> None:
    try:
        print(F.affine_grid(theta, size, align_corners=False).shape)
    except Exception as error:
        print(error)

def main() -> None:
    say(torch.zeros([0, 2, 3]), [0, 1, 2, 2])
    say(torch.zeros([1, 2, 3]), [1, 1, 0, 2])
    say(torch.zeros([1, 2, 3]), [3, 1, 2, 2])
    say(torch.zeros([1, 3, 4]), [1, 1, 0, 2])
    print(F.affine_grid(torch.zeros([0, 2, 3]), [0, 1, 1, 2], align_corners=True).shape)
    print(torch.affine_grid_generator(torch.zeros([2, 2, 3]), [2, 1, 0, 3], False).shape)
