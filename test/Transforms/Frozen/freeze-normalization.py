# Normalization that does not train writes nothing: its statistics are constants, and it becomes part of the weights of
# the convolution before it. What follows becomes part of the convolution, whose result stays in blocks of channels.
# RUN: tsc-translate %s --entry model -o %t.pt
# RUN: tsc-run %t.pt --args 'torch.ones(1, 16, 64, 64) / 16' --freeze --verbose 2>%t.err | FileCheck --check-prefix=RESULT %s
# RUN: FileCheck --check-prefix=FROZE --implicit-check-not=kept %s <%t.err
# RUN: tsc-run %t.pt --args 'torch.ones(1, 16, 64, 64) / 16' | FileCheck --check-prefix=RESULT %s
# RUN: tsc-run %t.pt --args 'torch.ones(1, 16, 64, 64) / 16' --freeze --compile eager --print-ir optimized 2>&1 | FileCheck --check-prefix=CODE --implicit-check-not=aten::batch_norm --implicit-check-not=aten::relu %s

# A convolution of ones counts the elements below its window, nine or fewer; less 2 by the mean, and with the input again.
# RESULT: tensor([2.0625, 4.0625, 4.0625, 7.0625]
# FROZE: froze 'norm.running_mean'
# FROZE: froze 'norm.running_var'
# CODE: tsc::blocked_conv2d
# CODE: tsc::blocked_conv2d
import torch
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(16, 16, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(16, eps=0.0)
        self.identity = nn.Conv2d(16, 16, 1, bias=False)
        nn.init.ones_(self.conv.weight)
        nn.init.constant_(self.norm.running_mean, 2.0)
        self.identity.weight.data.copy_(torch.eye(16).view(16, 16, 1, 1))

    def forward(self, x: Tensor) -> Tensor:
        y = self.identity(torch.relu(self.norm(self.conv(x)))) + x
        return torch.stack([y[0, 0, 0, 0], y[0, 3, 0, 1], y[0, 7, 1, 63], y[0, 15, 31, 31]])


model = Net().eval()
