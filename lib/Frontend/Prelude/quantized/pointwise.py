import torch
import torch.nn.functional as F
from typing import List, Optional, Tuple
from torch import Tensor


# Point-wise operators compute with the real numbers and quantize their result.

def add(qa: Tensor, qb: Tensor, scale: float, zero_point: int) -> Tensor:
    return torch.ops.tsc.quantized_pair(qa, qb, scale, zero_point, False, False)


def add_relu(qa: Tensor, qb: Tensor, scale: float, zero_point: int) -> Tensor:
    return torch.ops.tsc.quantized_pair(qa, qb, scale, zero_point, False, True)


def mul(qa: Tensor, qb: Tensor, scale: float, zero_point: int) -> Tensor:
    return torch.ops.tsc.quantized_pair(qa, qb, scale, zero_point, True, False)


def mul_relu(qa: Tensor, qb: Tensor, scale: float, zero_point: int) -> Tensor:
    return torch.ops.tsc.quantized_pair(qa, qb, scale, zero_point, True, True)


def _cat_of(qx: List[Tensor], dim: int, scale: Optional[float], zero_point: Optional[int], relu: bool) -> Tensor:
    parts: List[Tensor] = []
    for x in qx:
        parts.append(torch.dequantize(x))
    to_scale = torch.q_scale(qx[0]) if scale is None else scale
    to_zero = torch.q_zero_point(qx[0]) if zero_point is None else zero_point
    joined = torch.cat(parts, dim)
    return torch.quantize_per_tensor(torch.relu(joined) if relu else joined, to_scale, to_zero, qx[0].dtype)


def cat(qx: List[Tensor], dim: int, scale: Optional[float], zero_point: Optional[int]) -> Tensor:
    return _cat_of(qx, dim, scale, zero_point, False)


def cat_relu(qx: List[Tensor], dim: int, scale: Optional[float], zero_point: Optional[int]) -> Tensor:
    return _cat_of(qx, dim, scale, zero_point, True)


# A number is added to the zero point, as long as this stays an integer of the type; else the integers move to a new scale
# that reaches from the one end of the type to the other. A factor changes the scale.

def _bounds(qx: Tensor) -> Tuple[int, int]:
    if qx.dtype == torch.quint8:
        return 0, 255
    if qx.dtype == torch.qint8:
        return -128, 127
    return -2147483648, 2147483647


def _plus_number(qa: Tensor, b: number, relu: bool) -> Tensor:
    low, high = _bounds(qa)
    scale = torch.q_scale(qa)
    moved = torch.q_zero_point(qa) - int(torch.round(torch.tensor(float(b) / scale, dtype=torch.float64)).item())
    result = torch.ops.tsc.with_quantizer(qa, scale, min(max(moved, low), high))
    if moved < low or moved > high:
        whole = float(high) - low
        new_scale = (float(high) - moved) / whole * scale if moved < low else (float(moved) - low) / whole * scale
        reals = (torch.int_repr(qa).to(torch.float32) - moved) * scale
        result = torch.quantize_per_tensor(reals, new_scale, low if moved < low else high, qa.dtype)
    return torch.relu(result) if relu else result


def _times_number(qa: Tensor, b: number, relu: bool) -> Tensor:
    low, high = _bounds(qa)
    scale = torch.q_scale(qa)
    zero_point = torch.q_zero_point(qa)
    factor = float(b)
    if factor > 0:
        result = torch.ops.tsc.with_quantizer(qa, scale * factor, zero_point)
    elif factor == 0:
        result = torch.quantize_per_tensor(torch.zeros_like(torch.dequantize(qa)), 1.0, 0, qa.dtype)
    else:
        turned = (low + high - torch.int_repr(qa).to(torch.int64)).to(torch.int_repr(qa).dtype)
        result = torch._make_per_tensor_quantized_tensor(turned, -factor * scale, low + high - zero_point)
    return torch.relu(result) if relu else result


def _add_of_number(qa: Tensor, b: number) -> Tensor:
    return _plus_number(qa, b, False)


def _add_of_number_first(b: number, qa: Tensor) -> Tensor:
    return _plus_number(qa, b, False)


def _add_relu_of_number(qa: Tensor, b: number) -> Tensor:
    return _plus_number(qa, b, True)


def _add_relu_of_number_first(b: number, qa: Tensor) -> Tensor:
    return _plus_number(qa, b, True)


def _mul_of_number(qa: Tensor, b: number) -> Tensor:
    return _times_number(qa, b, False)


def _mul_of_number_first(b: number, qa: Tensor) -> Tensor:
    return _times_number(qa, b, False)


def _mul_relu_of_number(qa: Tensor, b: number) -> Tensor:
    return _times_number(qa, b, True)


def _mul_relu_of_number_first(b: number, qa: Tensor) -> Tensor:
    return _times_number(qa, b, True)


def add_scalar(qa: Tensor, b: number) -> Tensor:
    return _plus_number(qa, b, False)


def _add_scalar_of_tensor(qa: Tensor, b: Tensor) -> Tensor:
    return _plus_number(qa, b.item(), False)


def add_scalar_relu(qa: Tensor, b: number) -> Tensor:
    return _plus_number(qa, b, True)


def _add_scalar_relu_of_tensor(qa: Tensor, b: Tensor) -> Tensor:
    return _plus_number(qa, b.item(), True)


def mul_scalar(qa: Tensor, b: number) -> Tensor:
    return _times_number(qa, b, False)


def _mul_scalar_of_tensor(qa: Tensor, b: Tensor) -> Tensor:
    return _times_number(qa, b.item(), False)


def mul_scalar_relu(qa: Tensor, b: number) -> Tensor:
    return _times_number(qa, b, True)


def _mul_scalar_relu_of_tensor(qa: Tensor, b: Tensor) -> Tensor:
    return _times_number(qa, b.item(), True)


def matmul(qa: Tensor, qb: Tensor, scale: float, zero_point: int) -> Tensor:
    product = torch.matmul(torch.dequantize(qa), torch.dequantize(qb))
    return torch.quantize_per_tensor(product, scale, zero_point, qa.dtype)


# Functions that keep the operand's scale.

def relu6(qx: Tensor, inplace: bool = False) -> Tensor:
    result = torch.clamp(qx, 0, 6)
    return qx.copy_(result) if inplace else result


def clamp(qx: Tensor, min: Optional[number] = None, max: Optional[number] = None) -> Tensor:
    return torch.clamp(qx, min, max)


def threshold(qx: Tensor, threshold: number, value: number) -> Tensor:
    reals = F.threshold(torch.dequantize(qx), float(threshold), float(value))
    return torch.quantize_per_tensor(reals, torch.q_scale(qx), torch.q_zero_point(qx), qx.dtype)


def max_pool1d(qx: Tensor, kernel_size: List[int], stride: List[int], padding: List[int], dilation: List[int],
               ceil_mode: bool) -> Tensor:
    pooled = torch.max_pool2d(qx.unsqueeze(-2), [1] + kernel_size, [1] + stride, [0] + padding, [1] + dilation, ceil_mode)
    return pooled.squeeze(-2)


def max_pool2d(qx: Tensor, kernel_size: List[int], stride: List[int], padding: List[int], dilation: List[int],
               ceil_mode: bool) -> Tensor:
    return torch.max_pool2d(qx, kernel_size, stride, padding, dilation, ceil_mode)


def dropout(self: Tensor, output_scale: float, output_zero_point: int, p: number = 0.5,
            training: bool = False) -> Tensor:
    if not training:
        return self
    dropped = torch.dropout(torch.dequantize(self), float(p), True)
    return torch.quantize_per_tensor(dropped, output_scale, output_zero_point, self.dtype)


# Functions with a scale of their own, rounded as PyTorch's vector kernels do.

def sigmoid(qx: Tensor, output_scale: float, output_zero_point: int) -> Tensor:
    return torch.quantize_per_tensor(torch.sigmoid(torch.ops.tsc.quantized_expand(qx)), output_scale, output_zero_point, qx.dtype)


def hardswish(input: Tensor, output_scale: float, output_zero_point: int) -> Tensor:
    return torch.quantize_per_tensor(F.hardswish(torch.ops.tsc.quantized_expand(input)), output_scale, output_zero_point, input.dtype)


def leaky_relu(qx: Tensor, negative_slope: number, inplace: bool, output_scale: float,
               output_zero_point: int) -> Tensor:
    reals = F.leaky_relu(torch.ops.tsc.quantized_expand(qx), float(negative_slope))
    result = torch.quantize_per_tensor(reals, output_scale, output_zero_point, qx.dtype)
    return qx.copy_(result) if inplace else result


def elu(self: Tensor, output_scale: float, output_zero_point: int, alpha: number = 1, scale: number = 1,
        input_scale: number = 1) -> Tensor:
    reals = torch.elu(torch.ops.tsc.quantized_expand(self), alpha, scale, input_scale)
    return torch.quantize_per_tensor(reals, output_scale, output_zero_point, self.dtype)


def celu(self: Tensor, output_scale: float, output_zero_point: int, alpha: number = 1) -> Tensor:
    return torch.quantize_per_tensor(F.celu(torch.ops.tsc.quantized_expand(self), float(alpha)), output_scale, output_zero_point,
                                     self.dtype)


# What is positive has a slope, too: the number of the weight's scale that is nearest to one. Weights below one have a
# scale whose largest number is one of them. Products are those of integers.

def _integers_of(qx: Tensor) -> Tensor:
    return torch.dequantize(torch.ops.tsc.with_quantizer(qx, 1.0, torch.q_zero_point(qx)))


def prelu(qx: Tensor, weight: Tensor, output_scale: float, output_zero_point: int) -> Tensor:
    one = torch.quantize_per_tensor(torch.ones(1), torch.q_scale(weight), torch.q_zero_point(weight), weight.dtype)
    x = _integers_of(qx)
    products = torch.where(x > 0, x * _integers_of(one), torch.prelu(x, _integers_of(weight)))
    scale = torch.scalar_tensor(torch.q_scale(qx)) * torch.scalar_tensor(torch.q_scale(weight))
    rounded = torch.quantize_per_tensor(products * (scale * (1.0 / torch.scalar_tensor(output_scale))), 1.0,
                                        output_zero_point, qx.dtype)
    return torch.ops.tsc.with_quantizer(rounded, output_scale, output_zero_point)


def softmax(qx: Tensor, dim: int, output_scale: float, output_zero_point: int) -> Tensor:
    return torch.quantize_per_tensor(torch.softmax(torch.ops.tsc.quantized_expand(qx), dim), output_scale, output_zero_point, qx.dtype)
