# What the recorded tests of this folder import: a value against its recorded shape, sum, weighted sum and norm.
import torch
from typing import List
from torch import Tensor


def far(found: float, wanted: float) -> bool:
    return not (found == wanted or abs(found - wanted) <= 2e-4 * (1 + abs(wanted)) or (found != found and wanted != wanted))


def check(name: str, value: Tensor, shape: List[int], total: float, weighted: float, norm: float) -> None:
    row = value.reshape([-1]).to(torch.double)
    places = torch.cos(torch.arange(row.numel(), dtype=torch.double))
    if value.size() != shape:
        print("differs in shape:", name, value.size(), shape)
    elif far(float(row.sum()), total) or far(float((row * places).sum()), weighted) or far(float(row.norm()), norm):
        print("differs:", name, value)
