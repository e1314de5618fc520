# What torch.classes.rnn is: the parameters of recurrent layers whose products are of integers, and what they hold in an
# archive, in this order.
import torch
from typing import List
from torch import Tensor


class CellParamsBase:
    type: str
    tensors: List[Tensor]
    doubles: List[float]
    longs: List[int]
    packed: List[torch.classes.quantized.LinearPackedParamsBase]

    def __init__(self, type: str, tensors: List[Tensor], doubles: List[float], longs: List[int],
                 packed: List[torch.classes.quantized.LinearPackedParamsBase]):
        self.type = type
        self.tensors = tensors
        self.doubles = doubles
        self.longs = longs
        self.packed = packed
