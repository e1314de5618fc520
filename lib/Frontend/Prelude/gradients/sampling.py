# Sampling at the points of a grid.
import torch
from torch import Tensor
from typing import List, Tuple


def bounced(x: Tensor, twice_low: int, twice_high: int) -> Tuple[Tensor, Tensor]:
    """Folded into [low / 2, high / 2] by reflecting at the ends, and which way x runs there."""
    if twice_low == twice_high:
        return torch.zeros_like(x), torch.zeros_like(x)
    low, span = twice_low / 2, (twice_high - twice_low) / 2
    far = torch.abs(x - low)
    extra = torch.fmod(far, span)
    is_even = torch.fmod(torch.floor(far / span), 2) == 0
    way = torch.where(x < low, -1., 1.).to(x.dtype) * torch.where(is_even, 1., -1.).to(x.dtype)
    return torch.where(is_even, extra + low, span - extra + low), way


def within_image(x: Tensor, size: int, padding_mode: int, align_corners: bool) -> Tuple[Tensor, Tensor]:
    """As the padding has it, and the slope of that."""
    slope = torch.ones_like(x)
    if padding_mode == 2:
        if align_corners:
            x, slope = bounced(x, 0, 2 * (size - 1))
        else:
            x, slope = bounced(x, -1, 2 * size - 1)
    if padding_mode != 0:
        slope = slope * ((x > 0) & (x < size - 1)).to(x.dtype)
        x = torch.where(x > 0, torch.clamp(x, max=size - 1), 0.)
    return torch.where((x > -1e9) & (x < 1e9), x, -100.), slope


def cubic_near(d: Tensor) -> Tensor:
    return (1.25 * d - 2.25) * d * d + 1


def cubic_far(d: Tensor) -> Tensor:
    return ((-0.75 * d + 3.75) * d - 6) * d + 3


def cubic_near_slope(d: Tensor) -> Tensor:
    return (3.75 * d - 4.5) * d


def cubic_far_slope(d: Tensor) -> Tensor:
    return (-2.25 * d + 7.5) * d - 6


def touched(at: Tensor, size: int, interpolation_mode: int, padding_mode: int,
            align_corners: bool) -> Tuple[List[Tensor], List[Tensor], List[Tensor]]:
    """The elements that a coordinate in [-1, 1] reads along a dimension, their weights, and the slopes of these."""
    factor = (size - 1) / 2 if align_corners else size / 2
    x = (at + 1) * factor - (0. if align_corners else 0.5)
    if interpolation_mode == 2:
        x = torch.where((x > -1e9) & (x < 1e9), x, -100.)
        first = torch.floor(x)
        f = x - first
        places = [within_image(first + (j - 1), size, padding_mode, align_corners)[0] for j in range(4)]
        weights = [cubic_far(f + 1), cubic_near(f), cubic_near(1 - f), cubic_far(2 - f)]
        slopes = [cubic_far_slope(f + 1), cubic_near_slope(f), -cubic_near_slope(1 - f), -cubic_far_slope(2 - f)]
        return [place.to(torch.long) for place in places], weights, [slope * factor for slope in slopes]
    x, slope = within_image(x, size, padding_mode, align_corners)
    if interpolation_mode == 1:
        return [torch.round(x).to(torch.long)], [torch.ones_like(x)], [torch.zeros_like(x)]
    first = torch.floor(x)
    slope = slope * factor
    place = first.to(torch.long)
    return [place, place + 1], [first + 1 - x, x - first], [-slope, slope]


def grid_corners(input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int,
                 align_corners: bool) -> Tuple[List[Tensor], List[Tensor], List[List[Tensor]]]:
    """For each element of the neighbourhood: its place in the image, its weight, and the slopes of that by the
    coordinates. What is outside of the image has no weight."""
    rank = input.dim() - 2
    points = grid.reshape([grid.size(0), -1, rank])
    places, weights, slopes = [torch.zeros_like(points.select(2, 0)).to(torch.long)
                              ], [torch.ones_like(points.select(2, 0))], torch.jit.annotate(List[List[Tensor]], [[]])
    for d in range(rank): # the last coordinate runs along the first dimension
        size = input.size(d + 2)
        index, weight, slope = touched(points.select(2, rank - 1 - d), size, interpolation_mode, padding_mode,
                                       align_corners)
        next_places, next_weights = torch.jit.annotate(List[Tensor], []), torch.jit.annotate(List[Tensor], [])
        next_slopes = torch.jit.annotate(List[List[Tensor]], [])
        for i in range(len(places)):
            for j in range(len(index)):
                inside = (index[j] >= 0) & (index[j] < size)
                factor = torch.where(inside, weight[j], 0.)
                next_places.append(places[i] * size + torch.clamp(index[j], 0, size - 1))
                next_weights.append(weights[i] * factor)
                own = [weights[i] * torch.where(inside, slope[j], 0.)]
                for other in slopes[i]:
                    own.append(other * factor)
                next_slopes.append(own)
        places, weights, slopes = next_places, next_weights, next_slopes
    return places, weights, slopes


def grid_input(grad: Tensor, input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int,
               align_corners: bool) -> Tensor:
    if grad.numel() == 0 or input.numel() == 0:
        return torch.zeros_like(input)
    places, weights, slopes = grid_corners(input, grid, interpolation_mode, padding_mode, align_corners)
    flat = grad.flatten(2)
    found = torch.zeros_like(input).flatten(2)
    for i in range(len(places)):
        found = found.scatter_add(2, places[i].unsqueeze(1).expand(flat.size()), flat * weights[i].unsqueeze(1))
    return found.reshape(input.size())


def grid_points(grad: Tensor, input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int,
                align_corners: bool) -> Tensor:
    if grad.numel() == 0 or input.numel() == 0:
        return torch.zeros_like(grid)
    places, weights, slopes = grid_corners(input, grid, interpolation_mode, padding_mode, align_corners)
    flat, image = grad.flatten(2), input.flatten(2)
    rank = input.dim() - 2
    parts = [torch.zeros_like(weights[0]) for d in range(rank)]
    for i in range(len(places)):
        value = (flat * image.gather(2, places[i].unsqueeze(1).expand(flat.size()))).sum([1])
        for d in range(rank):
            parts[d] = parts[d] + value * slopes[i][d]
    return torch.stack(parts, -1).reshape(grid.size())
