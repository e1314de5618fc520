# Differences at points along dimensions: torch.gradient.
import torch
from torch import Tensor
from typing import List, Optional, Tuple


def all_dims(self: Tensor, dim: Optional[int]) -> List[int]:
    return [dim] if dim is not None else [d for d in range(self.dim())]


def even_points(self: Tensor, dims: List[int], spacing: Optional[number]) -> List[Tensor]:
    step = 1. if spacing is None or isinstance(spacing, complex) else float(spacing)
    return [torch.arange(self.size(dim), dtype=torch.float64) * step for dim in dims]


def even_grads(grads: List[Tensor], spacing: Optional[number]) -> List[Tensor]:
    """Of the derivatives at even_points(), which leave a complex step to a division behind them."""
    if spacing is not None and isinstance(spacing, complex):
        step = torch.scalar_tensor(spacing, dtype=torch.complex128).conj()
        return [grad / step for grad in grads]
    return grads


def apart(tensor: Tensor) -> Tensor:
    """Back through the differences of neighbours in the last dimension."""
    zero = tensor.new_zeros(tensor.size()[:-1] + [1])
    return torch.cat([zero, tensor], -1) - torch.cat([tensor, zero], -1)


def padded_line(tensor: Tensor, before: int, after: int) -> Tensor:
    return torch.constant_pad_nd(tensor, [before, after])


def differences_along(grad: Tensor, self: Tensor, points: Tensor, dim: int, edge_order: int) -> Tuple[Tensor, Tensor]:
    """Of what is differentiated, and of the points.

    With widths h and slopes s between neighbours, each result is a mean of two slopes, weighted with the other's width;
    at the ends it is the slope there, or the parabola's.
    """
    grad, line = grad.movedim(dim, -1), self.movedim(dim, -1)
    width = torch.diff(points).to(torch.real(line).dtype)
    slope = torch.diff(line) / width
    count = width.size(0)
    by_slope, by_width = torch.zeros_like(slope), torch.zeros_like(torch.real(slope))
    if count > 1:
        inner = grad.narrow(-1, 1, count - 1)
        a, b = width.narrow(0, 0, count - 1), width.narrow(0, 1, count - 1)
        step = torch.diff(slope) / (a + b)
        by_slope = padded_line(inner * b / (a + b), 0, 1) + padded_line(inner * a / (a + b), 1, 0)
        change = torch.real(inner * step.conj())
        by_width = padded_line(change * b / (a + b), 0, 1) - padded_line(change * a / (a + b), 1, 0)
    first, last = grad.narrow(-1, 0, 1), grad.narrow(-1, count, 1)
    by_slope = by_slope + padded_line(first, 0, count - 1) + padded_line(last, count - 1, 0)
    if edge_order == 2:
        # first = s[0] - h[0] (s[1] - s[0]) / (h[0] + h[1]), and the same from the end.
        a, b = width.narrow(0, 0, 1), width.narrow(0, 1, 1)
        step = (slope.narrow(-1, 1, 1) - slope.narrow(-1, 0, 1)) / (a + b)
        part, change = first * a / (a + b), torch.real(first * step.conj())
        by_slope = by_slope + padded_line(part, 0, count - 1) - padded_line(part, 1, count - 2)
        by_width = by_width - padded_line(change * b / (a + b), 0, count - 1)
        by_width = by_width + padded_line(change * a / (a + b), 1, count - 2)
        a, b = width.narrow(0, count - 1, 1), width.narrow(0, count - 2, 1)
        step = (slope.narrow(-1, count - 1, 1) - slope.narrow(-1, count - 2, 1)) / (a + b)
        part, change = last * a / (a + b), torch.real(last * step.conj())
        by_slope = by_slope + padded_line(part, count - 1, 0) - padded_line(part, count - 2, 1)
        by_width = by_width + padded_line(change * b / (a + b), count - 1, 0)
        by_width = by_width - padded_line(change * a / (a + b), count - 2, 1)
    by_line = apart(by_slope / width).movedim(-1, dim)
    by_width = by_width - torch.real(by_slope * slope.conj()) / width
    return by_line, apart(by_width.reshape([-1, count]).sum([0]))


def central_differences(grads: List[Tensor], self: Tensor, points: List[Tensor], dims: List[int],
                        edge_order: int) -> Tensor:
    found = torch.zeros_like(self)
    for i in range(len(dims)):
        found = found + differences_along(grads[i], self, points[i], dims[i], edge_order)[0]
    return found


def difference_points(grads: List[Tensor], self: Tensor, points: List[Tensor], dims: List[int],
                      edge_order: int) -> List[Tensor]:
    return [differences_along(grads[i], self, points[i], dims[i], edge_order)[1] for i in range(len(dims))]
