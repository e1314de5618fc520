# A program saves the modules that it makes; what is not called is saved where it is exported.

# RUN: cd %T && tsc-run %s --args 'torch.ones(2, 3)' > %t.before
# RUN: tsc-run %T/saved.pt --args 'torch.ones(2, 3)' | cmp - %t.before
# RUN: tsc-run %T/saved.pt --entry twice --args 'torch.zeros(2, 3)' | FileCheck %s
# RUN: cd %T && tsc-translate %s -o %t.pt && tsc-run %t.pt --args 'torch.ones(2, 3)' | cmp - %t.before
# CHECK: tensor(
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size: int):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(size, 4), nn.ReLU(), nn.Linear(4, 2))
        self.register_buffer("scale", torch.full([2], 2.0))

    def forward(self, x):
        return self.layers(x) * self.scale

    @torch.jit.export
    def twice(self, x: torch.Tensor, n: int = 2) -> torch.Tensor:
        return self.forward(x) * n


torch.manual_seed(0)
model = Net(3)
torch.jit.save(torch.jit.script(model), "saved.pt")
torch.jit.script(model).save("saved-too.pt")
