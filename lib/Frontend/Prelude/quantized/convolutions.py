import torch
import torch.nn.functional as F
from typing import List, Optional, Tuple
from torch import Tensor


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


# Dynamic: the input is quantized by its own bounds, and the result has the input's scale before it is real again.

def conv1d_dynamic(qx: Tensor, packed_weight: Conv2dPackedParamsBase, reduce_range: bool = False) -> Tensor:
    integers = torch.quantize_per_tensor_dynamic(qx, torch.quint8, reduce_range)
    return torch.dequantize(conv1d(integers, packed_weight, integers.q_scale(), integers.q_zero_point()))


def conv_transpose1d_dynamic(qx: Tensor, packed_weight: Conv2dPackedParamsBase, reduce_range: bool = False) -> Tensor:
    integers = torch.quantize_per_tensor_dynamic(qx, torch.quint8, reduce_range)
    return torch.dequantize(conv_transpose1d(integers, packed_weight, integers.q_scale(), integers.q_zero_point()))


def conv2d_dynamic(qx: Tensor, packed_weight: Conv2dPackedParamsBase, reduce_range: bool = False) -> Tensor:
    integers = torch.quantize_per_tensor_dynamic(qx, torch.quint8, reduce_range)
    return torch.dequantize(conv2d(integers, packed_weight, integers.q_scale(), integers.q_zero_point()))


def conv_transpose2d_dynamic(qx: Tensor, packed_weight: Conv2dPackedParamsBase, reduce_range: bool = False) -> Tensor:
    integers = torch.quantize_per_tensor_dynamic(qx, torch.quint8, reduce_range)
    return torch.dequantize(conv_transpose2d(integers, packed_weight, integers.q_scale(), integers.q_zero_point()))


def conv3d_dynamic(qx: Tensor, packed_weight: Conv3dPackedParamsBase, reduce_range: bool = False) -> Tensor:
    integers = torch.quantize_per_tensor_dynamic(qx, torch.quint8, reduce_range)
    return torch.dequantize(conv3d(integers, packed_weight, integers.q_scale(), integers.q_zero_point()))


def conv_transpose3d_dynamic(qx: Tensor, packed_weight: Conv3dPackedParamsBase, reduce_range: bool = False) -> Tensor:
    integers = torch.quantize_per_tensor_dynamic(qx, torch.quint8, reduce_range)
    return torch.dequantize(conv_transpose3d(integers, packed_weight, integers.q_scale(), integers.q_zero_point()))


# What may be asked of packed parameters.

def conv2d_stride(packed_weights: Conv2dPackedParamsBase) -> List[int]:
    return packed_weights.stride()


def conv2d_padding(packed_weights: Conv2dPackedParamsBase) -> List[int]:
    return packed_weights.padding()


def conv2d_output_padding(packed_weights: Conv2dPackedParamsBase) -> List[int]:
    return packed_weights.output_padding()


def conv2d_dilation(packed_weights: Conv2dPackedParamsBase) -> List[int]:
    return packed_weights.dilation()


def conv2d_groups(packed_weights: Conv2dPackedParamsBase) -> int:
    return packed_weights.groups()


def conv2d_transpose(packed_weights: Conv2dPackedParamsBase) -> int:
    return int(packed_weights.transpose())


def conv2d_unpack_sizes(packed_weights: Conv2dPackedParamsBase) -> List[int]:
    return packed_weights.weight().size()


def conv_transpose2d_stride(packed_weights: Conv2dPackedParamsBase) -> List[int]:
    return packed_weights.stride()


def conv_transpose2d_padding(packed_weights: Conv2dPackedParamsBase) -> List[int]:
    return packed_weights.padding()


def conv_transpose2d_output_padding(packed_weights: Conv2dPackedParamsBase) -> List[int]:
    return packed_weights.output_padding()


def conv_transpose2d_dilation(packed_weights: Conv2dPackedParamsBase) -> List[int]:
    return packed_weights.dilation()


def conv_transpose2d_groups(packed_weights: Conv2dPackedParamsBase) -> int:
    return packed_weights.groups()


def conv_transpose2d_transpose(packed_weights: Conv2dPackedParamsBase) -> int:
    return int(packed_weights.transpose())


def conv3d_stride(packed_weights: Conv3dPackedParamsBase) -> List[int]:
    return packed_weights.stride()


def conv3d_padding(packed_weights: Conv3dPackedParamsBase) -> List[int]:
    return packed_weights.padding()


def conv3d_output_padding(packed_weights: Conv3dPackedParamsBase) -> List[int]:
    return packed_weights.output_padding()


def conv3d_dilation(packed_weights: Conv3dPackedParamsBase) -> List[int]:
    return packed_weights.dilation()


def conv3d_groups(packed_weights: Conv3dPackedParamsBase) -> int:
    return packed_weights.groups()


def conv3d_transpose(packed_weights: Conv3dPackedParamsBase) -> int:
    return int(packed_weights.transpose())


def conv3d_unpack_sizes(packed_weights: Conv3dPackedParamsBase) -> List[int]:
    return packed_weights.weight().size()


def conv_transpose3d_stride(packed_weights: Conv3dPackedParamsBase) -> List[int]:
    return packed_weights.stride()


def conv_transpose3d_padding(packed_weights: Conv3dPackedParamsBase) -> List[int]:
    return packed_weights.padding()


def conv_transpose3d_output_padding(packed_weights: Conv3dPackedParamsBase) -> List[int]:
    return packed_weights.output_padding()


def conv_transpose3d_dilation(packed_weights: Conv3dPackedParamsBase) -> List[int]:
    return packed_weights.dilation()


def conv_transpose3d_groups(packed_weights: Conv3dPackedParamsBase) -> int:
    return packed_weights.groups()


def conv_transpose3d_transpose(packed_weights: Conv3dPackedParamsBase) -> int:
    return int(packed_weights.transpose())
