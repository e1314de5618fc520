# torch.nn.init: what is not an operator of torch.py, in TorchScript. Signatures, draws and their order are PyTorch's.
import math
import torch
from typing import List, Optional, Tuple
from torch import Tensor


def calculate_gain(nonlinearity: str, param: Optional[float] = None) -> float:
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        slope = 0.01
        if param is not None:
            slope = param
        return math.sqrt(2.0 / (1 + slope ** 2))
    if nonlinearity == "selu":
        return 3.0 / 4
    if nonlinearity != "sigmoid" and nonlinearity != "linear" and not nonlinearity.startswith("conv"):
        raise ValueError("Unsupported nonlinearity {}".format(nonlinearity))
    return 1.0


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> Tuple[int, int]:
    if tensor.dim() < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = 1
    for size in tensor.shape[2:]:
        field *= size
    return tensor.size(1) * field, tensor.size(0) * field


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    if mode.lower() == "fan_in":
        return fan_in
    if mode.lower() == "fan_out":
        return fan_out
    raise ValueError("Mode {} not supported, please use one of fan_in, fan_out".format(mode))


def kaiming_uniform_(tensor: Tensor, a: float = 0.0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Tensor:
    if 0 in tensor.shape:
        return tensor
    bound = math.sqrt(3.0) * (calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode)))
    with torch.no_grad():
        return tensor.uniform_(-bound, bound)


def kaiming_normal_(tensor: Tensor, a: float = 0.0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Tensor:
    if 0 in tensor.shape:
        return tensor
    std = calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode))
    with torch.no_grad():
        return tensor.normal_(0.0, std)


def xavier_uniform_(tensor: Tensor, gain: float = 1.0) -> Tensor:
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / float(fan_in + fan_out)))
    with torch.no_grad():
        return tensor.uniform_(-bound, bound)


def xavier_normal_(tensor: Tensor, gain: float = 1.0) -> Tensor:
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    with torch.no_grad():
        return tensor.normal_(0.0, gain * math.sqrt(2.0 / float(fan_in + fan_out)))


def _normal_cdf(x: float) -> float:
    return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0


def trunc_normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0) -> Tensor:
    with torch.no_grad():
        low = _normal_cdf((a - mean) / std)
        high = _normal_cdf((b - mean) / std)
        tensor.uniform_(2 * low - 1, 2 * high - 1)
        tensor.erfinv_()
        tensor.mul_(std * math.sqrt(2.0))
        tensor.add_(mean)
        tensor.clamp_(min=a, max=b)
        return tensor


def eye_(tensor: Tensor) -> Tensor:
    if tensor.dim() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with torch.no_grad():
        return tensor.copy_(torch.eye(tensor.size(0), tensor.size(1)))


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    if tensor.dim() < 3 or tensor.dim() > 5:
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.size(0) % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    rows = tensor.size(0) // groups
    with torch.no_grad():
        tensor.zero_()
        for group in range(groups):
            for channel in range(min(rows, tensor.size(1))):
                place = tensor[group * rows + channel, channel]
                for dim in range(tensor.dim() - 2):
                    place = place[place.size(0) // 2]
                place.fill_(1)
        return tensor


def orthogonal_(tensor: Tensor, gain: float = 1.0) -> Tensor:
    if tensor.dim() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows = tensor.size(0)
    columns = tensor.numel() // rows
    with torch.no_grad():
        flat = torch.empty([rows, columns], dtype=tensor.dtype).normal_(0.0, 1.0)
        if rows < columns:
            flat.t_()
        q, r = torch.linalg_qr(flat)
        q *= torch.diag(r, 0).sign()
        if rows < columns:
            q.t_()
        tensor.view_as(q).copy_(q)
        tensor.mul_(gain)
        return tensor


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01) -> Tensor:
    if tensor.dim() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.size(0), tensor.size(1)
    zeros = int(math.ceil(sparsity * rows))
    with torch.no_grad():
        tensor.normal_(0.0, std)
        for column in range(columns):
            order = torch.randperm(rows)
            tensor.index_put_([order[:zeros], torch.full([zeros], column)], torch.zeros([zeros]))
        return tensor
