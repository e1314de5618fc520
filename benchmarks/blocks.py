"""Parts of networks as modules, for networks.py: weights are parameters that nothing writes."""
import torch
import torch.nn.functional as F
from torch import Tensor, nn


class ResidualBlock(nn.Module):
    def __init__(self, channels: int = 64):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)

    def forward(self, x: Tensor) -> Tensor:
        y = F.relu(self.bn1(self.conv1(x)))
        return F.relu(x + self.bn2(self.conv2(y)))


class EncoderBlock(nn.Module):
    def __init__(self, width: int = 768, heads: int = 12):
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.query = nn.Linear(width, width, bias=False)
        self.key = nn.Linear(width, width, bias=False)
        self.value = nn.Linear(width, width, bias=False)
        self.output = nn.Linear(width, width, bias=False)
        self.wide = nn.Linear(width, 4 * width)
        self.narrow = nn.Linear(4 * width, width)

    def split(self, x: Tensor) -> Tensor:
        return x.view(x.size(0), x.size(1), self.heads, x.size(2) // self.heads).transpose(1, 2)

    def forward(self, x: Tensor) -> Tensor:
        h = self.norm(x)
        q, k, v = self.split(self.query(h)), self.split(self.key(h)), self.split(self.value(h))
        p = torch.softmax(torch.matmul(q, k.transpose(-2, -1)) / (q.size(3) ** 0.5), -1)
        mixed = torch.matmul(p, v).transpose(1, 2).reshape(x.size(0), x.size(1), x.size(2))
        x = x + self.output(mixed)
        return x + self.narrow(F.gelu(self.wide(self.norm(x))))


class LSTMCell(nn.Module):
    """One step, written out; x, h and c lie one behind the other, 64 rows each."""

    def __init__(self, width: int = 512):
        super().__init__()
        self.ih = nn.Linear(width, 4 * width)
        self.hh = nn.Linear(width, 4 * width)

    def forward(self, state: Tensor) -> Tensor:
        x, h, c = state.chunk(3, 0)
        i, f, g, o = (self.ih(x) + self.hh(h)).chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        return torch.cat([h, c], 0)
