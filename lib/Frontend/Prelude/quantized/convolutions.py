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
