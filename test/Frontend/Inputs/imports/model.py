import torch
import torch.nn as nn
import torch.nn.functional as F
from layers.linear import Twice
from config import *
class Net(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.twice = Twice(width)
        self.act = helper
    def forward(self, x):
        return self.act(self.twice(x)) * BIAS
def helper(x):
    return F.relu(x) + BIAS
def make(width):
    return Net(width)
