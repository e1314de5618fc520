# What torch.classes.quantized and torch.ops.quantized are: linear maps and convolutions whose weights are small integers,
# and whose input is quantized before (static) or for the call (dynamic). An archive holds the state of a packed object as
# the tuple of its attributes, in the order in which they are declared.
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

    def config(self) -> Tensor:
        return self.tensors[0]

    def output_padding(self) -> List[int]:
        return self.numbers(3)

    def transpose(self) -> bool:
        return bool(self.tensors[0][2 + 4 * int(self.tensors[0][0].item())].item())

    def unpack(self) -> Tuple[Tensor, Optional[Tensor]]:
        return self.tensors[1], self.optional_tensors[0]

    def weight(self) -> Tensor:
        return self.tensors[1]

    def bias(self) -> Optional[Tensor]:
        return self.optional_tensors[0]


class Conv3dPackedParamsBase:
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

    def config(self) -> Tensor:
        return self.tensors[0]

    def output_padding(self) -> List[int]:
        return self.numbers(3)

    def transpose(self) -> bool:
        return bool(self.tensors[0][2 + 4 * int(self.tensors[0][0].item())].item())

    def unpack(self) -> Tuple[Tensor, Optional[Tensor]]:
        return self.tensors[1], self.optional_tensors[0]

    def weight(self) -> Tensor:
        return self.tensors[1]

    def bias(self) -> Optional[Tensor]:
        return self.optional_tensors[0]


def linear_prepack(W: Tensor, B: Optional[Tensor] = None) -> LinearPackedParamsBase:
    return LinearPackedParamsBase(W, B)


def linear_prepack_fp16(W: Tensor, B: Optional[Tensor] = None) -> LinearPackedParamsBase:
    return LinearPackedParamsBase(W.to(torch.float16).to(torch.float32), B)


def linear_unpack(W_prepack: LinearPackedParamsBase) -> Tuple[Tensor, Optional[Tensor]]:
    return W_prepack.weight, W_prepack.bias


def linear_unpack_fp16(W_prepack: LinearPackedParamsBase) -> Tuple[Tensor, Optional[Tensor]]:
    return W_prepack.weight, W_prepack.bias


def linear_dynamic(X: Tensor, W_prepack: LinearPackedParamsBase, reduce_range: bool = False) -> Tensor:
    return torch.ops.tsc.quantized_linear_dynamic(X, W_prepack.weight, W_prepack.bias, reduce_range, False)


def linear_relu_dynamic(X: Tensor, W_prepack: LinearPackedParamsBase, reduce_range: bool = False) -> Tensor:
    return torch.ops.tsc.quantized_linear_dynamic(X, W_prepack.weight, W_prepack.bias, reduce_range, True)


def linear_dynamic_fp16(X: Tensor, W_prepack: LinearPackedParamsBase) -> Tensor:
    return F.linear(X, W_prepack.weight, W_prepack.bias)


def linear_relu_dynamic_fp16(X: Tensor, W_prepack: LinearPackedParamsBase) -> Tensor:
    return torch.relu(F.linear(X, W_prepack.weight, W_prepack.bias))


def linear(X: Tensor, W_prepack: LinearPackedParamsBase, Y_scale_i: float, Y_zero_point_i: int) -> Tensor:
    return torch.ops.tsc.quantized_linear(X, W_prepack.weight, W_prepack.bias, Y_scale_i, Y_zero_point_i, False)


def linear_relu(X: Tensor, W_prepack: LinearPackedParamsBase, Y_scale_i: float, Y_zero_point_i: int) -> Tensor:
    return torch.ops.tsc.quantized_linear(X, W_prepack.weight, W_prepack.bias, Y_scale_i, Y_zero_point_i, True)


# Convolutions of one dimension are those of two whose images have one row.

def conv1d(qx: Tensor, packed_weight: Conv2dPackedParamsBase, output_scale: float, output_zero_point: int) -> Tensor:
    rows = torch.ops.tsc.quantized_convolution(qx.unsqueeze(2), packed_weight.config(), packed_weight.weight(), packed_weight.bias(),
                                               output_scale, output_zero_point, False)
    return rows.squeeze(2)


def conv1d_relu(qx: Tensor, packed_weight: Conv2dPackedParamsBase, output_scale: float,
                output_zero_point: int) -> Tensor:
    rows = torch.ops.tsc.quantized_convolution(qx.unsqueeze(2), packed_weight.config(), packed_weight.weight(), packed_weight.bias(),
                                               output_scale, output_zero_point, True)
    return rows.squeeze(2)


def conv_transpose1d(qx: Tensor, packed_weight: Conv2dPackedParamsBase, output_scale: float,
                     output_zero_point: int) -> Tensor:
    rows = torch.ops.tsc.quantized_convolution(qx.unsqueeze(2), packed_weight.config(), packed_weight.weight(), packed_weight.bias(),
                                               output_scale, output_zero_point, False)
    return rows.squeeze(2)


def conv2d(qx: Tensor, packed_weight: Conv2dPackedParamsBase, output_scale: float, output_zero_point: int) -> Tensor:
    return torch.ops.tsc.quantized_convolution(qx, packed_weight.config(), packed_weight.weight(), packed_weight.bias(), output_scale,
                                               output_zero_point, False)


def conv2d_relu(qx: Tensor, packed_weight: Conv2dPackedParamsBase, output_scale: float,
                output_zero_point: int) -> Tensor:
    return torch.ops.tsc.quantized_convolution(qx, packed_weight.config(), packed_weight.weight(), packed_weight.bias(), output_scale,
                                               output_zero_point, True)


def conv_transpose2d(qx: Tensor, packed_weight: Conv2dPackedParamsBase, output_scale: float,
                     output_zero_point: int) -> Tensor:
    return torch.ops.tsc.quantized_convolution(qx, packed_weight.config(), packed_weight.weight(), packed_weight.bias(), output_scale,
                                               output_zero_point, False)


def conv3d(qx: Tensor, packed_weight: Conv3dPackedParamsBase, output_scale: float, output_zero_point: int) -> Tensor:
    return torch.ops.tsc.quantized_convolution(qx, packed_weight.config(), packed_weight.weight(), packed_weight.bias(), output_scale,
                                               output_zero_point, False)


def conv3d_relu(qx: Tensor, packed_weight: Conv3dPackedParamsBase, output_scale: float,
                output_zero_point: int) -> Tensor:
    return torch.ops.tsc.quantized_convolution(qx, packed_weight.config(), packed_weight.weight(), packed_weight.bias(), output_scale,
                                               output_zero_point, True)


def conv_transpose3d(qx: Tensor, packed_weight: Conv3dPackedParamsBase, output_scale: float,
                     output_zero_point: int) -> Tensor:
    return torch.ops.tsc.quantized_convolution(qx, packed_weight.config(), packed_weight.weight(), packed_weight.bias(), output_scale,
                                               output_zero_point, False)


def _config(stride: List[int], padding: List[int], output_padding: List[int], dilation: List[int], groups: int,
            transposed: int) -> Tensor:
    return torch.tensor([len(stride)] + stride + padding + dilation + output_padding + [groups, transposed],
                        dtype=torch.int16)


def conv1d_prepack(weight: Tensor, bias: Optional[Tensor], stride: List[int], padding: List[int], dilation: List[int],
                   groups: int) -> Conv2dPackedParamsBase:
    optional: List[Optional[Tensor]] = [bias]
    none: List[int] = []
    for _ in stride:
        none.append(0)
    config = _config([1] + stride, [0] + padding, [0] + none, [1] + dilation, groups, 0)
    return Conv2dPackedParamsBase("2", [config, weight.unsqueeze(2)], optional)


def conv_transpose1d_prepack(weight: Tensor, bias: Optional[Tensor], stride: List[int], padding: List[int],
                             output_padding: List[int], dilation: List[int], groups: int) -> Conv2dPackedParamsBase:
    optional: List[Optional[Tensor]] = [bias]
    config = _config([1] + stride, [0] + padding, [0] + output_padding, [1] + dilation, groups, 1)
    return Conv2dPackedParamsBase("2", [config, weight.unsqueeze(2)], optional)


def conv1d_unpack(packed_weights: Conv2dPackedParamsBase) -> Tuple[Tensor, Optional[Tensor]]:
    return packed_weights.weight().squeeze(2), packed_weights.bias()


def conv_transpose1d_unpack(packed_weights: Conv2dPackedParamsBase) -> Tuple[Tensor, Optional[Tensor]]:
    return packed_weights.weight().squeeze(2), packed_weights.bias()


def conv2d_prepack(weight: Tensor, bias: Optional[Tensor], stride: List[int], padding: List[int], dilation: List[int],
                   groups: int) -> Conv2dPackedParamsBase:
    optional: List[Optional[Tensor]] = [bias]
    none: List[int] = []
    for _ in stride:
        none.append(0)
    config = _config(stride, padding, none, dilation, groups, 0)
    return Conv2dPackedParamsBase("2", [config, weight], optional)


def conv_transpose2d_prepack(weight: Tensor, bias: Optional[Tensor], stride: List[int], padding: List[int],
                             output_padding: List[int], dilation: List[int], groups: int) -> Conv2dPackedParamsBase:
    optional: List[Optional[Tensor]] = [bias]
    config = _config(stride, padding, output_padding, dilation, groups, 1)
    return Conv2dPackedParamsBase("2", [config, weight], optional)


def conv2d_unpack(packed_weights: Conv2dPackedParamsBase) -> Tuple[Tensor, Optional[Tensor]]:
    return packed_weights.unpack()


def conv_transpose2d_unpack(packed_weights: Conv2dPackedParamsBase) -> Tuple[Tensor, Optional[Tensor]]:
    return packed_weights.unpack()


def conv3d_prepack(weight: Tensor, bias: Optional[Tensor], stride: List[int], padding: List[int], dilation: List[int],
                   groups: int) -> Conv3dPackedParamsBase:
    optional: List[Optional[Tensor]] = [bias]
    none: List[int] = []
    for _ in stride:
        none.append(0)
    config = _config(stride, padding, none, dilation, groups, 0)
    return Conv3dPackedParamsBase("2", [config, weight], optional)


def conv_transpose3d_prepack(weight: Tensor, bias: Optional[Tensor], stride: List[int], padding: List[int],
                             output_padding: List[int], dilation: List[int], groups: int) -> Conv3dPackedParamsBase:
    optional: List[Optional[Tensor]] = [bias]
    config = _config(stride, padding, output_padding, dilation, groups, 1)
    return Conv3dPackedParamsBase("2", [config, weight], optional)


def conv3d_unpack(packed_weights: Conv3dPackedParamsBase) -> Tuple[Tensor, Optional[Tensor]]:
    return packed_weights.unpack()


def conv_transpose3d_unpack(packed_weights: Conv3dPackedParamsBase) -> Tuple[Tensor, Optional[Tensor]]:
    return packed_weights.unpack()


# Point-wise operators compute with the real numbers and quantize their result.

def add(qa: Tensor, qb: Tensor, scale: float, zero_point: int) -> Tensor:
    return torch.ops.tsc.quantized_pair(qa, qb, scale, zero_point, False, False)


def add_relu(qa: Tensor, qb: Tensor, scale: float, zero_point: int) -> Tensor:
    return torch.ops.tsc.quantized_pair(qa, qb, scale, zero_point, False, True)


def mul(qa: Tensor, qb: Tensor, scale: float, zero_point: int) -> Tensor:
    return torch.ops.tsc.quantized_pair(qa, qb, scale, zero_point, True, False)


def mul_relu(qa: Tensor, qb: Tensor, scale: float, zero_point: int) -> Tensor:
    return torch.ops.tsc.quantized_pair(qa, qb, scale, zero_point, True, True)


def cat(qx: List[Tensor], dim: int, scale: Optional[float], zero_point: Optional[int]) -> Tensor:
    parts: List[Tensor] = []
    for x in qx:
        parts.append(torch.dequantize(x))
    to_scale = torch.q_scale(qx[0]) if scale is None else scale
    to_zero = torch.q_zero_point(qx[0]) if zero_point is None else zero_point
    return torch.quantize_per_tensor(torch.cat(parts, dim), to_scale, to_zero, qx[0].dtype)
