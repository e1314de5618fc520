# The module of archive.txt: `tsc-translate policy.py -o policy.pt` makes an archive of `model`.
import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 2))

    def forward(self, state):
        return self.layers(state)


torch.manual_seed(0)
model = Policy().eval()
