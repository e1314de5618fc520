# Layers of networks: convolutions, pooling, normalization, attention.
import math
import torch
from torch import Tensor
from typing import List, Optional, Tuple


def along(tensor: Tensor, matrix: Tensor, dim: int) -> Tensor:
    return torch.matmul(tensor.movedim(dim, -1), matrix).movedim(-1, dim)


def entry(values: List[int], i: int) -> int:
    return values[i] if len(values) > 1 else values[0]


def avg_pool(grad: Tensor, self: Tensor, kernel_size: List[int], stride: List[int], padding: List[int],
             count_include_pad: bool, divisor_override: Optional[int], rank: int) -> Tensor:
    grad = wide(grad)
    for i in range(rank):
        dim = self.dim() - rank + i
        kernel = entry(kernel_size, i)
        step = entry(stride, i) if len(stride) > 0 else kernel
        border = entry(padding, i)
        size = self.size(dim)
        first = torch.arange(grad.size(dim)) * step - border
        last = (first + kernel).clamp(max=size + border)
        count = last - first
        first = first.clamp(min=0)
        last = last.clamp(max=size)
        if not count_include_pad:
            count = last - first
        place = torch.arange(size)
        inside = (place >= first.unsqueeze(1)) & (place < last.unsqueeze(1))
        matrix = inside.to(grad.dtype)
        if divisor_override is None:
            matrix = matrix / count.unsqueeze(1).to(grad.dtype)
        grad = along(grad, matrix, dim)
    if divisor_override is not None:
        grad = grad / divisor_override
    return grad


def adaptive_avg_pool(grad: Tensor, self: Tensor, rank: int) -> Tensor:
    grad = wide(grad)
    for i in range(rank):
        dim = self.dim() - rank + i
        size = self.size(dim)
        out = grad.size(dim)
        number = torch.arange(out)
        first = number * size // max(out, 1)
        last = -(-(number + 1) * size // max(out, 1))
        place = torch.arange(size)
        inside = (place >= first.unsqueeze(1)) & (place < last.unsqueeze(1))
        grad = along(grad, inside.to(grad.dtype) / (last - first).unsqueeze(1).to(grad.dtype), dim)
    return grad


def max_pool(grad: Tensor, indices: Tensor, self: Tensor, rank: int) -> Tensor:
    planes = self.flatten(-rank, -1)
    return grad.new_zeros(planes.size()).scatter_add(-1, indices.flatten(-rank, -1),
                                                     grad.flatten(-rank, -1)).reshape(self.size())


def each(values: List[int], rank: int) -> List[int]:
    return values * rank if len(values) == 1 else values


def batched(x: Tensor, weight: Tensor) -> Tensor:
    return x.unsqueeze(0) if x.dim() < weight.dim() else x


def convolution_input(grad: Tensor, input: Tensor, weight: Tensor, stride: List[int], padding: List[int],
                      dilation: List[int], transposed: bool, groups: int) -> Tensor:
    if grad.numel() == 0 or input.numel() == 0:
        return grad.new_zeros(input.size())
    rank = weight.dim() - 2
    stride, padding, dilation = each(stride, rank), each(padding, rank), each(dilation, rank)
    extra = [0] * rank
    if not transposed: # elements at the end that no window reaches
        for d in range(rank):
            window = dilation[d] * (weight.size(d + 2) - 1) + 1
            extra[d] = input.size(d - rank) - ((grad.size(d - rank) - 1) * stride[d] - 2 * padding[d] + window)
    found = torch.convolution(batched(grad, weight), weight.conj(), None, stride, padding, dilation, not transposed,
                              extra, groups)
    if transposed: # output padding may have room for more windows
        for d in range(rank):
            found = found.narrow(d + 2, 0, input.size(d - rank))
    return found.reshape(input.size())


def convolution_weight(grad: Tensor, input: Tensor, weight: Tensor, stride: List[int], padding: List[int],
                       dilation: List[int], transposed: bool, groups: int) -> Tensor:
    """What slid over what: batches become channels, and steps of windows those inside of them."""
    if grad.numel() == 0 or input.numel() == 0:
        return grad.new_zeros(weight.size())
    rank = weight.dim() - 2
    stride, padding, dilation = each(stride, rank), each(padding, rank), each(dilation, rank)
    wide = batched(grad, weight) if transposed else batched(input, weight).conj()
    narrow = batched(input, weight).conj() if transposed else batched(grad, weight)
    wide = wide.unflatten(1, [groups, wide.size(1) // groups]).transpose(0, 2).flatten(1, 2)
    found = torch.convolution(wide, narrow.transpose(0, 1), None, dilation, padding, stride, False, [0] * rank, groups)
    for d in range(rank):
        found = found.narrow(d + 2, 0, weight.size(d + 2))
    return found.transpose(0, 1)


def convolution_bias(grad: Tensor, weight: Tensor) -> Tensor:
    return summed_but(grad, grad.dim() - weight.dim() + 1)


def same_pads(weight: Tensor, dilation: List[int], padding: str) -> List[int]:
    """Before and after, last dimension first."""
    rank = weight.dim() - 2
    dilation = each(dilation, rank)
    pads: List[int] = []
    for k in range(rank):
        d = rank - 1 - k
        total = dilation[d] * (weight.size(d + 2) - 1) if padding == "same" else 0
        pads.append(total // 2)
        pads.append(total - total // 2)
    return pads


def convolution_mode_input(grad: Tensor, input: Tensor, weight: Tensor, stride: List[int], padding: str,
                           dilation: List[int], groups: int) -> Tensor:
    pads = same_pads(weight, dilation, padding)
    found = convolution_input(grad, torch.constant_pad_nd(input, pads), weight, stride, [0], dilation, False, groups)
    return torch.constant_pad_nd(found, [-p for p in pads])


def convolution_mode_weight(grad: Tensor, input: Tensor, weight: Tensor, stride: List[int], padding: str,
                            dilation: List[int], groups: int) -> Tensor:
    wide = torch.constant_pad_nd(input, same_pads(weight, dilation, padding))
    return convolution_weight(grad, wide, weight, stride, [0], dilation, False, groups)


def softmax(grad: Tensor, result: Tensor, dim: int) -> Tensor:
    total = torch.sum(wide(grad) * wide(result), [dim], True).type_as(grad)
    return (wide(grad) - total) * result


def transposed_along(grad: Tensor, dim: int, matrix: Tensor) -> Tensor:
    """Back through a linear function of each line along a dimension; the matrix's rows are what it makes of units."""
    return torch.matmul(grad.transpose(dim, -1), matrix.t()).transpose(dim, -1)


def units(size: int, like: Tensor) -> Tensor:
    """For one line a channel."""
    return torch.eye(size, dtype=like.dtype, device=like.device).reshape([1, size, size, 1])


def upsampled(grad: Tensor, self: Tensor, mode: str, align_corners: bool, scales: List[Optional[float]]) -> Tensor:
    """Every mode works along one dimension after the other."""
    rank = len(scales)
    for d in range(rank):
        length, count = self.size(d - rank), grad.size(d - rank)
        unit, size, scale = units(length, grad), [count, 1], scales[d]
        if mode == "nearest":
            line = torch.upsample_nearest2d(unit, size, scale, None)
        elif mode == "nearest-exact":
            line = torch._upsample_nearest_exact2d(unit, size, scale, None)
        elif mode == "linear":
            line = torch.upsample_bilinear2d(unit, size, align_corners, scale, None)
        elif mode == "cubic":
            line = torch.upsample_bicubic2d(unit, size, align_corners, scale, None)
        elif mode == "linear-aa":
            line = torch._upsample_bilinear2d_aa(unit, size, align_corners, scale, None)
        elif mode == "cubic-aa":
            line = torch._upsample_bicubic2d_aa(unit, size, align_corners, scale, None)
        else:
            line = torch._upsample_lanczos2d_aa(unit, size, align_corners, scale, None)
        grad = transposed_along(grad, d - rank, line.reshape([length, count]))
    return grad


def upsampled_by(grad: Tensor, self: Tensor, mode: str, align_corners: bool, factors: Optional[List[float]]) -> Tensor:
    scales: List[Optional[float]] = []
    for d in range(self.dim() - 2):
        scales.append(None if factors is None else factors[d])
    return upsampled(grad, self, mode, align_corners, scales)


def affine_grid(grad: Tensor, theta: Tensor, size: List[int], align_corners: bool) -> Tensor:
    """The grid is linear in theta: that of the identity has the points."""
    rank = theta.size(-2)
    identity = torch.eye(rank, rank + 1, dtype=grad.dtype, device=grad.device).unsqueeze(0)
    points = torch.affine_grid_generator(identity, [1] + size[1:], align_corners).reshape([-1, rank])
    points = torch.cat([points, torch.ones_like(points.narrow(1, 0, 1))], 1)
    return torch.matmul(grad.flatten(1, -2).mT, points)


def layer_norm_input(grad: Optional[Tensor], grad_mean: Optional[Tensor], grad_scale: Optional[Tensor], input: Tensor,
                     normalized_shape: List[int], weight: Optional[Tensor], mean: Tensor, scale: Tensor) -> Tensor:
    dims = [-(i + 1) for i in range(len(normalized_shape))]
    count = 1
    for size in normalized_shape:
        count *= size
    centered = input - mean
    total = torch.zeros_like(input)
    if grad is not None:
        inner = grad if weight is None else grad * weight
        along_centered = centered * scale * scale * (inner * centered).mean(dims, True)
        total = (inner - inner.mean(dims, True) - along_centered) * scale
    if grad_mean is not None:
        total = total + grad_mean / count
    if grad_scale is not None:
        total = total - grad_scale * scale * scale * scale * centered / count
    return total


def layer_norm_weight(grad: Optional[Tensor], input: Tensor, normalized_shape: List[int], mean: Tensor,
                      scale: Tensor) -> Tensor:
    if grad is None:
        return torch.zeros(normalized_shape, dtype=input.dtype, device=input.device)
    return (grad * (input - mean) * scale).sum_to_size(normalized_shape)


def summed_to(grad: Optional[Tensor], shape: List[int], input: Tensor) -> Tensor:
    if grad is None:
        return torch.zeros(shape, dtype=input.dtype, device=input.device)
    return grad.sum_to_size(shape)


def channel_shape(vector: Tensor, input: Tensor) -> Tensor:
    return vector.reshape([-1] + [1] * (input.dim() - 2))


def batch_norm_input(grad: Tensor, input: Tensor, weight: Optional[Tensor], mean: Tensor, scale: Tensor,
                     running_var: Optional[Tensor], training: bool, eps: float) -> Tensor:
    """The statistics of a batch that are results are taken for constants."""
    inner = grad if weight is None else grad * channel_shape(weight, input)
    if not training:
        assert running_var is not None
        return inner * channel_shape(torch.rsqrt(running_var + eps), input)
    dims = [0] + [d for d in range(2, input.dim())]
    factor = channel_shape(scale, input)
    centered = input - channel_shape(mean, input)
    return (inner - inner.mean(dims, True) - centered * factor * factor * (inner * centered).mean(dims, True)) * factor


def batch_norm_weight(grad: Tensor, input: Tensor, mean: Tensor, scale: Tensor, running_mean: Optional[Tensor],
                      running_var: Optional[Tensor], training: bool, eps: float) -> Tensor:
    if not training:
        assert running_mean is not None and running_var is not None
        mean, scale = running_mean, torch.rsqrt(running_var + eps)
    return summed_but(grad * (input - channel_shape(mean, input)) * channel_shape(scale, input), 1)


def group_norm_input(grad: Optional[Tensor], grad_mean: Optional[Tensor], grad_scale: Optional[Tensor], input: Tensor,
                     weight: Optional[Tensor], N: int, C: int, HxW: int, group: int, mean: Tensor,
                     scale: Tensor) -> Tensor:
    """The norm of the layer of a group."""
    if input.numel() == 0:
        return torch.zeros_like(input)
    inner: Optional[Tensor] = None
    if grad is not None:
        spread = grad.reshape([N, C, HxW])
        if weight is not None:
            spread = spread * weight.unsqueeze(-1)
        inner = spread.reshape([N, group, C // group * HxW])
    by_mean: Optional[Tensor] = None
    if grad_mean is not None:
        by_mean = grad_mean.unsqueeze(-1)
    by_scale: Optional[Tensor] = None
    if grad_scale is not None:
        by_scale = grad_scale.unsqueeze(-1)
    found = layer_norm_input(inner, by_mean, by_scale, input.reshape([N, group, C // group * HxW]), [C // group * HxW],
                             None, mean.unsqueeze(-1), scale.unsqueeze(-1))
    return found.reshape(input.size())


def group_norm_weight(grad: Optional[Tensor], input: Tensor, N: int, C: int, HxW: int, group: int, mean: Tensor,
                      scale: Tensor) -> Tensor:
    if grad is None or input.numel() == 0:
        return torch.zeros([max(C, 0)], dtype=input.dtype, device=input.device)
    normal = (input.reshape([N, group, C // group * HxW]) - mean.unsqueeze(-1)) * scale.unsqueeze(-1)
    return (grad.reshape([N, C, HxW]) * normal.reshape([N, C, HxW])).sum([0, 2])


def group_norm_bias(grad: Optional[Tensor], input: Tensor, N: int, C: int, HxW: int) -> Tensor:
    if grad is None or input.numel() == 0:
        return torch.zeros([max(C, 0)], dtype=input.dtype, device=input.device)
    return grad.reshape([N, C, HxW]).sum([0, 2])


def attention(grad: Optional[Tensor], grad_weights: Optional[Tensor], query: Tensor, key: Tensor, value: Tensor,
              mask: Optional[Tensor], dropout_p: float, is_causal: bool,
              weights: Tensor) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    """Of query, key, value and the mask, which is added."""
    if dropout_p > 0:
        raise RuntimeError("there is no derivative of attention with dropout")
    by_value = torch.zeros_like(value)
    by_weights = torch.zeros_like(weights)
    if grad is not None:
        by_value = torch.matmul(weights.mT, grad)
        by_weights = torch.matmul(grad, value.mT)
    if grad_weights is not None:
        by_weights = by_weights + grad_weights
    by_scores = softmax(by_weights, weights, -1)
    by_mask = by_scores
    scale = 1 / math.sqrt(query.size(-1))
    return torch.matmul(by_scores, key) * scale, torch.matmul(by_scores.mT, query) * scale, by_value, by_mask
