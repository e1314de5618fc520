# What torch.classes.xnnpack and torch.ops.prepacked are: linear maps and convolutions in float whose parameters were
# put into objects when a model was prepared for a phone. The objects hold the parameters as they are, so that a
# product is the operator's own, and what is known of that operator (shapes, fusion, derivatives) holds for it. An
# archive holds the state of such an object as the tuple of its attributes, in the order in which they are declared.
import torch
import torch.nn.functional as F
from typing import List, Optional, Tuple
from torch import Tensor


def _within(x: Tensor, low: Optional[float], high: Optional[float]) -> Tensor:
    if low is None and high is None:
        return x
    return torch.clamp(x, low, high)


# What prepares models for phones moves products out of branches, so that some run on tensors that they were not meant
# for; nobody reads what they give, and XNNPACK, which computes them there, does not look at channels. It is NaN here.

def _unread(sizes: List[int]) -> Tensor:
    return torch.full([], float("nan")).expand(sizes)


class LinearOpContext:
    weight: Tensor
    bias: Optional[Tensor]
    low: Optional[float]
    high: Optional[float]

    def __init__(self, weight: Tensor, bias: Optional[Tensor], low: Optional[float], high: Optional[float]):
        self.weight = weight
        self.bias = bias
        self.low = low
        self.high = high


class Conv2dOpContext:
    weight: Tensor
    bias: Optional[Tensor]
    stride: List[int]
    padding: List[int]
    dilation: List[int]
    groups: int
    low: Optional[float]
    high: Optional[float]

    def __init__(self, weight: Tensor, bias: Optional[Tensor], stride: List[int], padding: List[int],
                 dilation: List[int], groups: int, low: Optional[float], high: Optional[float]):
        self.weight = weight
        self.bias = bias
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.groups = groups
        self.low = low
        self.high = high


class TransposeConv2dOpContext:
    weight: Tensor
    bias: Optional[Tensor]
    stride: List[int]
    padding: List[int]
    output_padding: List[int]
    dilation: List[int]
    groups: int
    low: Optional[float]
    high: Optional[float]

    def __init__(self, weight: Tensor, bias: Optional[Tensor], stride: List[int], padding: List[int],
                 output_padding: List[int], dilation: List[int], groups: int, low: Optional[float],
                 high: Optional[float]):
        self.weight = weight
        self.bias = bias
        self.stride = stride
        self.padding = padding
        self.output_padding = output_padding
        self.dilation = dilation
        self.groups = groups
        self.low = low
        self.high = high


def linear_clamp_prepack(W: Tensor, B: Optional[Tensor] = None, output_min: Optional[float] = None,
                         output_max: Optional[float] = None) -> LinearOpContext:
    return LinearOpContext(W, B, output_min, output_max)


def linear_clamp_run(X: Tensor, W_prepack: LinearOpContext) -> Tensor:
    features = W_prepack.weight.size(1)
    fitting = X if X.size(-1) == features else _unread(X.size()[:-1] + [features])
    return _within(F.linear(fitting, W_prepack.weight, W_prepack.bias), W_prepack.low, W_prepack.high)


def conv2d_clamp_prepack(W: Tensor, B: Optional[Tensor], stride: List[int], padding: List[int], dilation: List[int],
                         groups: int, output_min: Optional[float] = None,
                         output_max: Optional[float] = None) -> Conv2dOpContext:
    return Conv2dOpContext(W, B, stride, padding, dilation, groups, output_min, output_max)


def conv2d_clamp_run(X: Tensor, W_prepack: Conv2dOpContext) -> Tensor:
    channels = W_prepack.groups * W_prepack.weight.size(1)
    if X.dim() != 4:
        raise RuntimeError("prepacked::conv2d_clamp_run: expected 4 dimensions, but got " + str(X.dim()))
    fitting = X if X.size(1) == channels else _unread([X.size(0), channels, X.size(2), X.size(3)])
    result = torch.conv2d(fitting, W_prepack.weight, W_prepack.bias, W_prepack.stride, W_prepack.padding,
                          W_prepack.dilation, W_prepack.groups)
    return _within(result, W_prepack.low, W_prepack.high)


def conv2d_transpose_clamp_prepack(W: Tensor, B: Optional[Tensor], stride: List[int], padding: List[int],
                                   output_padding: List[int], dilation: List[int], groups: int,
                                   output_min: Optional[float] = None,
                                   output_max: Optional[float] = None) -> TransposeConv2dOpContext:
    return TransposeConv2dOpContext(W, B, stride, padding, output_padding, dilation, groups, output_min, output_max)


def conv2d_transpose_clamp_run(X: Tensor, W_prepack: TransposeConv2dOpContext) -> Tensor:
    result = torch.conv_transpose2d(X, W_prepack.weight, W_prepack.bias, W_prepack.stride, W_prepack.padding,
                                    W_prepack.output_padding, W_prepack.groups, W_prepack.dilation)
    return _within(result, W_prepack.low, W_prepack.high)
