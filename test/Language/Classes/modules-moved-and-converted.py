# `module.to(device, dtype)` dropped the dtype; `.cuda(None)` was refused and `.cuda(65536)` meant the first device.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
import torch
from torch import nn

first = nn.Linear(2, 2).to("cpu", torch.float64)
second = nn.Linear(2, 2).to(device=torch.device("cpu"), dtype=torch.float64)
third = nn.Linear(2, 2).to("cpu", non_blocking=True)
fourth = nn.Linear(2, 2).to(torch.float64)
try:
    nn.Linear(2, 2).cuda(65536)
except RuntimeError:
    refused = True
else:
    refused = False


class Main(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2).cuda(None).cpu()
        self.dtypes = [first.weight.dtype, second.bias.dtype, third.weight.dtype, fourth.weight.dtype]
        self.refused = refused

    def forward(self) -> None:
        print(self.dtypes[0] == torch.float64, self.dtypes[1] == torch.float64, self.dtypes[2] == torch.float32,
              self.dtypes[3] == torch.float64, self.refused, self.linear.weight.device)


main = Main()

# What PyTorch gives:
# CHECK: True True True True True cpu
