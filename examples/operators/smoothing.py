# Calls the operators of smoothing.c: tsc-run --load-library smoothing.so smoothing.py
import torch
from torch import Tensor


def main() -> Tensor:
    signal = torch.tensor([1.0, 2.0, 8.0, 2.0, 1.0])
    for _ in range(2):
        signal = torch.ops.filters.smooth(signal) * 2.0
    torch.ops.filters.clip_(signal, 5.0)
    return torch.cat([signal, torch.ops.filters.smooth(signal[::2], weight=1.0)])
