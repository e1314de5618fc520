# torch.nn.functional.fractional_max_pool2d and its kin: sizes or ratios, samples that are given or drawn.
# RUN: tsc-run --seed 1 %s | FileCheck %s
import torch.nn.functional as F
from typing import Tuple


def pooled(x: torch.Tensor, samples: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    values, indices = F.fractional_max_pool2d(x, 2, output_size=(2, 2), return_indices=True, _random_samples=samples)
    return F.fractional_max_pool2d(x, 2, output_ratio=(0.5, 0.5), _random_samples=samples), values, indices


def main():
    x = torch.arange(16.).view([1, 1, 4, 4])
    for one in pooled(x, torch.zeros([1, 1, 2])):
        print(one)
    print(F.fractional_max_pool3d(torch.ones([1, 4, 4, 4]), 2, 3).size())
    torch.manual_seed(1)
    drawn = F.fractional_max_pool2d(x, 2, 2)
    torch.manual_seed(1)
    print(torch.equal(drawn, F.fractional_max_pool2d(x, 2, 2, _random_samples=torch.rand(1, 1, 2))))
    try:
        F.fractional_max_pool2d(x, 2)
    except ValueError as error:
        print(error)


# CHECK:      tensor({{\[\[\[\[}} 5.,  7.],
# CHECK-NEXT:           [13., 15.]]]])
# CHECK-NEXT: tensor({{\[\[\[\[}} 5.,  7.],
# CHECK-NEXT:           [13., 15.]]]])
# CHECK-NEXT: tensor({{\[\[\[\[}} 5,  7],
# CHECK-NEXT:           [13, 15]]]])
# CHECK-NEXT: torch.Size([1, 3, 3, 3])
# CHECK-NEXT: True
# CHECK-NEXT: fractional_max_pool2d requires specifying either an output_size or an output_ratio
