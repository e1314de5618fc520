# PyTorch issues 36211 and 38863: named_buffers and named_parameters; 28998: self._modules; 38034: a slice of a
# Sequential that is called.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from torch import nn


class Main(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("x", torch.ones(1))
        self.w = nn.Parameter(torch.ones(2))
        self.inner = nn.Linear(1, 3, bias=False)
        self.chain = nn.Sequential(nn.Identity(), nn.ReLU(), nn.Tanh())

    def forward(self) -> None:
        for i in range(10):
            for name, buffer in self.named_buffers():
                print(name, buffer)
            for name, parameter in self.named_parameters():
                print(name, parameter.numel())
            for name, parameter in self.named_parameters(prefix="p", recurse=False):
                print(name)
            for name, module in self._modules.items():
                print(name)
            for name, parameter in self._parameters.items():
                print(name)
            print(self.chain[1:](torch.tensor([-1.0])), self.chain[:1](torch.tensor([-1.0])))


main = Main()

# What Python prints:
# CHECK: x tensor([1.])
# CHECK-NEXT: w 2
# CHECK-NEXT: inner.weight 3
# CHECK-NEXT: p.w
# CHECK-NEXT: inner
# CHECK-NEXT: chain
# CHECK-NEXT: w
# CHECK-NEXT: tensor([0.]) tensor([-1.])
# CHECK-COUNT-9: tensor([0.]) tensor([-1.])
