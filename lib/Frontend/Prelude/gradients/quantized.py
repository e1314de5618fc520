# Numbers rounded to what an integer with a scale and a zero point stands for.
import torch
from torch import Tensor


def quantized_whole(self: Tensor, scale: Tensor, zero_point: int) -> Tensor:
    return torch.round(self * (1 / scale)) + zero_point


def along_axis(numbers: Tensor, self: Tensor, axis: int) -> Tensor:
    shape = [1] * self.dim()
    shape[axis] = self.size(axis)
    return numbers.reshape(shape)


def fake_quantized(grad: Tensor, self: Tensor, scale: float, zero_point: int, quant_min: int,
                   quant_max: int) -> Tensor:
    """As if nothing had been rounded: what was in range goes through."""
    whole = quantized_whole(self, torch.scalar_tensor(scale, dtype=torch.float), zero_point)
    return grad * ((whole >= quant_min) & (whole <= quant_max))


def fake_quantized_channels(grad: Tensor, self: Tensor, scale: Tensor, zero_point: Tensor, axis: int, quant_min: int,
                            quant_max: int) -> Tensor:
    whole = torch.round(self * (1 / along_axis(scale, self, axis))) + along_axis(zero_point, self, axis)
    return grad * ((whole >= quant_min) & (whole <= quant_max))
