# Norms: they compute with the real numbers and quantize their result. The statistics of a batch norm are given, so that
# it is one factor and one summand for each channel, in units of the result's scale; they are rounded once, as a fused
# multiply-add would be.
import torch
import torch.nn.functional as F
from typing import List, Optional, Tuple
from torch import Tensor


def _batch_normed(qx: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], mean: Tensor, var: Tensor, eps: float,
                  output_scale: float, output_zero_point: int, relu: bool) -> Tensor:
    shape: List[int] = [1, -1]
    for _ in range(qx.dim() - 2):
        shape.append(1)
    inverse = 1.0 / torch.sqrt(var + eps)
    if weight is not None:
        inverse = inverse * weight
    scales = torch.tensor([torch.q_scale(qx), output_scale], dtype=torch.float32)
    factor = inverse * (scales[0] / scales[1])
    summand = -mean * inverse
    if bias is not None:
        summand = bias - mean * inverse
    summand = summand / scales[1]
    centred = torch.int_repr(qx).to(torch.float64) - torch.q_zero_point(qx)
    result = centred * factor.to(torch.float64).view(shape) + summand.to(torch.float64).view(shape)
    units = result.to(torch.float32)
    if relu:
        units = torch.relu(units)
    quantized = torch.quantize_per_tensor(units, 1.0, output_zero_point, qx.dtype)
    return torch.ops.tsc.with_quantizer(quantized, output_scale, output_zero_point)


def batch_norm(qx: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], mean: Tensor, var: Tensor, eps: float,
               output_scale: float, output_zero_point: int) -> Tensor:
    return _batch_normed(qx, weight, bias, mean, var, eps, output_scale, output_zero_point, False)


def batch_norm_relu(qx: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], mean: Tensor, var: Tensor, eps: float,
                    output_scale: float, output_zero_point: int) -> Tensor:
    return _batch_normed(qx, weight, bias, mean, var, eps, output_scale, output_zero_point, True)


def batch_norm1d(qx: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], mean: Tensor, var: Tensor, eps: float,
                 output_scale: float, output_zero_point: int) -> Tensor:
    return _batch_normed(qx, weight, bias, mean, var, eps, output_scale, output_zero_point, False)


def batch_norm1d_relu(qx: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], mean: Tensor, var: Tensor,
                      eps: float, output_scale: float, output_zero_point: int) -> Tensor:
    return _batch_normed(qx, weight, bias, mean, var, eps, output_scale, output_zero_point, True)


def batch_norm2d(qx: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], mean: Tensor, var: Tensor, eps: float,
                 output_scale: float, output_zero_point: int) -> Tensor:
    return _batch_normed(qx, weight, bias, mean, var, eps, output_scale, output_zero_point, False)


def batch_norm2d_relu(qx: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], mean: Tensor, var: Tensor,
                      eps: float, output_scale: float, output_zero_point: int) -> Tensor:
    return _batch_normed(qx, weight, bias, mean, var, eps, output_scale, output_zero_point, True)


def batch_norm3d(qx: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], mean: Tensor, var: Tensor, eps: float,
                 output_scale: float, output_zero_point: int) -> Tensor:
    return _batch_normed(qx, weight, bias, mean, var, eps, output_scale, output_zero_point, False)


def batch_norm3d_relu(qx: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], mean: Tensor, var: Tensor,
                      eps: float, output_scale: float, output_zero_point: int) -> Tensor:
    return _batch_normed(qx, weight, bias, mean, var, eps, output_scale, output_zero_point, True)


def layer_norm(input: Tensor, normalized_shape: List[int], weight: Optional[Tensor], bias: Optional[Tensor], eps: float,
               output_scale: float, output_zero_point: int) -> Tensor:
    result = F.layer_norm(torch.dequantize(input), normalized_shape, weight, bias, eps)
    return torch.quantize_per_tensor(result, output_scale, output_zero_point, input.dtype)


def group_norm(input: Tensor, num_groups: int, weight: Optional[Tensor], bias: Optional[Tensor], eps: float,
               output_scale: float, output_zero_point: int) -> Tensor:
    result = F.group_norm(torch.dequantize(input), num_groups, weight, bias, eps)
    return torch.quantize_per_tensor(result, output_scale, output_zero_point, input.dtype)


def instance_norm(input: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], eps: float, output_scale: float,
                  output_zero_point: int) -> Tensor:
    result = F.instance_norm(torch.dequantize(input), None, None, weight, bias, True, 0.1, eps)
    return torch.quantize_per_tensor(result, output_scale, output_zero_point, input.dtype)
