# What is traced rounds as the program does: parameters that require gradients make no tape, of which nobody asks for gradients.
# RUN: tsc-run %s --args 'torch.linspace(-1, 1, 84, dtype=torch.float64).view(7, 4, 3)' > %t.program
# RUN: tsc-run %s --args 'torch.linspace(-1, 1, 84, dtype=torch.float64).view(7, 4, 3)' --trace-to %t.pt > %t.traced
# RUN: diff %t.program %t.traced
# RUN: tsc-run %t.pt --args 'torch.linspace(-1, 1, 84, dtype=torch.float64).view(7, 4, 3)' > %t.trace
# RUN: diff %t.program %t.trace
from typing import List

import torch
import torch.nn as nn
from torch import Tensor

torch.manual_seed(3)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(3, 20).double()

    def forward(self, x: Tensor) -> List[float]:  # which are printed with all their digits
        out: List[float] = self.rnn(x)[0].flatten().tolist()
        return out


net = Net()


# A buffer that a call writes needs no gradient afterwards, so that the trace can write to it again.
# RUN: tsc-run %s --entry Cell --args 'torch.ones([2])' --trace-to %t.cell.pt
# RUN: tsc-run %t.cell.pt --args 'torch.ones([2])' | FileCheck %s
# CHECK: tensor([6., 6.]
class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones([2]))
        self.register_buffer("state", torch.ones([2]))

    def forward(self, x: Tensor) -> Tensor:
        self.state[:].copy_(self.state + self.weight * x)
        return self.state * 2
