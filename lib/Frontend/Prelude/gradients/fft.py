# Fourier transforms: the adjoint is the transform the other way with the other norm.
import torch
from torch import Tensor
from typing import List, Optional


def other_norm(norm: Optional[str]) -> str:
    if norm is None or norm == "backward":
        return "forward"
    return "backward" if norm == "forward" else norm


def sized(tensor: Tensor, size: int, dim: int) -> Tensor:
    """Cut or padded with zeros to a size."""
    has = tensor.size(dim)
    if has > size:
        return torch.slice(tensor, dim, 0, size, 1)
    if has == size:
        return tensor
    shape = tensor.size()
    shape[dim] = size - has
    return torch.cat([tensor, tensor.new_zeros(shape)], dim)


def fft(grad: Tensor, self: Tensor, dim: List[int], norm: Optional[str], forward: bool) -> Tensor:
    how = other_norm(norm)
    result = torch.fft_ifftn(grad, None, dim, how) if forward else torch.fft_fftn(grad, None, dim, how)
    for d in dim:
        result = sized(result, self.size(d), d)
    return result


def fftn(grad: Tensor, self: Tensor, s: Optional[List[int]], dim: Optional[List[int]], norm: Optional[str],
         forward: bool) -> Tensor:
    if dim is not None:
        return fft(grad, self, dim, norm, forward)
    count = len(s) if s is not None else self.dim()
    return fft(grad, self, [d for d in range(self.dim() - count, self.dim())], norm, forward)


def rfft(grad: Tensor, self: Tensor, n: Optional[int], dim: int, norm: Optional[str]) -> Tensor:
    length = n if n is not None else self.size(dim)
    return sized(torch.real(torch.fft_ifft(sized(grad, length, dim), None, dim, other_norm(norm))), self.size(dim), dim)


def twice_between(half: Tensor, length: int, dim: int) -> Tensor:
    """All but the first one, and the middle one of an even length, stand for two."""
    twice = torch.full([half.size(dim)], 2., dtype=half.dtype)
    twice[0] = 1.
    if length % 2 == 0:
        twice[-1] = 1.
    shape = [1] * half.dim()
    shape[dim] = half.size(dim)
    return half * twice.reshape(shape)


def half_of_twice(grad: Tensor, self: Tensor, dim: int, norm: Optional[str]) -> Tensor:
    """The complex half from which a real transform is made."""
    half = torch.fft_rfft(grad, None, dim, other_norm(norm))
    return sized(twice_between(half, grad.size(dim), dim), self.size(dim), dim)


def irfft(grad: Tensor, self: Tensor, dim: int, norm: Optional[str]) -> Tensor:
    result = half_of_twice(grad, self, dim, norm)
    return result if self.is_complex() else torch.real(result)


def swapped_norm(norm: Optional[str]) -> str:
    return other_norm(norm)


def dims_of(self: Tensor, s: Optional[List[int]], dim: Optional[List[int]]) -> List[int]:
    if dim is not None:
        return dim
    count = len(s) if s is not None else self.dim()
    return [d for d in range(self.dim() - count, self.dim())]


def rfftn(grad: Tensor, self: Tensor, s: Optional[List[int]], dim: Optional[List[int]], norm: Optional[str]) -> Tensor:
    dims = dims_of(self, s, dim)
    if len(dims) > 1:
        grad = torch.fft_ifftn(grad, None, dims[:-1], other_norm(norm))
    for d in dims[:-1]:
        grad = sized(grad, self.size(d), d)
    length: Optional[int] = None
    if s is not None and s[-1] != -1:
        length = s[-1]
    return rfft(grad, self, length, dims[-1], norm)


def irfftn(grad: Tensor, self: Tensor, s: Optional[List[int]], dim: Optional[List[int]], norm: Optional[str]) -> Tensor:
    dims = dims_of(self, s, dim)
    result = half_of_twice(grad, self, dims[-1], norm)
    if len(dims) > 1:
        result = torch.fft_fftn(result, None, dims[:-1], other_norm(norm))
    for d in dims[:-1]:
        result = sized(result, self.size(d), d)
    return result if self.is_complex() else torch.real(result)


def real_to_complex(grad: Tensor, self: Tensor, dim: List[int], normalization: int, onesided: bool) -> Tensor:
    if onesided:
        grad = sized(grad, self.size(dim[-1]), dim[-1])
    return torch.real(torch._fft_c2c(grad, dim, normalization, False))


def complex_to_real(grad: Tensor, self: Tensor, dim: List[int], normalization: int) -> Tensor:
    half = torch._fft_r2c(grad, dim, normalization, True)
    return sized(twice_between(half, grad.size(dim[-1]), dim[-1]), self.size(dim[-1]), dim[-1])
