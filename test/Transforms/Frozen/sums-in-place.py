# A sum in place that becomes part of a convolution keeps the sizes of what it is written to, or fails.
# RUN: tsc-run %s --entry model --args 'torch.ones(1, 16, 64, 64), torch.ones(16, 1, 1)' --compile eager | FileCheck %s
# RUN: tsc-run %s --entry model --args 'torch.ones(1, 16, 64, 64), torch.ones(16, 1, 1)' --executor interp | FileCheck %s
# RUN: %exits 1 tsc-run %s --entry model --args 'torch.ones(1, 16, 64, 64), torch.ones(2, 16, 64, 64)' --compile eager 2>&1 | FileCheck --check-prefix=GROWS %s
# RUN: %exits 1 tsc-run %s --entry model --args 'torch.ones(1, 16, 64, 64), torch.ones(2, 16, 64, 64)' --executor interp 2>&1 | FileCheck --check-prefix=GROWS %s
# RUN: tsc-run %s --entry model --args 'torch.ones(1, 16, 64, 64), torch.ones(1, 16, 64, 64)' --compile eager --print-ir optimized 2>&1 | FileCheck --check-prefix=CODE --implicit-check-not=tsc::written %s

# CHECK: tensor([5., 7., 7.,
# GROWS: output with shape [1, 16, 64, 64] doesn't match the broadcast shape [2, 16, 64, 64]
# CODE: tsc::blocked_conv2d
# CODE: requires_grad=True
import torch
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(16, 16, 3, padding=1, bias=False)
        nn.init.constant_(self.conv.weight, 0.0625)

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        out = self.conv(x)
        out += y
        return torch.relu(out)[0, 0, 0]


model = Net()
