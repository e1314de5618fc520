# With a given scale a side that stays as long as it was is copied, but by the cubic filter without antialiasing. The numbers are PyTorch's.
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
import torch
import torch.nn.functional as F
from torch import Tensor


def check(name: str, found: Tensor, expected: Tensor) -> None:
    print(name, torch.allclose(found.flatten(), expected, 1e-5, 1e-5))


def main():
    y = torch.arange(12.0).view(1, 1, 3, 4)
    rows = torch.arange(3.0).view(3, 1) * 4
    # CHECK: bilinear True
    check("bilinear", F.interpolate(y, scale_factor=[1.3, 0.7], mode="bilinear"),
          (torch.tensor([0.2142857313, 1.6428571939]) + rows).flatten())
    # CHECK-NEXT: corners True
    check("corners", F.interpolate(y, scale_factor=[1.3, 0.7], mode="bilinear", align_corners=True),
          (torch.tensor([0.0, 3.0]) + rows).flatten())
    # CHECK-NEXT: antialiased True
    check("antialiased", F.interpolate(y, scale_factor=[1.3, 0.7], mode="bilinear", antialias=True),
          (torch.tensor([0.3461538553, 1.6296294928]) + rows).flatten())
    # CHECK-NEXT: antialiased corners True
    check("antialiased corners",
          F.interpolate(y, scale_factor=[1.3, 0.7], mode="bilinear", antialias=True, align_corners=True),
          (torch.tensor([1.25, 2.6666667461]) + rows).flatten())
    # CHECK-NEXT: antialiased cubic True
    check("antialiased cubic", F.interpolate(y, scale_factor=[1.3, 0.7], mode="bicubic", antialias=True),
          (torch.tensor([0.2547201812, 1.6658749580]) + rows).flatten())
    # CHECK-NEXT: cubic True
    check("cubic", F.interpolate(y, scale_factor=[1.3, 0.7], mode="bicubic"),
          torch.tensor([-0.1077048257, 1.3391784430, 2.4042420387, 3.8511242867, 6.2403860092, 7.6872663498]))
    # CHECK-NEXT: linear True
    check("linear", F.interpolate(y[0], scale_factor=1.2, mode="linear"), y.flatten())
    # CHECK-NEXT: trilinear True
    check("trilinear", F.interpolate(y[None], scale_factor=[1.3, 1.3, 0.7], mode="trilinear"),
          (torch.tensor([0.2142857313, 1.6428570747]) + rows).flatten())
    x = y.clone().requires_grad_()
    F.interpolate(x, scale_factor=[1.3, 0.7], mode="bilinear").pow(2).sum().backward()
    grad = x.grad
    assert grad is not None
    # CHECK-NEXT: gradient True
    check("gradient", grad, torch.tensor([0.3367347121, 1.2653059959, 2.1122450829, 0.0, 6.6224489212, 5.8367342949,
                                          7.2551026344, 0.0, 12.9081630707, 10.4081621170, 12.3979597092, 0.0]))
