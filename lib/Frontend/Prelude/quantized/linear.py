# Linear maps of integers: of a quantized input (static) and of one that is quantized for the call (dynamic).
import torch
import torch.nn.functional as F
from typing import List, Optional, Tuple
from torch import Tensor


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
