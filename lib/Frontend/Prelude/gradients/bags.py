# Bags of embeddings.
import torch
from torch import Tensor
from typing import List, Optional


def bag_members(rows: Tensor, padding_idx: Optional[int]) -> Tensor:
    """Which indices count: padding does not; no index is negative."""
    return rows != (padding_idx if padding_idx is not None else -1)


def bag_padding(padding_idx: Optional[int], rows: int) -> Optional[int]:
    return padding_idx + rows if padding_idx is not None and padding_idx < 0 else padding_idx


def bag_weight(grad: Tensor, weight: Tensor, indices: Tensor, bags: Tensor, sizes: Tensor, largest: Tensor,
               scale_grad_by_freq: bool, mode: int, factors: Optional[Tensor], padding_idx: Optional[int]) -> Tensor:
    if mode == 2:
        filled = (sizes > 0).unsqueeze(1).to(grad.dtype)
        return torch.zeros_like(weight).scatter_add(0, largest, grad * filled)
    rows = indices.reshape([-1]).to(torch.long)
    if grad.size(0) == 0: # no bag begins
        return torch.zeros_like(weight)
    spread = grad.index_select(0, bags)
    if mode == 1:
        spread = spread / torch.clamp(sizes, min=1).index_select(0, bags).unsqueeze(1)
    if factors is not None:
        spread = spread * factors.reshape([-1, 1])
    if scale_grad_by_freq:
        ones = torch.ones_like(rows).to(grad.dtype)
        counts = torch.zeros([weight.size(0)], dtype=grad.dtype).index_add(0, rows, ones)
        spread = spread / counts.index_select(0, rows).unsqueeze(1)
    spread = torch.where(bag_members(rows, padding_idx).unsqueeze(1), spread, 0.)
    return torch.zeros_like(weight).index_add(0, rows, spread)


def bag_factors(grad: Tensor, weight: Tensor, indices: Tensor, bags: Tensor, factors: Optional[Tensor],
                padding_idx: Optional[int]) -> Tensor:
    rows = indices.reshape([-1]).to(torch.long)
    if grad.size(0) == 0:
        return torch.zeros_like(indices).to(grad.dtype)
    found = (grad.index_select(0, bags) * weight.index_select(0, rows)).sum([1])
    found = torch.where(bag_members(rows, padding_idx), found, 0.)
    return found.reshape(indices.size() if factors is None else factors.size())
