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


class Conv3dPackedParamsBase(Conv2dPackedParamsBase):
    pass
