# torch.nn.functional in TorchScript: the functions whose Python signature is not that of the operator behind them.
# A name that is not here means the operator of the same name (linear, conv2d, gelu, prelu, pixel_shuffle, ...).
# Signatures and checks are PyTorch's; compiled on first use.
import torch
import math
import warnings
from typing import List, Optional, Tuple
from torch import Tensor


# Activations.

def relu(input: Tensor, inplace: bool = False) -> Tensor:
    if inplace:
        return torch.relu_(input)
    return torch.relu(input)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    if inplace:
        return torch.relu6_(input)
    return torch.relu6(input)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    if inplace:
        return torch.elu_(input, alpha)
    return torch.elu(input, alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    if inplace:
        return torch.selu_(input)
    return torch.selu(input)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    if inplace:
        return torch.celu_(input, alpha)
    return torch.celu(input, alpha)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    if inplace:
        return torch.silu_(input)
    return torch.silu(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    if inplace:
        return torch.mish_(input)
    return torch.mish(input)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    if inplace:
        return torch.leaky_relu_(input, negative_slope)
    return torch.leaky_relu(input, negative_slope)


def rrelu(input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False,
          inplace: bool = False) -> Tensor:
    if inplace:
        return torch.rrelu_(input, lower, upper, training)
    return torch.rrelu(input, lower, upper, training)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    if inplace:
        return torch.threshold_(input, threshold, value)
    return torch.threshold(input, threshold, value)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    if inplace:
        return torch.hardtanh_(input, min_val, max_val)
    return torch.hardtanh(input, min_val, max_val)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    if inplace:
        return torch.hardsigmoid_(input)
    return torch.hardsigmoid(input)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    if inplace:
        return torch.hardswish_(input)
    return torch.hardswish(input)


def logsigmoid(input: Tensor) -> Tensor:
    return torch.log_sigmoid(input)


def tanhshrink(input: Tensor) -> Tensor:
    return input - input.tanh()


def softsign(input: Tensor) -> Tensor:
    return input / (input.abs() + 1)


def tanh(input: Tensor) -> Tensor:
    return input.tanh()


def sigmoid(input: Tensor) -> Tensor:
    return input.sigmoid()


def glu(input: Tensor, dim: int = -1) -> Tensor:
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return torch.glu(input, dim)


def _softmax_dim(ndim: int) -> int:
    if ndim == 0 or ndim == 1 or ndim == 3:
        return 0
    return 1


def softmax(input: Tensor, dim: Optional[int] = None, _stacklevel: int = 3, dtype: Optional[int] = None) -> Tensor:
    axis = _softmax_dim(input.dim()) if dim is None else dim
    if dtype is None:
        return input.softmax(axis)
    return input.softmax(axis, dtype=dtype)


def softmin(input: Tensor, dim: Optional[int] = None, _stacklevel: int = 3, dtype: Optional[int] = None) -> Tensor:
    axis = _softmax_dim(input.dim()) if dim is None else dim
    if dtype is None:
        return (-input).softmax(axis)
    return (-input).softmax(axis, dtype=dtype)


def log_softmax(input: Tensor, dim: Optional[int] = None, _stacklevel: int = 3, dtype: Optional[int] = None) -> Tensor:
    axis = _softmax_dim(input.dim()) if dim is None else dim
    if dtype is None:
        return input.log_softmax(axis)
    return input.log_softmax(axis, dtype=dtype)


# Dropout.

def _check_probability(p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError("dropout probability has to be between 0 and 1, but got {}".format(p))


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    _check_probability(p)
    if inplace:
        return torch.dropout_(input, p, training)
    return torch.dropout(input, p, training)


def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    _check_probability(p)
    if inplace:
        return torch.alpha_dropout_(input, p, training)
    return torch.alpha_dropout(input, p, training)


def feature_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    _check_probability(p)
    if inplace:
        return torch.feature_alpha_dropout_(input, p, training)
    return torch.feature_alpha_dropout(input, p, training)


def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    _check_probability(p)
    batched = input.dim() == 3
    x = input if batched else input.unsqueeze(0)
    result = torch.feature_dropout_(x, p, training) if inplace else torch.feature_dropout(x, p, training)
    return result if batched else result.squeeze(0)


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    _check_probability(p)
    if inplace:
        return torch.feature_dropout_(input, p, training)
    return torch.feature_dropout(input, p, training)


def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    _check_probability(p)
    batched = input.dim() == 5
    x = input if batched else input.unsqueeze(0)
    result = torch.feature_dropout_(x, p, training) if inplace else torch.feature_dropout(x, p, training)
    return result if batched else result.squeeze(0)


# Normalization.

def _verify_batch_size(size: List[int]) -> None:
    values_per_channel = size[0]
    for i in range(2, len(size)):
        values_per_channel *= size[i]
    if values_per_channel == 1:
        raise ValueError("Expected more than 1 value per channel when training, got input size {}".format(size))


def batch_norm(input: Tensor, running_mean: Optional[Tensor], running_var: Optional[Tensor],
               weight: Optional[Tensor] = None, bias: Optional[Tensor] = None, training: bool = False,
               momentum: float = 0.1, eps: float = 1e-5) -> Tensor:
    if training:
        _verify_batch_size(input.size())
    return torch.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, True)


def instance_norm(input: Tensor, running_mean: Optional[Tensor] = None, running_var: Optional[Tensor] = None,
                  weight: Optional[Tensor] = None, bias: Optional[Tensor] = None, use_input_stats: bool = True,
                  momentum: float = 0.1, eps: float = 1e-5) -> Tensor:
    return torch.instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, True)


def layer_norm(input: Tensor, normalized_shape: List[int], weight: Optional[Tensor] = None,
               bias: Optional[Tensor] = None, eps: float = 1e-5) -> Tensor:
    return torch.layer_norm(input, normalized_shape, weight, bias, eps, True)


def group_norm(input: Tensor, num_groups: int, weight: Optional[Tensor] = None, bias: Optional[Tensor] = None,
               eps: float = 1e-5) -> Tensor:
    if input.dim() < 2:
        raise RuntimeError("Expected at least 2 dimensions for input tensor but received {}".format(input.dim()))
    return torch.group_norm(input, num_groups, weight, bias, eps, True)


def local_response_norm(input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Tensor:
    if input.dim() < 3:
        raise ValueError("Expected 3D or higher dimensionality input (got {} dimensions)".format(input.dim()))
    if input.numel() == 0:
        return input
    squares = input.mul(input).unsqueeze(1)
    if input.dim() == 3:
        squares = torch.constant_pad_nd(squares, [0, 0, size // 2, (size - 1) // 2])
        squares = torch.avg_pool2d(squares, [size, 1], [1, 1]).squeeze(1)
    else:
        sizes = input.size()
        squares = squares.view([sizes[0], 1, sizes[1], sizes[2], -1])
        squares = torch.constant_pad_nd(squares, [0, 0, 0, 0, size // 2, (size - 1) // 2])
        squares = torch.avg_pool3d(squares, [size, 1, 1], [1, 1, 1]).squeeze(1)
        squares = squares.view(sizes)
    return input / squares.mul(alpha).add(k).pow(beta)


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    length = input.norm(p, [dim], True).clamp_min(eps).expand_as(input)
    return input / length


# Pooling.

def max_pool1d(input: Tensor, kernel_size: BroadcastingList1[int], stride: Optional[BroadcastingList1[int]] = None, padding: BroadcastingList1[int] = 0,
               dilation: BroadcastingList1[int] = 1, ceil_mode: bool = False, return_indices: bool = False) -> Tensor:
    steps = kernel_size if stride is None else stride
    return torch.max_pool1d(input, kernel_size, steps, padding, dilation, ceil_mode)


def max_pool1d_return_indices(input: Tensor, kernel_size: BroadcastingList1[int], stride: Optional[BroadcastingList1[int]] = None,
                              padding: BroadcastingList1[int] = 0, dilation: BroadcastingList1[int] = 1, ceil_mode: bool = False,
                              return_indices: bool = False) -> Tuple[Tensor, Tensor]:
    steps = kernel_size if stride is None else stride
    return torch.max_pool1d_with_indices(input, kernel_size, steps, padding, dilation, ceil_mode)


def max_pool2d(input: Tensor, kernel_size: BroadcastingList2[int], stride: Optional[BroadcastingList2[int]] = None, padding: BroadcastingList2[int] = 0,
               dilation: BroadcastingList2[int] = 1, ceil_mode: bool = False, return_indices: bool = False) -> Tensor:
    steps = kernel_size if stride is None else stride
    return torch.max_pool2d(input, kernel_size, steps, padding, dilation, ceil_mode)


def max_pool2d_return_indices(input: Tensor, kernel_size: BroadcastingList2[int], stride: Optional[BroadcastingList2[int]] = None,
                              padding: BroadcastingList2[int] = 0, dilation: BroadcastingList2[int] = 1, ceil_mode: bool = False,
                              return_indices: bool = False) -> Tuple[Tensor, Tensor]:
    steps = kernel_size if stride is None else stride
    return torch.max_pool2d_with_indices(input, kernel_size, steps, padding, dilation, ceil_mode)


def max_pool3d(input: Tensor, kernel_size: BroadcastingList3[int], stride: Optional[BroadcastingList3[int]] = None, padding: BroadcastingList3[int] = 0,
               dilation: BroadcastingList3[int] = 1, ceil_mode: bool = False, return_indices: bool = False) -> Tensor:
    steps = kernel_size if stride is None else stride
    return torch.max_pool3d(input, kernel_size, steps, padding, dilation, ceil_mode)


def max_pool3d_return_indices(input: Tensor, kernel_size: BroadcastingList3[int], stride: Optional[BroadcastingList3[int]] = None,
                              padding: BroadcastingList3[int] = 0, dilation: BroadcastingList3[int] = 1, ceil_mode: bool = False,
                              return_indices: bool = False) -> Tuple[Tensor, Tensor]:
    steps = kernel_size if stride is None else stride
    return torch.max_pool3d_with_indices(input, kernel_size, steps, padding, dilation, ceil_mode)


def adaptive_max_pool1d(input: Tensor, output_size: BroadcastingList1[int], return_indices: bool = False) -> Tensor:
    return torch.adaptive_max_pool1d(input, output_size)[0]


def adaptive_max_pool1d_return_indices(input: Tensor, output_size: BroadcastingList1[int],
                                       return_indices: bool = False) -> Tuple[Tensor, Tensor]:
    return torch.adaptive_max_pool1d(input, output_size)


def adaptive_max_pool2d(input: Tensor, output_size: BroadcastingList2[int], return_indices: bool = False) -> Tensor:
    return torch.adaptive_max_pool2d(input, output_size)[0]


def adaptive_max_pool2d_return_indices(input: Tensor, output_size: BroadcastingList2[int],
                                       return_indices: bool = False) -> Tuple[Tensor, Tensor]:
    return torch.adaptive_max_pool2d(input, output_size)


def adaptive_max_pool3d(input: Tensor, output_size: BroadcastingList3[int], return_indices: bool = False) -> Tensor:
    return torch.adaptive_max_pool3d(input, output_size)[0]


def adaptive_max_pool3d_return_indices(input: Tensor, output_size: BroadcastingList3[int],
                                       return_indices: bool = False) -> Tuple[Tensor, Tensor]:
    return torch.adaptive_max_pool3d(input, output_size)


def _fractional_sizes(name: str, input: Tensor, rank: int, output_size: Optional[List[int]],
                      output_ratio: Optional[List[float]]) -> List[int]:
    if output_size is not None:
        return output_size
    if output_ratio is None:
        raise ValueError(f"{name} requires specifying either an output_size or an output_ratio")
    return [int(input.size(d - rank) * output_ratio[d]) for d in range(rank)]


def _fractional_samples(input: Tensor, rank: int, samples: Optional[Tensor]) -> Tensor:
    if samples is not None:
        return samples
    batch = 1 if input.dim() == rank + 1 else input.size(0)
    return torch.rand([batch, input.size(-rank - 1), rank], dtype=input.dtype, device=input.device)


def fractional_max_pool2d_with_indices(input: Tensor, kernel_size: BroadcastingList2[int],
                                     output_size: Optional[BroadcastingList2[int]] = None,
                                     output_ratio: Optional[BroadcastingList2[float]] = None, return_indices: bool = False,
                                     _random_samples: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
    sizes = _fractional_sizes("fractional_max_pool2d", input, 2, output_size, output_ratio)
    return torch.fractional_max_pool2d(input, kernel_size, sizes, _fractional_samples(input, 2, _random_samples))


def fractional_max_pool2d_return_indices(input: Tensor, kernel_size: BroadcastingList2[int],
                                         output_size: Optional[BroadcastingList2[int]] = None,
                                         output_ratio: Optional[BroadcastingList2[float]] = None, return_indices: bool = False,
                                         _random_samples: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
    return fractional_max_pool2d_with_indices(input, kernel_size, output_size, output_ratio, return_indices, _random_samples)


def fractional_max_pool2d(input: Tensor, kernel_size: BroadcastingList2[int],
                          output_size: Optional[BroadcastingList2[int]] = None,
                          output_ratio: Optional[BroadcastingList2[float]] = None, return_indices: bool = False,
                          _random_samples: Optional[Tensor] = None) -> Tensor:
    return fractional_max_pool2d_with_indices(input, kernel_size, output_size, output_ratio, return_indices,
                                              _random_samples)[0]


def fractional_max_pool3d_with_indices(input: Tensor, kernel_size: BroadcastingList3[int],
                                     output_size: Optional[BroadcastingList3[int]] = None,
                                     output_ratio: Optional[BroadcastingList3[float]] = None, return_indices: bool = False,
                                     _random_samples: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
    sizes = _fractional_sizes("fractional_max_pool3d", input, 3, output_size, output_ratio)
    return torch.fractional_max_pool3d(input, kernel_size, sizes, _fractional_samples(input, 3, _random_samples))


def fractional_max_pool3d_return_indices(input: Tensor, kernel_size: BroadcastingList3[int],
                                         output_size: Optional[BroadcastingList3[int]] = None,
                                         output_ratio: Optional[BroadcastingList3[float]] = None, return_indices: bool = False,
                                         _random_samples: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
    return fractional_max_pool3d_with_indices(input, kernel_size, output_size, output_ratio, return_indices, _random_samples)


def fractional_max_pool3d(input: Tensor, kernel_size: BroadcastingList3[int],
                          output_size: Optional[BroadcastingList3[int]] = None,
                          output_ratio: Optional[BroadcastingList3[float]] = None, return_indices: bool = False,
                          _random_samples: Optional[Tensor] = None) -> Tensor:
    return fractional_max_pool3d_with_indices(input, kernel_size, output_size, output_ratio, return_indices,
                                              _random_samples)[0]


def _unpooled_size(input: Tensor, kernel_size: List[int], stride: List[int], padding: List[int],
                   output_size: Optional[List[int]]) -> List[int]:
    rank = len(kernel_size)
    pooled = input.size()[-rank:]
    usual = [(pooled[d] - 1) * stride[d] + kernel_size[d] - 2 * padding[d] for d in range(rank)]
    if output_size is None:
        return usual
    size = output_size[2:] if len(output_size) == rank + 2 else output_size
    if len(size) != rank:
        raise ValueError("output_size should be a sequence containing {} or {} elements, but it has a length of '{}'".format(
            rank, rank + 2, len(size)))
    for d in range(rank):
        low, high = usual[d] - stride[d], usual[d] + stride[d]
        if not low < size[d] < high:
            raise ValueError("invalid output_size \"{}\" (dim {} must be between {} and {})".format(size, d, low, high))
    return size


def max_unpool1d(input: Tensor, indices: Tensor, kernel_size: BroadcastingList1[int], stride: Optional[BroadcastingList1[int]] = None,
                 padding: BroadcastingList1[int] = 0, output_size: Optional[BroadcastingList1[int]] = None) -> Tensor:
    size = _unpooled_size(input, kernel_size, kernel_size if stride is None else stride, padding, output_size)
    return torch.max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), size + [1]).squeeze(-1)


def max_unpool2d(input: Tensor, indices: Tensor, kernel_size: BroadcastingList2[int], stride: Optional[BroadcastingList2[int]] = None,
                 padding: BroadcastingList2[int] = 0, output_size: Optional[BroadcastingList2[int]] = None) -> Tensor:
    size = _unpooled_size(input, kernel_size, kernel_size if stride is None else stride, padding, output_size)
    return torch.max_unpool2d(input, indices, size)


def max_unpool3d(input: Tensor, indices: Tensor, kernel_size: BroadcastingList3[int], stride: Optional[BroadcastingList3[int]] = None,
                 padding: BroadcastingList3[int] = 0, output_size: Optional[BroadcastingList3[int]] = None) -> Tensor:
    steps = kernel_size if stride is None else stride
    size = _unpooled_size(input, kernel_size, steps, padding, output_size)
    return torch.max_unpool3d(input, indices, size, steps, padding)


def lp_pool1d(input: Tensor, norm_type: number, kernel_size: int, stride: Optional[int] = None,
              ceil_mode: bool = False) -> Tensor:
    step = kernel_size if stride is None else stride
    mean = torch.avg_pool1d(input.pow(norm_type), [kernel_size], [step], [0], ceil_mode)
    return (torch.sign(mean) * torch.relu(torch.abs(mean))).mul(kernel_size).pow(1.0 / norm_type)


def lp_pool2d(input: Tensor, norm_type: number, kernel_size: BroadcastingList2[int], stride: Optional[BroadcastingList2[int]] = None,
              ceil_mode: bool = False) -> Tensor:
    steps = kernel_size if stride is None else stride
    mean = torch.avg_pool2d(input.pow(norm_type), kernel_size, steps, [0, 0], ceil_mode)
    area = kernel_size[0] * kernel_size[1]
    return (torch.sign(mean) * torch.relu(torch.abs(mean))).mul(area).pow(1.0 / norm_type)


# Losses.

def _reduction(reduction: str, size_average: Optional[bool] = None, reduce: Optional[bool] = None) -> int:
    if size_average is not None or reduce is not None: # how it was said before `reduction` came
        if reduce is not None and not reduce:
            return 0
        return 2 if size_average is not None and not size_average else 1
    if reduction == "none":
        return 0
    if reduction == "mean" or reduction == "elementwise_mean":
        return 1
    if reduction == "sum":
        return 2
    raise ValueError("{} is not a valid value for reduction".format(reduction))


def mse_loss(input: Tensor, target: Tensor, size_average: Optional[bool] = None, reduce: Optional[bool] = None,
             reduction: str = "mean") -> Tensor:
    pair = torch.broadcast_tensors([input, target])
    return torch.mse_loss(pair[0], pair[1], _reduction(reduction, size_average, reduce))


def l1_loss(input: Tensor, target: Tensor, size_average: Optional[bool] = None, reduce: Optional[bool] = None,
            reduction: str = "mean") -> Tensor:
    pair = torch.broadcast_tensors([input, target])
    return torch.l1_loss(pair[0], pair[1], _reduction(reduction, size_average, reduce))


def smooth_l1_loss(input: Tensor, target: Tensor, size_average: Optional[bool] = None, reduce: Optional[bool] = None,
                   reduction: str = "mean", beta: float = 1.0) -> Tensor:
    pair = torch.broadcast_tensors([input, target])
    return torch.smooth_l1_loss(pair[0], pair[1], _reduction(reduction, size_average, reduce), beta)


def huber_loss(input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0) -> Tensor:
    pair = torch.broadcast_tensors([input, target])
    return torch.huber_loss(pair[0], pair[1], _reduction(reduction), delta)


def nll_loss(input: Tensor, target: Tensor, weight: Optional[Tensor] = None, size_average: Optional[bool] = None,
             ignore_index: int = -100, reduce: Optional[bool] = None, reduction: str = "mean") -> Tensor:
    return torch.nll_loss_nd(input, target, weight, _reduction(reduction, size_average, reduce), ignore_index)


def cross_entropy(input: Tensor, target: Tensor, weight: Optional[Tensor] = None,
                  size_average: Optional[bool] = None, ignore_index: int = -100, reduce: Optional[bool] = None,
                  reduction: str = "mean", label_smoothing: float = 0.0) -> Tensor:
    return torch.cross_entropy_loss(input, target, weight, _reduction(reduction, size_average, reduce), ignore_index, label_smoothing)


def binary_cross_entropy(input: Tensor, target: Tensor, weight: Optional[Tensor] = None,
                         size_average: Optional[bool] = None, reduce: Optional[bool] = None,
                         reduction: str = "mean") -> Tensor:
    if target.size() != input.size():
        raise ValueError("Using a target size ({}) that is different to the input size ({}) is deprecated. "
                         "Please ensure they have the same size.".format(target.size(), input.size()))
    return torch.binary_cross_entropy(input, target, weight, _reduction(reduction, size_average, reduce))


def binary_cross_entropy_with_logits(input: Tensor, target: Tensor, weight: Optional[Tensor] = None,
                                     size_average: Optional[bool] = None, reduce: Optional[bool] = None,
                                     reduction: str = "mean", pos_weight: Optional[Tensor] = None) -> Tensor:
    if target.size() != input.size():
        raise ValueError("Target size ({}) must be the same as input size ({})".format(target.size(), input.size()))
    return torch.binary_cross_entropy_with_logits(input, target, weight, pos_weight, _reduction(reduction, size_average, reduce))


def kl_div(input: Tensor, target: Tensor, size_average: Optional[bool] = None, reduce: Optional[bool] = None,
           reduction: str = "mean", log_target: bool = False) -> Tensor:
    if reduction == "batchmean":
        total = torch.kl_div(input, target, 2, log_target=log_target)
        return total / input.size(0) if input.dim() != 0 else total
    return torch.kl_div(input, target, _reduction(reduction, size_average, reduce), log_target=log_target)


def poisson_nll_loss(input: Tensor, target: Tensor, log_input: bool = True, full: bool = False,
                     size_average: Optional[bool] = None, eps: float = 1e-8, reduce: Optional[bool] = None,
                     reduction: str = "mean") -> Tensor:
    return torch.poisson_nll_loss(input, target, log_input, full, eps, _reduction(reduction, size_average, reduce))


def gaussian_nll_loss(input: Tensor, target: Tensor, var: Tensor, full: bool = False, eps: float = 1e-6,
                      reduction: str = "mean") -> Tensor:
    if torch.any(var < 0):
        raise ValueError("var has negative entry/entries")
    spread = var.clone()
    spread.clamp_(min=eps)
    loss = 0.5 * (torch.log(spread) + (input - target) ** 2 / spread)
    if full:
        loss = loss + 0.9189385332046727
    if reduction == "mean":
        return loss.mean()
    if reduction == "sum":
        return loss.sum()
    return loss


def hinge_embedding_loss(input: Tensor, target: Tensor, margin: float = 1.0, size_average: Optional[bool] = None,
                         reduce: Optional[bool] = None, reduction: str = "mean") -> Tensor:
    return torch.hinge_embedding_loss(input, target, margin, _reduction(reduction, size_average, reduce))


def margin_ranking_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0,
                        size_average: Optional[bool] = None, reduce: Optional[bool] = None,
                        reduction: str = "mean") -> Tensor:
    if input1.dim() != input2.dim() or input1.dim() != target.dim():
        raise RuntimeError("margin_ranking_loss : All input tensors should have same dimension but got sizes: "
                           "input1: {}, input2: {}, target: {} ".format(input1.size(), input2.size(), target.size()))
    return torch.margin_ranking_loss(input1, input2, target, margin, _reduction(reduction, size_average, reduce))


def cosine_embedding_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0,
                          size_average: Optional[bool] = None, reduce: Optional[bool] = None,
                          reduction: str = "mean") -> Tensor:
    return torch.cosine_embedding_loss(input1, input2, target, margin, _reduction(reduction, size_average, reduce))


def soft_margin_loss(input: Tensor, target: Tensor, size_average: Optional[bool] = None,
                     reduce: Optional[bool] = None, reduction: str = "mean") -> Tensor:
    return torch.soft_margin_loss(input, target, _reduction(reduction, size_average, reduce))


def multi_margin_loss(input: Tensor, target: Tensor, p: int = 1, margin: float = 1.0,
                      weight: Optional[Tensor] = None, size_average: Optional[bool] = None,
                      reduce: Optional[bool] = None, reduction: str = "mean") -> Tensor:
    if p != 1 and p != 2:
        raise ValueError("only p == 1 and p == 2 supported")
    return torch.multi_margin_loss(input, target, p, margin, weight, _reduction(reduction, size_average, reduce))


def multilabel_margin_loss(input: Tensor, target: Tensor, size_average: Optional[bool] = None,
                           reduce: Optional[bool] = None, reduction: str = "mean") -> Tensor:
    return torch.multilabel_margin_loss(input, target, _reduction(reduction, size_average, reduce))


def multilabel_soft_margin_loss(input: Tensor, target: Tensor, weight: Optional[Tensor] = None,
                                size_average: Optional[bool] = None, reduce: Optional[bool] = None,
                                reduction: str = "mean") -> Tensor:
    how = _reduction(reduction, size_average, reduce)
    losses = -(target * torch.log_sigmoid(input) + (1 - target) * torch.log_sigmoid(-input))
    if weight is not None:
        losses = losses * weight
    losses = losses.sum(dim=-1) / input.size(-1)
    return losses if how == 0 else (losses.mean() if how == 1 else losses.sum())


def ctc_loss(log_probs: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor, blank: int = 0,
             reduction: str = "mean", zero_infinity: bool = False) -> Tensor:
    return torch.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, _reduction(reduction), zero_infinity)


def triplet_margin_loss(anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2.0,
                        eps: float = 1e-6, swap: bool = False, size_average: Optional[bool] = None,
                        reduce: Optional[bool] = None, reduction: str = "mean") -> Tensor:
    return torch.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, _reduction(reduction, size_average, reduce))


# Embeddings, padding, resampling.

def embedding(input: Tensor, weight: Tensor, padding_idx: Optional[int] = None, max_norm: Optional[float] = None,
              norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False) -> Tensor:
    rows = weight.size(0)
    pad = -1
    if padding_idx is not None:
        if padding_idx > 0:
            assert padding_idx < rows, "Padding_idx must be within num_embeddings"
            pad = padding_idx
        else:
            assert padding_idx >= -rows, "Padding_idx must be within num_embeddings"
            pad = rows + padding_idx if padding_idx < 0 else padding_idx
    if max_norm is not None:
        input = input.contiguous()
        torch.embedding_renorm_(weight.detach(), input, max_norm, norm_type)
    return torch.embedding(weight, input, pad, scale_grad_by_freq, sparse)


def embedding_bag(input: Tensor, weight: Tensor, offsets: Optional[Tensor] = None, max_norm: Optional[float] = None,
                  norm_type: float = 2.0, scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False,
                  per_sample_weights: Optional[Tensor] = None, include_last_offset: bool = False,
                  padding_idx: Optional[int] = None) -> Tensor:
    if weight.dtype == torch.long and input.is_floating_point():
        warnings.warn("Argument order of nn.functional.embedding_bag was changed. "
                      "Usage `embedding_bag(weight, input, ...)` is deprecated, "
                      "and should now be `embedding_bag(input, weight, ...)`.")
        input, weight = weight, input
    if per_sample_weights is not None and input.size() != per_sample_weights.size():
        raise ValueError("embedding_bag: If per_sample_weights ({}) is not None, then it must have the same shape as the "
                         "input ({})".format(per_sample_weights.shape, input.shape))
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError("if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length "
                             "sequences. However, found offsets of type <unknown>")
        offsets = torch.arange(0, input.numel(), input.size(1), dtype=input.dtype, device=input.device)
        input = input.reshape(-1)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
    elif input.dim() == 1:
        if offsets is None:
            raise ValueError("offsets has to be a 1D Tensor but got None")
        if offsets.dim() != 1:
            raise ValueError("offsets has to be a 1D Tensor")
    else:
        raise ValueError("input has to be 1D or 2D Tensor, but got Tensor of dimension {}".format(input.dim()))
    if mode == "sum":
        how = 0
    elif mode == "mean":
        how = 1
    elif mode == "max":
        how = 2
        if scale_grad_by_freq:
            raise ValueError("max mode does not support scaling the gradient by the frequency")
        if sparse:
            raise ValueError("max mode does not support sparse weights")
    else:
        raise ValueError("mode has to be one of sum, mean or max")
    if max_norm is not None:
        torch.embedding_renorm_(weight.detach(), input, max_norm, norm_type)
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError("embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for "
                                  "mode='sum' (got mode='{}'). Please open a feature request on GitHub.".format(mode))
    return torch.embedding_bag(weight, input, offsets, scale_grad_by_freq, how, sparse, per_sample_weights, include_last_offset,
                               padding_idx)[0]


def pad(input: Tensor, pad: List[int], mode: str = "constant", value: Optional[float] = None) -> Tensor:
    return torch.pad(input, pad, mode, value)


def unfold(input: Tensor, kernel_size: BroadcastingList2[int], dilation: BroadcastingList2[int] = 1,
           padding: BroadcastingList2[int] = 0, stride: BroadcastingList2[int] = 1) -> Tensor:
    return torch.im2col(input, kernel_size, dilation, padding, stride)


def fold(input: Tensor, output_size: BroadcastingList2[int], kernel_size: BroadcastingList2[int],
         dilation: BroadcastingList2[int] = 1, padding: BroadcastingList2[int] = 0, stride: BroadcastingList2[int] = 1) -> Tensor:
    return torch.col2im(input, output_size, kernel_size, dilation, padding, stride)


def _check_resampling(spatial: int, size: Optional[List[int]], scales: Optional[List[float]], mode: str,
                      align_corners: Optional[bool], recompute_scale_factor: Optional[bool], antialias: bool) -> None:
    if align_corners is not None and (mode == "nearest" or mode == "area" or mode == "nearest-exact"):
        raise ValueError("align_corners option can only be set with the interpolating modes: "
                         "linear | bilinear | bicubic | trilinear")
    if size is None and scales is None:
        raise ValueError("either size or scale_factor should be defined")
    if size is not None:
        if scales is not None:
            raise ValueError("only one of size or scale_factor should be defined")
        if len(size) != spatial and len(size) != 1:
            raise ValueError("Input and output must have the same number of spatial dimensions, but got input with "
                             "{} spatial dimensions and output size of {}.".format(spatial, size))
        if recompute_scale_factor is not None and recompute_scale_factor:
            raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    if scales is not None and len(scales) != spatial and len(scales) != 1:
        raise ValueError("Input and scale_factor must have the same number of spatial dimensions, but got input with "
                         "{} spatial dimensions and scale_factor of shape {}.".format(spatial, scales))
    if antialias and not (spatial == 2 and (mode == "bilinear" or mode == "bicubic")):
        raise ValueError("Anti-alias option is only supported for bilinear and bicubic modes")


def interpolate(input: Tensor, size: Optional[BroadcastingList1[int]] = None, scale_factor: Optional[BroadcastingList1[float]] = None,
                mode: str = "nearest", align_corners: Optional[bool] = None,
                recompute_scale_factor: Optional[bool] = None, antialias: bool = False) -> Tensor:
    spatial = input.dim() - 2
    _check_resampling(spatial, size, scale_factor, mode, align_corners, recompute_scale_factor, antialias)
    corners = False if align_corners is None else align_corners
    recompute = mode == "area" if recompute_scale_factor is None else recompute_scale_factor
    target = size
    scales = scale_factor
    if target is not None and len(target) == 1 and spatial > 1:
        target = [target[0] for _ in range(spatial)]
    if scales is not None and len(scales) == 1 and spatial > 1:
        scales = [scales[0] for _ in range(spatial)]
    if scales is not None and (recompute or mode == "area"):
        target = [int(input.size(i + 2) * scales[i]) for i in range(spatial)]
        scales = None
    if mode == "nearest":
        if spatial == 1:
            return torch.upsample_nearest1d(input, target, scales)
        if spatial == 2:
            return torch.upsample_nearest2d(input, target, scales)
        if spatial == 3:
            return torch.upsample_nearest3d(input, target, scales)
    if mode == "nearest-exact":
        if spatial == 1:
            return torch._upsample_nearest_exact1d(input, target, scales)
        if spatial == 2:
            return torch._upsample_nearest_exact2d(input, target, scales)
        if spatial == 3:
            return torch._upsample_nearest_exact3d(input, target, scales)
    if mode == "linear" and spatial == 1:
        return torch.upsample_linear1d(input, target, corners, scales)
    if mode == "bilinear" and spatial == 2:
        if antialias:
            return torch._upsample_bilinear2d_aa(input, target, corners, scales)
        return torch.upsample_bilinear2d(input, target, corners, scales)
    if mode == "trilinear" and spatial == 3:
        return torch.upsample_trilinear3d(input, target, corners, scales)
    if mode == "bicubic" and spatial == 2:
        if antialias:
            return torch._upsample_bicubic2d_aa(input, target, corners, scales)
        return torch.upsample_bicubic2d(input, target, corners, scales)
    if mode == "area":
        assert target is not None
        if spatial == 1:
            return torch.adaptive_avg_pool1d(input, target)
        if spatial == 2:
            return torch.adaptive_avg_pool2d(input, target)
        if spatial == 3:
            return torch.adaptive_avg_pool3d(input, target)
    raise NotImplementedError("Input Error: Only 3D, 4D and 5D input Tensors supported (got {}D) for the modes: nearest | "
                              "linear | bilinear | bicubic | trilinear | area | nearest-exact "
                              "(got {})".format(input.dim(), mode))


def upsample(input: Tensor, size: Optional[BroadcastingList1[int]] = None, scale_factor: Optional[BroadcastingList1[float]] = None,
             mode: str = "nearest", align_corners: Optional[bool] = None) -> Tensor:
    warnings.warn("nn.functional.upsample is deprecated. Use nn.functional.interpolate instead.")
    return interpolate(input, size, scale_factor, mode, align_corners)


def grid_sample(input: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros",
                align_corners: Optional[bool] = None) -> Tensor:
    if mode != "bilinear" and mode != "nearest" and mode != "bicubic":
        raise ValueError("nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', "
                         "but got: '{}'".format(mode))
    if padding_mode != "zeros" and padding_mode != "border" and padding_mode != "reflection":
        raise ValueError("nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', "
                         "but got: '{}'".format(padding_mode))
    how = 0 if mode == "bilinear" else (1 if mode == "nearest" else 2)
    outside = 0 if padding_mode == "zeros" else (1 if padding_mode == "border" else 2)
    corners = False if align_corners is None else align_corners
    return torch.grid_sampler(input, grid, how, outside, corners)


def affine_grid(theta: Tensor, size: List[int], align_corners: Optional[bool] = None) -> Tensor:
    corners = False if align_corners is None else align_corners
    rank = len(size) - 2
    fits = (rank == 2 or rank == 3) and theta.dim() == 3 and theta.shape[1] == rank and theta.shape[2] == rank + 1
    if fits and min(size) <= 0 and not (corners and min(size[2:]) == 1):  # what does not fit, the operator refuses
        raise ValueError("Expected non-zero, positive output size. Got {}".format(size))
    return torch.affine_grid_generator(theta, size, corners)


def gumbel_softmax(logits: Tensor, tau: float = 1.0, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    gumbels = -torch.empty_like(logits, memory_format=torch.contiguous_format).exponential_().log()
    soft = ((logits + gumbels) / tau).softmax(dim)
    if hard:
        index = soft.max(dim, keepdim=True)[1]
        one = torch.zeros_like(logits).scatter_(dim, index, 1.0)
        return one - soft.detach() + soft
    return soft
