# What torch.classes.quantized and torch.ops.quantized are: linear maps and convolutions whose weights are small integers,
# and whose input is quantized before (static) or for the call (dynamic). Sums of products of integers are exact: they
# are computed in float64, where every integer below 2^53 is one. Rounding is fbgemm's. An archive holds the state of a
# packed object as the tuple of its attributes, in the order in which they are declared.
import torch
import torch.nn.functional as F
from typing import List, Optional, Tuple
from torch import Tensor


class LinearPackedParamsBase:
    weight: Tensor
    bias: Optional[Tensor]

    def __init__(self, weight: Tensor, bias: Optional[Tensor]):
        self.weight = weight
        self.bias = bias

    def unpack(self) -> Tuple[Tensor, Optional[Tensor]]:
        return self.weight, self.bias


# The state of a convolution, version 2: numbers as a vector of int16, weight and bias beside it. The vector holds the
# number of dimensions, for each of them stride, padding, dilation and output padding, then groups, and whether it is
# transposed.

class Conv2dPackedParamsBase:
    version: str
    tensors: List[Tensor]
    optional_tensors: List[Optional[Tensor]]

    def __init__(self, version: str, tensors: List[Tensor], optional_tensors: List[Optional[Tensor]]):
        self.version = version
        self.tensors = tensors
        self.optional_tensors = optional_tensors

    def numbers(self, at: int) -> List[int]:
        config = self.tensors[0]
        dims = int(config[0].item())
        result: List[int] = []
        for i in range(dims):
            result.append(int(config[1 + at * dims + i].item()))
        return result

    def groups(self) -> int:
        return int(self.tensors[0][1 + 4 * int(self.tensors[0][0].item())].item())

    def stride(self) -> List[int]:
        return self.numbers(0)

    def padding(self) -> List[int]:
        return self.numbers(1)

    def dilation(self) -> List[int]:
        return self.numbers(2)

    def unpack(self) -> Tuple[Tensor, Optional[Tensor]]:
        return self.tensors[1], self.optional_tensors[0]

    def weight(self) -> Tensor:
        return self.tensors[1]

    def bias(self) -> Optional[Tensor]:
        return self.optional_tensors[0]


# The integers less their zero points, and the scale of each row.

def _centred(weight: Tensor) -> Tuple[Tensor, Tensor]:
    integers = torch.int_repr(weight).to(torch.float64)
    shape: List[int] = [-1]
    for _ in range(weight.dim() - 1):
        shape.append(1)
    if torch.ops.tsc.is_per_channel(weight):
        zeros = torch.q_per_channel_zero_points(weight).to(torch.float64).view(shape)
        return integers - zeros, torch.q_per_channel_scales(weight).to(torch.float32)
    return integers - float(torch.q_zero_point(weight)), torch.full([1], torch.q_scale(weight))


def _requantized(sums: Tensor, bias: Optional[Tensor], input_scale: float, scales: Tensor, output_scale: float,
                 output_zero_point: int, relu: bool, dims: int) -> Tensor:
    # The bias is brought to the sums' scale, and these to the output's, in float.
    shape: List[int] = [-1]
    for _ in range(dims):
        shape.append(1)
    products = scales * torch.tensor(input_scale, dtype=torch.float32)
    total = sums.to(torch.float32)
    if bias is not None:
        total = total + (bias * (1.0 / products)).view(shape)
    factors = products / torch.tensor(output_scale, dtype=torch.float32)
    moved = torch.round(total * factors.view(shape)) + output_zero_point
    low = output_zero_point if relu else 0
    return torch._make_per_tensor_quantized_tensor(torch.clamp(moved, low, 255).to(torch.uint8), output_scale,
                                                   output_zero_point)


def linear_prepack(W: Tensor, B: Optional[Tensor] = None) -> LinearPackedParamsBase:
    return LinearPackedParamsBase(W, B)


def linear_prepack_fp16(W: Tensor, B: Optional[Tensor] = None) -> LinearPackedParamsBase:
    return LinearPackedParamsBase(W.to(torch.float16).to(torch.float32), B)


def linear_unpack(W_prepack: LinearPackedParamsBase) -> Tuple[Tensor, Optional[Tensor]]:
    return W_prepack.weight, W_prepack.bias


def linear_unpack_fp16(W_prepack: LinearPackedParamsBase) -> Tuple[Tensor, Optional[Tensor]]:
    return W_prepack.weight, W_prepack.bias


# Scale and zero point for numbers between low and high: zero is one of the integers from 0 to `most`.

def _choose_parameters(low: float, high: float, most: int) -> Tuple[float, int]:
    low = min(low, 0.0)
    high = max(high, 0.0)
    scale = float(torch.tensor((high - low) / most, dtype=torch.float32).item())
    if scale == 0.0 or scale < 1.1754943508222875e-38:
        scale = 0.1
    if scale < 6.1e-5:
        before = scale
        scale = float(torch.tensor(6.1e-5, dtype=torch.float32).item())
        if low == 0.0:
            high = scale * most
        elif high == 0.0:
            low = -scale * most
        else:
            low = low * (scale / before)
            high = high * (scale / before)
    from_low = -low / scale
    from_high = most - high / scale
    nearest = from_low if abs(low / scale) < most + abs(high / scale) else from_high
    if nearest < 0:
        return scale, 0
    if nearest > most:
        return scale, most
    return scale, int(torch.round(torch.tensor(nearest, dtype=torch.float64)).item())


def linear_dynamic(X: Tensor, W_prepack: LinearPackedParamsBase, reduce_range: bool = False) -> Tensor:
    if X.numel() == 0:
        return X.new_zeros(X.size()[:-1] + [W_prepack.weight.size(0)])
    scale, zero_point = _choose_parameters(float(X.min().item()), float(X.max().item()), 127 if reduce_range else 255)
    inverse = 1.0 / torch.tensor(scale, dtype=torch.float32)
    integers = torch.clamp(torch.round(X * inverse) + zero_point, 0, 255).to(torch.float64) - zero_point
    weight, scales = _centred(W_prepack.weight)
    sums = torch.matmul(integers, weight.t()).to(torch.float32)
    result = sums * (scales * torch.tensor(scale, dtype=torch.float32))
    bias = W_prepack.bias
    if bias is not None:
        result = result + bias
    return result


def linear_relu_dynamic(X: Tensor, W_prepack: LinearPackedParamsBase, reduce_range: bool = False) -> Tensor:
    return torch.relu(linear_dynamic(X, W_prepack, reduce_range))


def linear_dynamic_fp16(X: Tensor, W_prepack: LinearPackedParamsBase) -> Tensor:
    return F.linear(X, W_prepack.weight, W_prepack.bias)


def linear_relu_dynamic_fp16(X: Tensor, W_prepack: LinearPackedParamsBase) -> Tensor:
    return torch.relu(F.linear(X, W_prepack.weight, W_prepack.bias))


def _input(X: Tensor) -> Tensor:
    return torch.int_repr(X).to(torch.float64) - float(torch.q_zero_point(X))


def linear(X: Tensor, W_prepack: LinearPackedParamsBase, Y_scale_i: float, Y_zero_point_i: int) -> Tensor:
    weight, scales = _centred(W_prepack.weight)
    return _requantized(torch.matmul(_input(X), weight.t()), W_prepack.bias, torch.q_scale(X), scales, Y_scale_i,
                        Y_zero_point_i, False, 0)


def linear_relu(X: Tensor, W_prepack: LinearPackedParamsBase, Y_scale_i: float, Y_zero_point_i: int) -> Tensor:
    weight, scales = _centred(W_prepack.weight)
    return _requantized(torch.matmul(_input(X), weight.t()), W_prepack.bias, torch.q_scale(X), scales, Y_scale_i,
                        Y_zero_point_i, True, 0)


def _convolved2d(X: Tensor, packed: Conv2dPackedParamsBase) -> Tensor:
    weight, scales = _centred(packed.weight())
    return torch.conv2d(_input(X), weight, None, packed.numbers(0), packed.numbers(1), packed.numbers(2), packed.groups())


def conv2d(qx: Tensor, packed_weight: Conv2dPackedParamsBase, output_scale: float, output_zero_point: int) -> Tensor:
    weight, scales = _centred(packed_weight.weight())
    return _requantized(_convolved2d(qx, packed_weight), packed_weight.bias(), torch.q_scale(qx), scales, output_scale,
                        output_zero_point, False, 2)


def conv2d_relu(qx: Tensor, packed_weight: Conv2dPackedParamsBase, output_scale: float,
                output_zero_point: int) -> Tensor:
    weight, scales = _centred(packed_weight.weight())
    return _requantized(_convolved2d(qx, packed_weight), packed_weight.bias(), torch.q_scale(qx), scales, output_scale,
                        output_zero_point, True, 2)


def conv2d_prepack(weight: Tensor, bias: Optional[Tensor], stride: List[int], padding: List[int], dilation: List[int],
                   groups: int) -> Conv2dPackedParamsBase:
    config = torch.tensor([2] + stride + padding + dilation + [0, 0, groups, 0], dtype=torch.int16)
    optional: List[Optional[Tensor]] = [bias]
    return Conv2dPackedParamsBase("2", [config, weight], optional)


def conv2d_unpack(packed_weights: Conv2dPackedParamsBase) -> Tuple[Tensor, Optional[Tensor]]:
    return packed_weights.weight(), packed_weights.bias()


# Point-wise operators compute with the real numbers and quantize their result.

def add(qa: Tensor, qb: Tensor, scale: float, zero_point: int) -> Tensor:
    return torch.quantize_per_tensor(torch.dequantize(qa) + torch.dequantize(qb), scale, zero_point, qa.dtype)


def add_relu(qa: Tensor, qb: Tensor, scale: float, zero_point: int) -> Tensor:
    return torch.quantize_per_tensor(torch.relu(torch.dequantize(qa) + torch.dequantize(qb)), scale, zero_point, qa.dtype)


def mul(qa: Tensor, qb: Tensor, scale: float, zero_point: int) -> Tensor:
    return torch.quantize_per_tensor(torch.dequantize(qa) * torch.dequantize(qb), scale, zero_point, qa.dtype)


def mul_relu(qa: Tensor, qb: Tensor, scale: float, zero_point: int) -> Tensor:
    return torch.quantize_per_tensor(torch.relu(torch.dequantize(qa) * torch.dequantize(qb)), scale, zero_point, qa.dtype)


def cat(qx: List[Tensor], dim: int, scale: Optional[float], zero_point: Optional[int]) -> Tensor:
    parts: List[Tensor] = []
    for x in qx:
        parts.append(torch.dequantize(x))
    to_scale = torch.q_scale(qx[0]) if scale is None else scale
    to_zero = torch.q_zero_point(qx[0]) if zero_point is None else zero_point
    return torch.quantize_per_tensor(torch.cat(parts, dim), to_scale, to_zero, qx[0].dtype)
