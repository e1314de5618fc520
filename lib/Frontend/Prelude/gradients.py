# What formulas of derivatives share: the records say `backward.name`.
import math
import torch
from torch import Tensor
from typing import List, Optional, Tuple


def kept(grad: Tensor, self: Tensor, dim: Optional[List[int]], keepdim: bool) -> Tensor:
    """The gradient of a reduction with its dimensions in place, for broadcasting against the operand."""
    if keepdim or self.dim() == 0:
        return grad
    dims = dim if dim is not None else torch.jit.annotate(List[int], [])
    if len(dims) == 0:
        return grad.reshape([1] * self.dim())
    shape = self.size()
    for d in dims:
        shape[d] = 1
    return grad.reshape(shape)


def spread(grad: Tensor, self: Tensor, dim: Optional[List[int]], keepdim: bool) -> Tensor:
    """The gradient of a sum."""
    return kept(grad, self, dim, keepdim).expand(self.size())


def linear_input(grad: Tensor, weight: Tensor) -> Tensor:
    if weight.dim() == 1:
        return grad.unsqueeze(-1) * weight.conj()
    return torch.matmul(grad, weight.conj())


def rows(matrices: Tensor) -> Tensor:
    return matrices.unsqueeze(0) if matrices.dim() == 1 else matrices.flatten(0, -2)


def linear_weight(grad: Tensor, input: Tensor, weight: Tensor) -> Tensor:
    if weight.dim() == 1:
        return torch.mv(rows(input).t().conj(), grad.flatten())
    return torch.mm(rows(grad).t(), rows(input).conj())


# Reductions and scans.


def share(self: Tensor, result: Tensor) -> float:
    """What an element is of a mean."""
    return float(max(result.numel(), 1)) / max(self.numel(), 1)


def cumsum(grad: Tensor, dim: int) -> Tensor:
    if grad.dim() == 0:
        return grad
    return grad.flip([dim]).cumsum(dim).flip([dim])


def cumprod(grad: Tensor, self: Tensor, result: Tensor, dim: int) -> Tensor:
    if self.dim() == 0 or self.numel() == 0:
        return grad
    if not bool((self == 0).any()):
        return cumsum(grad * result.conj(), dim) / self.conj()
    # d result[k] / d self[i] is the product of all but element i up to k.
    count = self.size(dim)
    parts: List[Tensor] = []
    for i in range(count):
        ones = torch.ones_like(self.select(dim, i))
        others = self.select_scatter(ones, dim, i).cumprod(dim)
        weighted = grad * others.conj()
        parts.append(torch.slice(weighted, dim, i, count, 1).sum([dim]))
    return torch.stack(parts, dim)


def others(self: Tensor, dim: int) -> Tensor:
    """The product of all other elements along a dimension."""
    count = self.size(dim)
    parts: List[Tensor] = []
    for i in range(count):
        parts.append(torch.prod(self.select_scatter(torch.ones_like(self.select(dim, i)), dim, i), dim))
    return torch.stack(parts, dim)


def prod(grad: Tensor, self: Tensor) -> Tensor:
    if self.numel() == 0:
        return torch.zeros_like(self)
    return (grad * others(self.reshape(-1), 0).conj()).reshape(self.size())


def prod_dim(grad: Tensor, self: Tensor, dim: int, keepdim: bool) -> Tensor:
    if self.dim() == 0:
        return grad
    if self.numel() == 0:
        return torch.zeros_like(self)
    return kept(grad, self, [dim], keepdim) * others(self, dim).conj()


def shared(grad: Tensor, self: Tensor, result: Tensor, dim: List[int], keepdim: bool) -> Tensor:
    """To equal parts for all elements that are the result."""
    found = (self == kept(result, self, dim, keepdim)).to(grad.dtype)
    return found * (kept(grad, self, dim, keepdim) / found.sum(dim, True))


def from_index(grad: Tensor, indices: Tensor, self: Tensor, dim: int) -> Tensor:
    if self.dim() == 0:
        return grad.reshape(self.size())
    return grad.new_zeros(self.size()).scatter_add(dim, indices, grad)


def at_index(grad: Tensor, indices: Tensor, self: Tensor, dim: int, keepdim: bool) -> Tensor:
    if keepdim or self.dim() == 0:
        return from_index(grad, indices, self, dim)
    return from_index(grad.unsqueeze(dim), indices.unsqueeze(dim), self, dim)


# Views and indices.


def narrow(grad: Tensor, self: Tensor, dim: int, start: int, length: int) -> Tensor:
    first = start if start >= 0 else start + self.size(dim)
    return grad.new_zeros(self.size()).slice_scatter(grad, dim, first, first + length, 1)


def cat(grad: Tensor, tensors: List[Tensor], dim: int) -> List[Tensor]:
    parts: List[Tensor] = []
    start = 0
    for tensor in tensors:
        if tensor.dim() == 1 and tensor.numel() == 0 and grad.dim() != 1:
            parts.append(torch.zeros_like(tensor))
            continue
        end = start + tensor.size(dim)
        parts.append(torch.slice(grad, dim, start, end, 1))
        start = end
    return parts


def joined(grad: List[Tensor], self: Tensor, dim: int) -> Tensor:
    return torch.cat(grad, dim) if len(grad) > 0 else torch.zeros_like(self)


def repeat(grad: Tensor, self: Tensor, repeats: List[int]) -> Tensor:
    added = len(repeats) - self.dim()
    if added < 0:
        repeats = [1] * -added + repeats
        added = 0
    shape: List[int] = []
    dims: List[int] = []
    for i in range(len(repeats)):
        dims.append(len(shape))
        shape.append(repeats[i])
        shape.append(self.size(i - added) if i >= added else 1)
    if len(shape) == 0:
        return grad
    return grad.reshape(shape).sum(dims).reshape(self.size())


def permute(grad: Tensor, dims: List[int]) -> Tensor:
    back = [0] * len(dims)
    for i in range(len(dims)):
        back[dims[i]] = i
    return grad.permute(back)


def columns(grad: Tensor, size: List[int], kernel_size: List[int], dilation: List[int], padding: List[int],
            stride: List[int]) -> Tensor:
    return torch.col2im(grad, size, kernel_size, dilation, padding, stride)


def windows(grad: Tensor, self: Tensor, kernel_size: List[int], dilation: List[int], padding: List[int],
            stride: List[int]) -> Tensor:
    if self.numel() == 0:
        return torch.zeros_like(self)
    return torch.im2col(grad, kernel_size, dilation, padding, stride)


def masked_select(grad: Tensor, self: Tensor, mask: Tensor) -> Tensor:
    shape = torch.broadcast_tensors([self, mask])[0].size()
    return grad.new_zeros(shape).masked_scatter(mask, grad)


def masked_source(grad: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    taken = grad.masked_select(mask)
    return torch.constant_pad_nd(taken, [0, source.numel() - taken.numel()]).reshape(source.size())


def take(grad: Tensor, self: Tensor, index: Tensor) -> Tensor:
    flat = index.reshape(-1)
    return grad.new_zeros([self.numel()]).index_add(0, flat + self.numel() * (flat < 0).long(),
                                                    grad.reshape(-1)).reshape(self.size())


def embedding(grad: Tensor, weight: Tensor, indices: Tensor, padding_idx: int) -> Tensor:
    rows = grad.reshape([indices.numel(), weight.size(1)])
    which = indices.reshape(-1).long()
    if padding_idx >= 0:
        rows = rows.masked_fill((which == padding_idx).unsqueeze(1), 0)
    return grad.new_zeros(weight.size()).index_add(0, which, rows)


def pad(grad: Tensor, self: Tensor, padding: List[int], mode: str) -> Tensor:
    if mode == "constant":
        return torch.constant_pad_nd(grad, [-p for p in padding], 0)
    for i in range(len(padding) // 2):
        dim = self.dim() - 1 - i
        size = self.size(dim)
        place = torch.arange(-padding[2 * i], size + padding[2 * i + 1])
        if mode == "reflect":
            place = size - 1 - (size - 1 - place.abs()).abs()
        elif mode == "replicate":
            place = place.clamp(0, size - 1)
        else:
            place = place.remainder(size)
        shape = grad.size()
        shape[dim] = size
        grad = grad.new_zeros(shape).index_add(dim, place, grad)
    return grad


def unfold(grad: Tensor, self: Tensor, dimension: int, size: int, step: int) -> Tensor:
    if self.dim() == 0:
        return grad.sum()
    dim = dimension if dimension >= 0 else dimension + self.dim()
    count = grad.size(dim)
    places = (torch.arange(count) * step).unsqueeze(1) + torch.arange(size)
    moved = grad.movedim(-1, dim + 1).flatten(dim, dim + 1)
    return grad.new_zeros(self.size()).index_add(dim, places.reshape(-1), moved)


# Pooling: what is separable is a product with a matrix along each dimension.


def along(tensor: Tensor, matrix: Tensor, dim: int) -> Tensor:
    return torch.matmul(tensor.movedim(dim, -1), matrix).movedim(-1, dim)


def entry(values: List[int], i: int) -> int:
    return values[i] if len(values) > 1 else values[0]


def avg_pool(grad: Tensor, self: Tensor, kernel_size: List[int], stride: List[int], padding: List[int],
             count_include_pad: bool, divisor_override: Optional[int], rank: int) -> Tensor:
    for i in range(rank):
        dim = self.dim() - rank + i
        kernel = entry(kernel_size, i)
        step = entry(stride, i) if len(stride) > 0 else kernel
        border = entry(padding, i)
        size = self.size(dim)
        first = torch.arange(grad.size(dim)) * step - border
        last = (first + kernel).clamp(max=size + border)
        count = last - first
        first = first.clamp(min=0)
        last = last.clamp(max=size)
        if not count_include_pad:
            count = last - first
        place = torch.arange(size)
        inside = (place >= first.unsqueeze(1)) & (place < last.unsqueeze(1))
        matrix = inside.to(grad.dtype)
        if divisor_override is None:
            matrix = matrix / count.unsqueeze(1).to(grad.dtype)
        grad = along(grad, matrix, dim)
    if divisor_override is not None:
        grad = grad / divisor_override
    return grad


def adaptive_avg_pool(grad: Tensor, self: Tensor, rank: int) -> Tensor:
    for i in range(rank):
        dim = self.dim() - rank + i
        size = self.size(dim)
        out = grad.size(dim)
        number = torch.arange(out)
        first = number * size // max(out, 1)
        last = -(-(number + 1) * size // max(out, 1))
        place = torch.arange(size)
        inside = (place >= first.unsqueeze(1)) & (place < last.unsqueeze(1))
        grad = along(grad, inside.to(grad.dtype) / (last - first).unsqueeze(1).to(grad.dtype), dim)
    return grad


def max_pool(grad: Tensor, indices: Tensor, self: Tensor, rank: int) -> Tensor:
    planes = self.flatten(-rank, -1)
    return grad.new_zeros(planes.size()).scatter_add(-1, indices.flatten(-rank, -1),
                                                     grad.flatten(-rank, -1)).reshape(self.size())


# Products and convolutions.


def matmul_self(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    if other.dim() == 1:
        return (grad.unsqueeze(-1) if self.dim() > 1 else grad) * other.conj()
    if self.dim() == 1:
        return torch.matmul(grad.unsqueeze(-2), torch.adjoint(other)).squeeze(-2)
    return torch.matmul(grad, torch.adjoint(other))


def matmul_other(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    if self.dim() == 1:
        if other.dim() == 1:
            return grad * self.conj()
        return self.conj().unsqueeze(-1) * grad.unsqueeze(-2)
    if other.dim() == 1:
        return torch.matmul(torch.adjoint(self), grad.unsqueeze(-1)).squeeze(-1)
    return torch.matmul(torch.adjoint(self), grad)


# Point-wise operators.


def gelu(grad: Tensor, self: Tensor, approximate: str) -> Tensor:
    if approximate == "tanh":
        inner = 0.7978845608028654 * (self + 0.044715 * self * self * self)
        t = torch.tanh(inner)
        return grad * (0.5 * (1 + t) + 0.5 * self * (1 - t * t) * 0.7978845608028654 * (1 + 0.134145 * self * self))
    return grad * (0.5 * (1 + torch.erf(self * 0.7071067811865476)) +
                   self * torch.exp(-0.5 * self * self) * 0.3989422804014327)


def mish(grad: Tensor, self: Tensor) -> Tensor:
    t = torch.tanh(torch.softplus(self))
    return grad * (t + self * torch.sigmoid(self) * (1 - t * t))


def along_channels(weight: Tensor, self: Tensor) -> Tensor:
    if weight.numel() == 1 or self.dim() < 2:
        return weight
    return weight.reshape([-1] + [1] * (self.dim() - 2))


def prelu_weight(products: Tensor, weight: Tensor) -> Tensor:
    if weight.numel() == 1 or products.dim() < 2:
        return products.sum().reshape(weight.size()) if weight.numel() == 1 else products
    return products.sum([0] + [d for d in range(2, products.dim())])


def glu(grad: Tensor, self: Tensor, dim: int) -> Tensor:
    halves = self.chunk(2, dim)
    gate = torch.sigmoid(halves[1])
    return torch.cat([grad * gate, grad * halves[0] * gate * (1 - gate)], dim)


def sinc(grad: Tensor, self: Tensor) -> Tensor:
    x = self * 3.141592653589793
    slope = (torch.cos(x) - torch.sin(x) / x) / self
    return grad * torch.where(self == 0, torch.zeros_like(slope), slope).conj()


def larger(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    """Where self is the larger one; half where both are equal."""
    return torch.where(self == other, grad / 2, grad).masked_fill(self < other, 0)


def div_self(grad: Tensor, other: Tensor, rounding_mode: Optional[str]) -> Tensor:
    return grad / other.conj() if rounding_mode is None else torch.zeros_like(grad)


def div_other(grad: Tensor, self: Tensor, other: Tensor, rounding_mode: Optional[str]) -> Tensor:
    return -grad * (self / (other * other)).conj() if rounding_mode is None else torch.zeros_like(grad)


def logit(grad: Tensor, self: Tensor, eps: Optional[float]) -> Tensor:
    slope = grad / (self * (1 - self))
    if eps is None:
        return torch.where((self < 0) | (self > 1), float('nan'), slope)
    return torch.where((self < eps) | (self > 1 - eps), 0., slope)


# Complex numbers.


def times_j(grad: Tensor) -> Tensor:
    return torch.complex(torch.zeros_like(grad), grad)


def sgn(grad: Tensor, self: Tensor, result: Tensor) -> Tensor:
    if not self.is_complex():
        return torch.zeros_like(grad)
    size = torch.abs(self)
    along = (grad - torch.real(grad / result) * result) / size
    return torch.where(size == 0, torch.zeros_like(along), along)


def angle(grad: Tensor, self: Tensor) -> Tensor:
    if not self.is_complex():
        return torch.zeros_like(grad)
    square = torch.real(self * self.conj())
    return torch.complex(-grad * torch.imag(self) / square, grad * torch.real(self) / square)


def clamp(grad: Tensor, self: Tensor, min: Optional[number], max: Optional[number]) -> Tensor:
    if min is not None:
        grad = torch.where(self >= min, grad, 0.)
    if max is not None:
        grad = torch.where(self <= max, grad, 0.)
    return grad


# Losses.


def nll(grad: Tensor, self: Tensor, target: Tensor, weight: Optional[Tensor], reduction: int,
        ignore_index: int) -> Tensor:
    channel = 0 if self.dim() == 1 else 1
    if self.dim() == 1:
        target = target.reshape(torch.jit.annotate(List[int], []))
    used = (target != ignore_index)
    where = torch.where(used, target, torch.zeros_like(target)).unsqueeze(channel)
    weights = torch.ones_like(target).to(self.dtype)
    if weight is not None:
        weights = weight[where.squeeze(channel)]
    weights = weights * used.to(self.dtype)
    scale = grad / weights.sum() if reduction == 1 else grad
    return grad.new_zeros(self.size()).scatter(channel, where, (-weights * scale).reshape(where.size()))


def cross_entropy(grad: Tensor, self: Tensor, target: Tensor, weight: Optional[Tensor], reduction: int,
                  ignore_index: int, label_smoothing: float) -> Tensor:
    channel = 0 if self.dim() == 1 else 1
    if self.dim() == 1 and self.size() != target.size():
        target = target.reshape(torch.jit.annotate(List[int], []))
    classes = self.size(channel)
    shape = [1] * self.dim()
    shape[channel] = classes
    weights = weight.reshape(shape) if weight is not None else torch.ones(shape, dtype=self.dtype)
    if self.size() == target.size():
        wanted = target * (1 - label_smoothing) + label_smoothing / classes
        slope = wanted * weights
        count = torch.full([], float(self.numel() // max(classes, 1)), dtype=self.dtype)
    else:
        used = (target != ignore_index)
        where = torch.where(used, target, torch.zeros_like(target)).unsqueeze(channel)
        wanted = torch.zeros_like(self).scatter(channel, where, torch.ones_like(where).to(self.dtype))
        own = (wanted * weights)
        count = (own * used.unsqueeze(channel).to(self.dtype)).sum()
        slope = (own * (1 - label_smoothing) + weights * (label_smoothing / classes)) * used.unsqueeze(
            channel).to(self.dtype)
    scale = (grad / count if reduction == 1 else grad)
    if reduction == 0:
        scale = scale.unsqueeze(channel)
    return scale * (torch.softmax(self, channel) * slope.sum([channel], True) - slope)


# Linear algebra.


def solve_right(grad: Tensor, A: Tensor, left: bool) -> Tensor:
    return torch.linalg_solve(torch.adjoint(A), grad, left=left)


def solve_matrix(grad: Tensor, A: Tensor, result: Tensor, left: bool) -> Tensor:
    right = solve_right(grad, A, left)
    if result.dim() == A.dim() - 1:
        return -right.unsqueeze(-1) * result.conj().unsqueeze(-2)
    if left:
        return -torch.matmul(right, torch.adjoint(result))
    return -torch.matmul(torch.adjoint(result), right)


def cholesky(grad: Tensor, result: Tensor, upper: bool) -> Tensor:
    L = torch.adjoint(result) if upper else result
    g = torch.adjoint(grad) if upper else grad
    inner = torch.matmul(torch.adjoint(L), g).tril()
    inner = inner - 0.5 * torch.diag_embed(torch.diagonal(inner, 0, -2, -1))
    half = torch.linalg_solve(torch.adjoint(L), inner)
    whole = torch.linalg_solve(L, half, left=False)
    return 0.5 * (whole + torch.adjoint(whole))


def diag(grad: Tensor, self: Tensor, diagonal: int) -> Tensor:
    if self.dim() == 1:
        return torch.diagonal(grad, diagonal, 0, 1)
    return grad.new_zeros(self.size()).diagonal_scatter(grad, diagonal, 0, 1)


def meshgrid(grad: List[Tensor], tensors: List[Tensor]) -> List[Tensor]:
    parts: List[Tensor] = []
    for i in range(len(tensors)):
        others: List[int] = []
        for d in range(grad[i].dim()):
            if d != i:
                others.append(d)
        parts.append((grad[i].sum(others) if len(others) > 0 else grad[i]).reshape(tensors[i].size()))
    return parts


def unpool(grad: Tensor, indices: Tensor, self: Tensor, rank: int) -> Tensor:
    return grad.flatten(-rank, -1).gather(-1, indices.flatten(-rank, -1)).reshape(self.size())


# Fourier transforms: the adjoint is the transform the other way with the other norm.


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


def irfft(grad: Tensor, self: Tensor, dim: int, norm: Optional[str]) -> Tensor:
    length = grad.size(dim)
    half = torch.fft_rfft(grad, None, dim, other_norm(norm))
    # All but the first one, and the middle one of an even length, stand for two.
    twice = torch.full([half.size(dim)], 2., dtype=grad.dtype)
    twice[0] = 1.
    if length % 2 == 0:
        twice[-1] = 1.
    shape = [1] * half.dim()
    shape[dim] = half.size(dim)
    return sized(half * twice.reshape(shape), self.size(dim), dim)


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
    result = irfft(grad, self, dims[-1], norm)
    if len(dims) > 1:
        result = torch.fft_fftn(result, None, dims[:-1], other_norm(norm))
    for d in dims[:-1]:
        result = sized(result, self.size(d), d)
    return result


def take_along(grad: Tensor, self: Tensor, indices: Tensor, dim: Optional[int]) -> Tensor:
    if dim is None:
        return grad.new_zeros([self.numel()]).scatter_add(0, indices.reshape(-1), grad.reshape(-1)).reshape(self.size())
    # All dimensions but one broadcast.
    d = dim if dim >= 0 else dim + self.dim()
    shape = grad.size()
    shape[d] = self.size(d)
    places = grad.size()
    return torch.sum_to_size(grad.new_zeros(shape).scatter_add(d, indices.expand(places), grad), self.size())


def cross(a: Tensor, b: Tensor, self: Tensor, dim: Optional[int]) -> Tensor:
    along = -1
    if dim is not None:
        along = dim
    else:
        for i in range(self.dim()):
            d = self.dim() - 1 - i
            if self.size(d) == 3:
                along = d
    return torch.linalg_cross(a, b, dim=along)


def vector_norm(grad: Tensor, self: Tensor, result: Tensor, order: float, dim: List[int], keepdim: bool) -> Tensor:
    """Zero where the norm is."""
    grad = kept(grad, self, dim, keepdim)
    length = kept(result, self, dim, keepdim)
    if order == 0:
        return torch.zeros_like(self)
    if order == 1:
        return grad * torch.sgn(self)
    if order == 2:
        return (self * (grad / length)).masked_fill(length == 0, 0)
    size = torch.abs(self)
    if order == math.inf or order == -math.inf:
        found = (size == length).to(grad.dtype)
        return torch.sgn(self) * (found * grad / (found.sum(dim, True) if len(dim) > 0 else found.sum()))
    slope = torch.sgn(self) * torch.pow(size / length, order - 1) * grad
    return slope.masked_fill((size == 0) | (length == 0), 0)


def linalg_norm(grad: Tensor, self: Tensor, result: Tensor, ord: Optional[number], dim: Optional[List[int]],
                keepdim: bool) -> Tensor:
    dims = dim if dim is not None else torch.jit.annotate(List[int], [])
    if ord is None:
        return vector_norm(grad, self, result, 2., dims, keepdim)
    if len(dims) == 1 or (len(dims) == 0 and self.dim() < 2):
        return vector_norm(grad, self, result, float(ord), dims, keepdim)
    raise RuntimeError("derivative for aten::linalg_norm of matrices is not implemented for ord=" + str(ord))


def dims_or_all(dim: Optional[List[int]]) -> List[int]:
    return dim if dim is not None else torch.jit.annotate(List[int], [])


def clamp_low(grad: Tensor, self: Tensor, min: Optional[Tensor], max: Optional[Tensor]) -> Tensor:
    assert min is not None
    isBound = self < min
    if max is not None:
        isBound = isBound & (min < max)
    return torch.where(isBound, grad, 0.)


def reverse_exp_sum(grad: Tensor, self: Tensor, dim: int, result: Tensor) -> Tensor:
    logs = torch.flip(torch.where(grad > 0, torch.log(grad), -math.inf) - result, [dim])
    return torch.exp(torch.flip(torch.logcumsumexp(logs, dim), [dim]) + self)


def clamp_high(grad: Tensor, self: Tensor, min: Optional[Tensor], max: Optional[Tensor]) -> Tensor:
    assert max is not None
    isBound = self > max
    if min is not None:
        isBound = isBound | (max < min)
    return torch.where(isBound, grad, 0.)


def multigammaln(grad: Tensor, self: Tensor, p: int) -> Tensor:
    total = torch.digamma(self)
    for i in range(1, p):
        total = total + torch.digamma(self - 0.5 * i)
    return grad * total


def power_exponent_of_number(grad: Tensor, self: number, exponent: Tensor, result: Tensor) -> Tensor:
    return power_exponent(grad, torch.scalar_tensor(self, dtype=result.dtype), exponent, result)


def extremum(grad: Tensor, self: Tensor, dim: List[int], keepdim: bool, result: Tensor) -> Tensor:
    """Equal elements share the gradient."""
    value = kept(result, self, dim, keepdim)
    isIt = (self == value) | (torch.isnan(self) & torch.isnan(value))
    return torch.where(isIt, kept(grad, self, dim, keepdim) / torch.sum(isIt, dim, True), 0.)


def gamma_density(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    return grad * torch.exp((self - 1) * torch.log(other) - other - torch.lgamma(self))


def clamped(grad: Tensor, self: Tensor, min: Optional[Tensor], max: Optional[Tensor]) -> Tensor:
    if min is not None:
        grad = torch.where(self >= min, grad, 0.)
    if max is not None:
        grad = torch.where(self <= max, grad, 0.)
    return grad


def power_exponent(grad: Tensor, self: Tensor, exponent: Tensor, result: Tensor) -> Tensor:
    isFlat = (self == 0) & (torch.real(exponent) >= 0 if exponent.is_complex() else exponent >= 0)
    return torch.where(isFlat, 0., grad * (result * torch.log(self)).conj())


def cumulative_logsumexp(grad: Tensor, self: Tensor, dim: int, result: Tensor) -> Tensor:
    if self.dim() == 0:
        return grad
    result = torch.where(result == -math.inf, 0., result)
    if torch.is_grad_enabled():  # to be differentiated again: each share
        exponents = self.transpose(dim, -1).unsqueeze(-1) - result.transpose(dim, -1).unsqueeze(-2)
        n = self.size(dim)
        isLater = torch.triu(torch.ones([n, n], dtype=torch.bool, device=self.device))
        shares = torch.exp(torch.where(isLater, exponents, -math.inf))
        return torch.sum(grad.transpose(dim, -1).unsqueeze(-2) * shares, -1).transpose(dim, -1)
    return reverse_exp_sum(grad, self, dim, result) - reverse_exp_sum(-grad, self, dim, result)


def extrema(grad_min: Optional[Tensor], grad_max: Optional[Tensor], self: Tensor, dim: Optional[int], keepdim: bool,
            min: Tensor, max: Tensor) -> Tensor:
    dims = [dim] if dim is not None else torch.jit.annotate(List[int], [])
    total = torch.zeros_like(self)
    if grad_min is not None:
        total = total + extremum(grad_min, self, dims, keepdim, min)
    if grad_max is not None:
        total = total + extremum(grad_max, self, dims, keepdim, max)
    return total


def extremum_of_all(grad: Tensor, self: Tensor, result: Tensor) -> Tensor:
    return extremum(grad, self, torch.jit.annotate(List[int], []), False, result)


# Views and rearranging.
def extent(sizes: List[int], strides: List[int]) -> int:
    """How many elements of a storage a tensor spans."""
    last = 0
    for size, stride in zip(sizes, strides):
        if size == 0:
            return 0
        last += (size - 1) * stride
    return last + 1


def strided(grad: Tensor, self: Tensor, size: List[int], stride: List[int], storage_offset: Optional[int]) -> Tensor:
    """Elements that the view shows twice get the sum; those that self holds twice share it."""
    offset = self.storage_offset() if storage_offset is None else storage_offset
    first = min(offset, self.storage_offset())
    length = max(offset - first + extent(size, stride),
                 self.storage_offset() - first + extent(self.size(), self.stride()))
    places = torch.arange(length, device=grad.device)
    storage = grad.new_zeros([length]).index_add(0, places.as_strided(size, stride, offset - first).reshape(-1),
                                                 grad.reshape(-1))
    if self.numel() > extent(self.size(), self.stride()):
        held = places.as_strided(self.size(), self.stride(), self.storage_offset() - first).reshape(-1)
        times = grad.new_zeros([length]).index_add(0, held, grad.new_ones([self.numel()]))
        storage = storage / times.clamp(min=1)
    return storage.as_strided(self.size(), self.stride(), self.storage_offset() - first)


def laid_out(grad: Tensor, self: Tensor) -> Tensor:
    """The storage of a tensor like self that holds the gradient."""
    storage = grad.new_zeros([extent(self.size(), self.stride())])
    return torch.as_strided_scatter(storage, grad, self.size(), self.stride(), 0)


def place(self: Tensor, storage_offset: Optional[int]) -> int:
    return 0 if storage_offset is None else storage_offset - self.storage_offset()


def strided_part(grad: Tensor, self: Tensor, size: List[int], stride: List[int],
                 storage_offset: Optional[int]) -> Tensor:
    return laid_out(grad, self).as_strided(size, stride, place(self, storage_offset))


def strided_rest(grad: Tensor, self: Tensor, src: Tensor, size: List[int], stride: List[int],
                 storage_offset: Optional[int]) -> Tensor:
    storage = torch.as_strided_scatter(laid_out(grad, self), torch.zeros_like(src), size, stride,
                                       place(self, storage_offset))
    return storage.as_strided(self.size(), self.stride(), 0)


def unsplit(grads: List[Tensor], self: Tensor, indices: List[int], dim: int) -> Tensor:
    """Pieces between indices, which may overlap."""
    total = grads[0].new_zeros(self.size())
    start = 0
    for i, grad in enumerate(grads):
        end = indices[i] if i < len(indices) else self.size(dim)
        total = total + torch.slice_scatter(grad.new_zeros(self.size()), grad, dim, start, end)
        start = end
    return total


def unsplit_by(grads: List[Tensor], self: Tensor, where: Tensor, dim: int) -> Tensor:
    if where.dim() == 0:
        return torch.cat(grads, dim)
    return unsplit(grads, self, [int(where[i]) for i in range(where.size(0))], dim)


def cropped(x: Tensor, sizes: List[int]) -> Tensor:
    if x.dim() != len(sizes): # a number, or a vector of one
        x = x.reshape([1] * len(sizes)) if x.dim() == 0 or x.numel() == 1 else x.narrow(0, 0, 1).reshape(sizes)
    for d, size in enumerate(sizes):
        if x.size(d) != size:
            x = x.narrow(d, 0, size)
    return x


def filled_up(x: Tensor, sizes: List[int]) -> Tensor:
    """With zeros behind, to the sizes."""
    if x.dim() != len(sizes):
        x = x.reshape([1] * len(sizes))
    for d, size in enumerate(sizes):
        if x.size(d) != size:
            x = torch.slice_scatter(x.new_zeros(x.size()[:d] + [size] + x.size()[d + 1:]), x, d, 0, x.size(d))
    return x


def scattered(grad: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """The gradient of what was scattered: zeros where src has no index."""
    if index.numel() == 0:
        return grad.new_zeros(src.size())
    return filled_up(torch.gather(grad, dim, index), src.size())


def ones_over(x: Tensor, value: Tensor) -> Tensor:
    return (x == value).type_as(value)


def folded_factor(self: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, include_self: bool,
                  result: Tensor) -> Tensor:
    """For means: how many elements were folded into each; for extrema: how many equal the result."""
    if reduce == "mean":
        count = torch.ones_like(result) if include_self else torch.zeros_like(result)
        count = torch.scatter_add(count, dim, index, torch.ones_like(src))
        return count
    equal = ones_over(self, result)
    if not include_self:
        equal = torch.scatter(equal, dim, index, 0)
    return torch.scatter_add(equal, dim, index, ones_over(src, torch.gather(result, dim, index)))


def others_product(self: Tensor, dim: int, index: Tensor, src: Tensor, include_self: bool) -> Tensor:
    """For each element of src the product of the others folded into the same place: with one zero among them, it is
    other than zero for that one alone."""
    start = self if include_self else torch.scatter(self, dim, index, 1)
    zero = src == 0
    zeros = torch.scatter_add((start == 0).type_as(src), dim, index, zero.type_as(src))
    rest = torch.scatter_reduce(start.masked_fill(start == 0, 1), dim, index, src.masked_fill(zero, 1), "prod")
    here, product = torch.gather(zeros, dim, index), torch.gather(rest, dim, index)
    product = torch.where(zero, product, product / src.masked_fill(zero, 1))
    return torch.where(here == zero.type_as(src), product, torch.zeros_like(product))


def folded_self(grad: Tensor, self: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, include_self: bool,
                result: Tensor) -> Tensor:
    if index.numel() == 0:
        return grad
    src = cropped(src, index.size())
    if not include_self:
        # Where nothing is folded in, self stays.
        return torch.scatter(grad, dim, index, 0)
    if reduce == "sum":
        return grad
    if reduce == "prod":
        return grad * torch.scatter_reduce(torch.ones_like(self), dim, index, src, "prod").conj()
    factor = folded_factor(self, dim, index, src, reduce, include_self, result)
    if reduce == "mean":
        return grad / factor
    return grad * ones_over(self, result) / factor.masked_fill(factor == 0, 1)


def folded_source(grad: Tensor, self: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, include_self: bool,
                  result: Tensor) -> Tensor:
    if index.numel() == 0:
        return grad.new_zeros(src.size())
    sizes = src.size()
    src = cropped(src, index.size())
    if reduce == "sum":
        found = torch.gather(grad, dim, index)
    elif reduce == "prod":
        found = torch.gather(grad, dim, index) * others_product(self, dim, index, src, include_self).conj()
    else:
        factor = folded_factor(self, dim, index, src, reduce, include_self, result)
        found = torch.gather(grad / factor.masked_fill(factor == 0, 1), dim, index)
        if reduce != "mean":
            found = found * ones_over(src, torch.gather(result, dim, index))
    return filled_up(found, sizes)


def spread_index(dim: int, index: Tensor, source: Tensor) -> Tensor:
    """The index of slices as one of elements."""
    if source.dim() == 0:
        return index.reshape([])
    shape = [1] * source.dim()
    shape[dim] = index.numel()
    return index.reshape(shape).expand(source.size())


def index_folded_self(grad: Tensor, self: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str,
                      include_self: bool, result: Tensor) -> Tensor:
    return folded_self(grad, self, dim, spread_index(dim, index, source), source, reduce, include_self, result)


def index_folded_source(grad: Tensor, self: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str,
                        include_self: bool, result: Tensor) -> Tensor:
    return folded_source(grad, self, dim, spread_index(dim, index, source), source, reduce, include_self, result)


def blocks(grad: Tensor, tensors: List[Tensor]) -> List[Tensor]:
    found: List[Tensor] = []
    row, column = 0, 0
    for tensor in tensors:
        height = tensor.size(0) if tensor.dim() == 2 else 1
        width = tensor.size(-1) if tensor.dim() != 0 else 1
        found.append(grad.narrow(0, row, height).narrow(1, column, width).reshape(tensor.size()))
        row += height
        column += width
    return found


def interleaved(grad: Tensor, self: Tensor, repeats: Tensor, dim: Optional[int]) -> Tensor:
    whole = self.reshape(-1) if dim is None else self
    d = 0 if dim is None else dim
    length = whole.size(d) if whole.dim() != 0 else 1
    places = torch.repeat_interleave(repeats.reshape(-1).expand([length]))
    return torch.index_add(grad.new_zeros(whole.size()), d, places, grad).reshape(self.size())


def interleaved_evenly(grad: Tensor, self: Tensor, repeats: int, dim: Optional[int]) -> Tensor:
    if dim is None or self.dim() == 0:
        return grad.reshape([self.numel(), repeats]).sum([1]).reshape(self.size())
    d = dim % self.dim()
    shape = self.size()
    return grad.reshape(shape[:d + 1] + [repeats] + shape[d + 1:]).sum([d + 1])


def summed_but(grad: Tensor, dim: int) -> Tensor:
    """The sum over all other dimensions."""
    others = [d for d in range(grad.dim()) if d != dim]
    return grad.sum(others) if len(others) != 0 else grad


def grid(grads: List[Tensor], tensors: List[Tensor], exchanged: bool) -> List[Tensor]:
    found: List[Tensor] = []
    for i, tensor in enumerate(tensors):
        dim = 1 - i if exchanged and i < 2 and len(tensors) > 1 else i
        found.append(summed_but(grads[i], dim).reshape(tensor.size()))
    return found


def tuples(grad: Tensor, tensors: List[Tensor]) -> List[Tensor]:
    if len(tensors) == 1:
        return [grad]
    whole = grad.reshape([tensor.numel() for tensor in tensors] + [len(tensors)])
    return [summed_but(whole.select(-1, i), i) for i in range(len(tensors))]


def selections(grad: Tensor, self: Tensor, r: int, with_replacement: bool) -> Tensor:
    places = torch.combinations(torch.arange(self.size(0), device=grad.device), r, with_replacement)
    return torch.index_add(grad.new_zeros(self.size()), 0, places.reshape(-1), grad.reshape(-1))


def sequences(grad: Tensor, tensors: List[Tensor], batch_first: bool) -> List[Tensor]:
    found: List[Tensor] = []
    for i, tensor in enumerate(tensors):
        found.append(grad.select(0 if batch_first else 1, i).narrow(0, 0, tensor.size(0)))
    return found


def shifted(grad: Tensor, dim: int, before: int, after: int) -> Tensor:
    shape = grad.size()
    shape[dim] = before + grad.size(dim) + after
    return torch.slice_scatter(grad.new_zeros(shape), grad, dim, before, before + grad.size(dim))


def undiffed(grad: Tensor, self: Tensor, n: int, dim: int, prepend: Optional[Tensor], append: Optional[Tensor],
             which: str) -> Tensor:
    before = prepend.size(dim) if prepend is not None else 0
    after = append.size(dim) if append is not None else 0
    if n == 0: # self alone
        if which == "prepend" and prepend is not None:
            return torch.zeros_like(prepend)
        if which == "append" and append is not None:
            return torch.zeros_like(append)
        return grad
    length = before + self.size(dim) + after
    if grad.size(dim) + n != length: # more differences than elements: nothing is left
        shape = self.size()
        shape[dim] = length
        grad = grad.new_zeros(shape)
    else:
        for _ in range(n):
            grad = shifted(grad, dim, 1, 0) - shifted(grad, dim, 0, 1)
    if which == "prepend":
        return grad.narrow(dim, 0, before)
    if which == "append":
        return grad.narrow(dim, length - after, after)
    return grad.narrow(dim, before, length - before - after)


def trapezoid(grad: Tensor, y: Tensor, dx: number, dim: int) -> Tensor:
    """The inner points count once, the outer ones half."""
    if y.size(dim) < 2:
        return grad.new_zeros(y.size())
    inner = grad.unsqueeze(dim).expand(y.size()[:dim % y.dim()] + [y.size(dim) - 1] + y.size()[dim % y.dim() + 1:])
    return (shifted(inner, dim, 1, 0) + shifted(inner, dim, 0, 1)) * (0.5 * dx)


# Products.
def turned(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    """The gradient of inner(self, other) as that of inner(other, self)."""
    if self.dim() == 0 or other.dim() == 0:
        return grad
    rank = self.dim() - 1
    return grad.permute([d for d in range(rank, grad.dim())] + [d for d in range(rank)])


def inner_left(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    if self.dim() == 0 or other.dim() == 0:
        return grad * other.conj()
    other = rows(other).conj()
    flat = grad.reshape([rows(self).size(0), other.size(0)])
    return torch.mm(flat, other.type_as(flat)).reshape(self.size())


def others_of(rank: int, dims: List[int]) -> List[int]:
    found: List[int] = []
    for d in range(rank):
        if d not in dims:
            found.append(d)
    return found


def tensordot_left(grad: Tensor, self: Tensor, other: Tensor, dims_self: List[int], dims_other: List[int]) -> Tensor:
    """The product with other's other dimensions, whose dimensions are then put in self's order."""
    if self.dim() == 0 and other.dim() == 0:
        return grad * other.conj()
    contracted = [d % max(self.dim(), 1) for d in dims_self]
    partner = [d % max(other.dim(), 1) for d in dims_other]
    free = others_of(self.dim(), contracted)
    outer = others_of(other.dim(), partner)
    product = torch.tensordot(grad, other.conj(), ([len(free) + i for i in range(len(outer))], outer))
    # It has self's free dimensions, then those of other that are contracted, in other's order.
    order = [0] * self.dim()
    for i, d in enumerate(free):
        order[d] = i
    ordered = others_of(other.dim(), outer)
    for d, p in zip(contracted, partner):
        order[d] = len(free) + ordered.index(p)
    product = product.permute(order)
    return product.expand(torch._infer_size(product.size(), self.size()))


def tensordot_right(grad: Tensor, self: Tensor, other: Tensor, dims_self: List[int], dims_other: List[int]) -> Tensor:
    if self.dim() == 0 and other.dim() == 0:
        return grad * self.conj()
    rank = self.dim() - len(dims_self)
    return tensordot_left(grad.permute([d for d in range(rank, grad.dim())] + [d for d in range(rank)]), other, self,
                          dims_other, dims_self)


def bilinear_left(grad: Tensor, other: Tensor, weight: Tensor) -> Tensor:
    """The gradient of the factor along weight's second dimension."""
    mixed = torch.mm(rows(grad), weight.conj().flatten(1)).reshape([rows(grad).size(0), weight.size(1), weight.size(2)])
    return (mixed * rows(other).conj().unsqueeze(1)).sum([2])


def bilinear_weight(grad: Tensor, input1: Tensor, input2: Tensor, weight: Tensor) -> Tensor:
    pairs = rows(input1).unsqueeze(2) * rows(input2).unsqueeze(1)
    return torch.mm(rows(grad).t(), pairs.conj().flatten(1)).reshape(weight.size())


def of_rank(x: Tensor, rank: int) -> List[int]:
    return [1] * (rank - x.dim()) + x.size()


def kron_pairs(grad: Tensor, left: List[int], right: List[int]) -> Tensor:
    """Dimensions of the left factor first, then those of the right one."""
    shape: List[int] = []
    for a, b in zip(left, right):
        shape.append(a)
        shape.append(b)
    return grad.reshape(shape).permute([2 * d for d in range(len(left))] + [2 * d + 1 for d in range(len(left))])


def kron_left(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    rank = grad.dim()
    if rank == 0:
        return grad * other.conj()
    product = kron_pairs(grad, of_rank(self, rank), of_rank(other, rank)) * other.conj().reshape(of_rank(other, rank))
    return product.sum([rank + d for d in range(rank)]).reshape(self.size())


def kron_right(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    rank = grad.dim()
    if rank == 0:
        return grad * self.conj()
    product = kron_pairs(grad, of_rank(self, rank), of_rank(other, rank)) * self.conj().reshape(
        of_rank(self, rank) + [1] * rank)
    return product.sum([d for d in range(rank)]).reshape(other.size())


def chain(grad: Tensor, factors: List[Tensor]) -> List[Tensor]:
    last = len(factors) - 1
    matrices: List[Tensor] = []
    for i, factor in enumerate(factors):
        if factor.dim() == 1:
            factor = factor.unsqueeze(0 if i == 0 else 1)
        matrices.append(factor.mH)
    grad = grad.reshape([matrices[0].size(1), matrices[last].size(0)])
    found: List[Tensor] = []
    for i in range(last + 1):
        one = grad
        for k in range(i):
            one = torch.mm(matrices[k], one)
        for k in range(last - i):
            one = torch.mm(one, matrices[last - k])
        found.append(one.reshape(factors[i].size()))
    return found


def matrix_power(grad: Tensor, self: Tensor, n: int) -> Tensor:
    if n == 0:
        return torch.zeros_like(grad)
    base = self.mH if n > 0 else torch.inverse(self).mH
    total = grad
    power = grad
    for _ in range(abs(n) - 1):
        # sum of base^k grad base^(n - 1 - k)
        total = torch.matmul(total, base)
        power = torch.matmul(base, power)
        total = total + power
    if n < 0:
        total = -torch.matmul(torch.matmul(base, total), base)
    return total


# Matrices: factors, inverses, solutions.
def of_matrices(x: Tensor) -> Tensor:
    """A number for each matrix, for broadcasting against it."""
    return x.unsqueeze(-1).unsqueeze(-1)


def det(grad: Tensor, self: Tensor, result: Tensor) -> Tensor:
    return of_matrices(grad * result.conj()) * torch.inverse(self).mH


def slogdet(grad_sign: Optional[Tensor], grad_log: Optional[Tensor], self: Tensor, sign: Tensor) -> Tensor:
    """The sign of a real determinant is constant; that of a complex one turns with it."""
    factor = torch.zeros_like(sign)
    if grad_log is not None:
        factor = factor + grad_log
    if grad_sign is not None and sign.is_complex():
        turn = torch.imag(sign.conj() * grad_sign)
        factor = factor + torch.complex(torch.zeros_like(turn), turn)
    return of_matrices(factor) * torch.inverse(self).mH


def solved_matrix(right: Tensor, matrix: Tensor, solution: Tensor, left: bool) -> Tensor:
    """The gradient of a system's matrix, from that of its right side."""
    if solution.dim() == 1 or (solution.dim() == matrix.dim() - 1 and solution.size() == matrix.size()[:-1]):
        return -(right.unsqueeze(-1) * solution.conj().unsqueeze(-2))
    return -torch.matmul(right, solution.mH) if left else -torch.matmul(solution.mH, right)


def symmetric(x: Tensor) -> Tensor:
    return (x + x.mH) * 0.5


def triangle(x: Tensor, upper: bool, unitriangular: bool) -> Tensor:
    edge = 1 if unitriangular else 0
    return torch.triu(x, edge) if upper else torch.tril(x, -edge)


def cholesky_solve_factor(grad: Tensor, result: Tensor, factor: Tensor, upper: bool) -> Tensor:
    factor = triangle(factor, upper, False)
    outer = torch.matmul(torch.cholesky_solve(grad, factor, upper), result.mH)
    sum = -(outer + outer.mH)
    return triangle(torch.matmul(factor, sum) if upper else torch.matmul(sum, factor), upper, False)


def cholesky_inverse(grad: Tensor, result: Tensor, factor: Tensor, upper: bool) -> Tensor:
    factor = triangle(factor, upper, False)
    sum = -torch.matmul(torch.matmul(result, grad + grad.mH), result)
    return triangle(torch.matmul(factor, sum) if upper else torch.matmul(sum, factor), upper, False)


def triangular_right(grad: Optional[Tensor], matrix: Tensor, upper: bool, transpose: bool,
                     unitriangular: bool) -> Tensor:
    if grad is None:
        return torch.zeros_like(matrix.select(-1, 0).unsqueeze(-1)) # it broadcasts
    if transpose:
        return torch.linalg_solve_triangular(matrix.conj(), grad, upper=upper, unitriangular=unitriangular)
    return torch.linalg_solve_triangular(matrix.mH, grad, upper=not upper, unitriangular=unitriangular)


def triangular_matrix(grad: Optional[Tensor], grad_copy: Optional[Tensor], matrix: Tensor, solution: Tensor,
                      upper: bool, transpose: bool, unitriangular: bool) -> Tensor:
    total = torch.zeros_like(matrix) if grad_copy is None else grad_copy
    if grad is not None:
        right = triangular_right(grad, matrix, upper, transpose, unitriangular)
        found = -torch.matmul(right, solution.mH)
        total = total + triangle(found.mT if transpose else found, upper, unitriangular).sum_to_size(total.size())
    return total


def matrix_exp(grad: Tensor, self: Tensor) -> Tensor:
    """exp of [[A^H, grad], [0, A^H]] has the gradient beside exp(A^H)."""
    n = self.size(-1)
    matrix = self.mH
    above = torch.cat([matrix, grad], -1)
    below = torch.cat([torch.zeros_like(matrix), matrix], -1)
    return torch.matrix_exp(torch.cat([above, below], -2)).narrow(-2, 0, n).narrow(-1, n, n)


def qr(grad_Q: Optional[Tensor], grad_R: Optional[Tensor], Q: Tensor, R: Tensor) -> Tensor:
    """Of square R: the triangle below the diagonal of a symmetric matrix is known from that above it. A wider R has the
    square one, and Q^H of the other columns beside it."""
    m, n = R.size(-2), R.size(-1)
    if Q.dim() < 2 or Q.size(-1) != min(Q.size(-2), n):
        raise RuntimeError("there is no derivative of R alone, and of a Q with more columns than the matrix")
    rest = torch.zeros_like(R.narrow(-1, m, n - m))
    if grad_R is not None:
        rest = grad_R.narrow(-1, m, n - m)
        grad_R = grad_R.narrow(-1, 0, m)
    whole = torch.matmul(R.narrow(-1, m, n - m), rest.mH)
    whole = torch.matmul(Q, whole) if grad_Q is None else grad_Q + torch.matmul(Q, whole)
    inner = -torch.matmul(whole.mH, Q)
    if grad_R is not None:
        inner = inner + torch.matmul(R.narrow(-1, 0, m), grad_R.mH)
    lower = torch.tril(inner, -1)
    whole = whole + torch.matmul(Q, lower + lower.mH + torch.diag_embed(symmetric(inner).diagonal(0, -2, -1)))
    square = torch.linalg_solve_triangular(R.narrow(-1, 0, m).mH, whole, upper=False, left=False)
    return torch.cat([square, torch.matmul(Q, rest)], -1)


def differences(values: Tensor) -> Tensor:
    """values[j] - values[i]; 1 on the diagonal."""
    return values.unsqueeze(-2) - values.unsqueeze(-1) + torch.diag_embed(torch.ones_like(values))


def without_diagonal(x: Tensor) -> Tensor:
    return x - torch.diag_embed(x.diagonal(0, -2, -1))


def eigh(grad_values: Optional[Tensor], grad_vectors: Optional[Tensor], values: Tensor, vectors: Tensor) -> Tensor:
    inner = torch.zeros_like(vectors)
    if grad_vectors is not None:
        inner = without_diagonal(torch.matmul(vectors.mH, grad_vectors)) / differences(values)
    if grad_values is not None:
        inner = inner + torch.diag_embed(grad_values)
    return torch.matmul(torch.matmul(vectors, inner), vectors.mH)


def eigh_or_values(grad_values: Optional[Tensor], grad_vectors: Optional[Tensor], values: Tensor, vectors: Tensor,
                   self: Tensor, UPLO: str, compute_v: bool) -> Tensor:
    if compute_v:
        return eigh(grad_values, grad_vectors, values, vectors)
    if grad_values is None:
        return torch.zeros_like(self)
    return eigvalsh(grad_values, self, UPLO)


def eigvalsh(grad: Tensor, self: Tensor, UPLO: str) -> Tensor:
    values, vectors = torch.linalg_eigh(self, UPLO)
    return torch.matmul(vectors * grad.unsqueeze(-2), vectors.mH)


def svdvals(grad: Tensor, self: Tensor) -> Tensor:
    U, S, Vh = torch.linalg_svd(self, False)
    return torch.matmul(U * grad.unsqueeze(-2), Vh)


def skew(x: Tensor) -> Tensor:
    return x - x.mH


def svd(grad_U: Optional[Tensor], grad_S: Optional[Tensor], grad_Vh: Optional[Tensor], U: Tensor, S: Tensor,
        Vh: Tensor, self: Tensor) -> Tensor:
    """Vectors that full_matrices adds are taken for constants."""
    k = S.size(-1)
    if U.numel() == 0 and S.numel() != 0: # there was no need of vectors
        U, S, Vh = torch.linalg_svd(self, False)
    if grad_U is not None:
        grad_U = grad_U.narrow(-1, 0, k) if grad_U.numel() != 0 else None
    if grad_Vh is not None:
        grad_Vh = grad_Vh.narrow(-2, 0, k) if grad_Vh.numel() != 0 else None
    U, Vh = U.narrow(-1, 0, k), Vh.narrow(-2, 0, k)
    inner = torch.zeros_like(torch.matmul(U.mH, U))
    if grad_S is not None:
        inner = inner + torch.diag_embed(grad_S)
    gaps = differences(S * S)
    if grad_U is not None:
        inner = inner + without_diagonal(skew(torch.matmul(U.mH, grad_U)) / gaps) * S.unsqueeze(-2)
    if grad_Vh is not None:
        inner = inner + S.unsqueeze(-1) * without_diagonal(skew(torch.matmul(Vh, grad_Vh.mH)) / gaps)
    total = torch.matmul(torch.matmul(U, inner), Vh)
    if grad_U is not None and U.size(-2) > k:
        scaled = grad_U / S.unsqueeze(-2)
        total = total + torch.matmul(scaled - torch.matmul(U, torch.matmul(U.mH, scaled)), Vh)
    if grad_Vh is not None and Vh.size(-1) > k:
        scaled = grad_Vh / S.unsqueeze(-1)
        total = total + torch.matmul(U, scaled - torch.matmul(torch.matmul(scaled, Vh.mH), Vh))
    return total


def nuclear(grad: Tensor, self: Tensor) -> Tensor:
    U, S, Vh = torch.linalg_svd(self, False)
    return grad.reshape([]) * torch.matmul(U, Vh)


def vander(grad: Tensor, x: Tensor) -> Tensor:
    powers = torch.arange(grad.size(-1), device=grad.device)
    lower = torch.pow(x.unsqueeze(-1), (powers - 1).clamp(min=0))
    return (grad * powers * lower.conj()).sum([-1])


# Norms and distances.
def norm(grad: Tensor, self: Tensor, result: Tensor, p: Optional[number], dim: List[int], keepdim: bool) -> Tensor:
    return vector_norm(grad, self, result, 2.0 if p is None else float(p), dim, keepdim)


def distances(grad: Tensor, x1: Tensor, x2: Tensor, result: Tensor, p: float) -> Tensor:
    """The gradient of each row of x1 less each of x2."""
    return norm(grad, x1.unsqueeze(-2) - x2.unsqueeze(-3), result, p, [-1], False)


def pdist(grad: Tensor, self: Tensor, result: Tensor, p: float) -> Tensor:
    pairs = torch.combinations(torch.arange(self.size(0), device=grad.device), 2, False)
    first, second = pairs.select(1, 0), pairs.select(1, 1)
    found = norm(grad, self.index_select(0, first) - self.index_select(0, second), result, p, [-1], False)
    return torch.zeros_like(self).index_add(0, first, found).index_add(0, second, found, alpha=-1)


def cosine(grad: Tensor, self: Tensor, other: Tensor, dim: int, eps: float) -> Tensor:
    """Of x y / (max(|x|, eps) max(|y|, eps)): below eps a norm is constant."""
    grad = grad.unsqueeze(dim)
    shape = torch._infer_size(self.size(), other.size())
    self, other = self.expand(shape), other.expand(shape)
    size = torch.norm(self, 2, [dim], True)
    length = size.clamp(min=eps)
    y = other / torch.norm(other, 2, [dim], True).clamp(min=eps)
    x = self / length
    along_x = (x * y).sum([dim], True) * (size > eps).type_as(size)
    return grad * (y - along_x * x) / length


def renorm(grad: Tensor, self: Tensor, p: number, dim: int, maxnorm: number) -> Tensor:
    others = [d for d in range(self.dim()) if d != dim % self.dim()]
    size = torch.norm(self, p, others, True)
    low = size + 1e-7
    scale = torch.where(size > maxnorm, maxnorm / low, torch.ones_like(size))
    change = -maxnorm * torch.real(grad * self.conj()).sum(others, True) / (low * low)
    change = torch.where(size > maxnorm, change, torch.zeros_like(size))
    return grad * scale + norm(change, self, size, p, others, True)


def svd_old(grad_U: Optional[Tensor], grad_S: Optional[Tensor], grad_V: Optional[Tensor], U: Tensor, S: Tensor,
            V: Tensor, self: Tensor, compute_uv: bool) -> Tensor:
    if not compute_uv:
        return torch.zeros_like(self) if grad_S is None else svdvals(grad_S, self)
    return svd(grad_U, grad_S, None if grad_V is None else grad_V.mH, U, S, V.mH, self)


# Convolutions. Gradients are convolutions again.
def each(values: List[int], rank: int) -> List[int]:
    return values * rank if len(values) == 1 else values


def batched(x: Tensor, weight: Tensor) -> Tensor:
    return x.unsqueeze(0) if x.dim() < weight.dim() else x


def convolution_input(grad: Tensor, input: Tensor, weight: Tensor, stride: List[int], padding: List[int],
                      dilation: List[int], transposed: bool, groups: int) -> Tensor:
    if grad.numel() == 0 or input.numel() == 0:
        return grad.new_zeros(input.size())
    rank = weight.dim() - 2
    stride, padding, dilation = each(stride, rank), each(padding, rank), each(dilation, rank)
    extra = [0] * rank
    if not transposed: # elements at the end that no window reaches
        for d in range(rank):
            window = dilation[d] * (weight.size(d + 2) - 1) + 1
            extra[d] = input.size(d - rank) - ((grad.size(d - rank) - 1) * stride[d] - 2 * padding[d] + window)
    found = torch.convolution(batched(grad, weight), weight.conj(), None, stride, padding, dilation, not transposed,
                              extra, groups)
    if transposed: # output padding may have room for more windows
        for d in range(rank):
            found = found.narrow(d + 2, 0, input.size(d - rank))
    return found.reshape(input.size())


def convolution_weight(grad: Tensor, input: Tensor, weight: Tensor, stride: List[int], padding: List[int],
                       dilation: List[int], transposed: bool, groups: int) -> Tensor:
    """What slid over what: batches become channels, and steps of windows those inside of them."""
    if grad.numel() == 0 or input.numel() == 0:
        return grad.new_zeros(weight.size())
    rank = weight.dim() - 2
    stride, padding, dilation = each(stride, rank), each(padding, rank), each(dilation, rank)
    wide = batched(grad, weight) if transposed else batched(input, weight).conj()
    narrow = batched(input, weight).conj() if transposed else batched(grad, weight)
    wide = wide.unflatten(1, [groups, wide.size(1) // groups]).transpose(0, 2).flatten(1, 2)
    found = torch.convolution(wide, narrow.transpose(0, 1), None, dilation, padding, stride, False, [0] * rank, groups)
    for d in range(rank):
        found = found.narrow(d + 2, 0, weight.size(d + 2))
    return found.transpose(0, 1)


def convolution_bias(grad: Tensor, weight: Tensor) -> Tensor:
    return summed_but(grad, grad.dim() - weight.dim() + 1)


def same_pads(weight: Tensor, dilation: List[int], padding: str) -> List[int]:
    """Before and after, last dimension first."""
    rank = weight.dim() - 2
    dilation = each(dilation, rank)
    pads: List[int] = []
    for k in range(rank):
        d = rank - 1 - k
        total = dilation[d] * (weight.size(d + 2) - 1) if padding == "same" else 0
        pads.append(total // 2)
        pads.append(total - total // 2)
    return pads


def convolution_mode_input(grad: Tensor, input: Tensor, weight: Tensor, stride: List[int], padding: str,
                           dilation: List[int], groups: int) -> Tensor:
    pads = same_pads(weight, dilation, padding)
    found = convolution_input(grad, torch.constant_pad_nd(input, pads), weight, stride, [0], dilation, False, groups)
    return torch.constant_pad_nd(found, [-p for p in pads])


def convolution_mode_weight(grad: Tensor, input: Tensor, weight: Tensor, stride: List[int], padding: str,
                            dilation: List[int], groups: int) -> Tensor:
    wide = torch.constant_pad_nd(input, same_pads(weight, dilation, padding))
    return convolution_weight(grad, wide, weight, stride, [0], dilation, False, groups)


# Layers.
def softmax(grad: Tensor, result: Tensor, dim: int) -> Tensor:
    return (grad - torch.sum(grad * result, [dim], True)) * result


def transposed_along(grad: Tensor, dim: int, matrix: Tensor) -> Tensor:
    """Back through a linear function of each line along a dimension; the matrix's rows are what it makes of units."""
    return torch.matmul(grad.transpose(dim, -1), matrix.t()).transpose(dim, -1)


def units(size: int, like: Tensor) -> Tensor:
    """For one line a channel."""
    return torch.eye(size, dtype=like.dtype, device=like.device).reshape([1, size, size, 1])


def upsampled(grad: Tensor, self: Tensor, mode: str, align_corners: bool, scales: List[Optional[float]]) -> Tensor:
    """Every mode works along one dimension after the other."""
    rank = len(scales)
    for d in range(rank):
        length, count = self.size(d - rank), grad.size(d - rank)
        unit, size, scale = units(length, grad), [count, 1], scales[d]
        if mode == "nearest":
            line = torch.upsample_nearest2d(unit, size, scale, None)
        elif mode == "nearest-exact":
            line = torch._upsample_nearest_exact2d(unit, size, scale, None)
        elif mode == "linear":
            line = torch.upsample_bilinear2d(unit, size, align_corners, scale, None)
        elif mode == "cubic":
            line = torch.upsample_bicubic2d(unit, size, align_corners, scale, None)
        elif mode == "linear-aa":
            line = torch._upsample_bilinear2d_aa(unit, size, align_corners, scale, None)
        else:
            line = torch._upsample_bicubic2d_aa(unit, size, align_corners, scale, None)
        grad = transposed_along(grad, d - rank, line.reshape([length, count]))
    return grad


def upsampled_by(grad: Tensor, self: Tensor, mode: str, align_corners: bool, factors: Optional[List[float]]) -> Tensor:
    scales: List[Optional[float]] = []
    for d in range(self.dim() - 2):
        scales.append(None if factors is None else factors[d])
    return upsampled(grad, self, mode, align_corners, scales)


def affine_grid(grad: Tensor, theta: Tensor, size: List[int], align_corners: bool) -> Tensor:
    """The grid is linear in theta: that of the identity has the points."""
    rank = theta.size(-2)
    identity = torch.eye(rank, rank + 1, dtype=grad.dtype, device=grad.device).unsqueeze(0)
    points = torch.affine_grid_generator(identity, [1] + size[1:], align_corners).reshape([-1, rank])
    points = torch.cat([points, torch.ones_like(points.narrow(1, 0, 1))], 1)
    return torch.matmul(grad.flatten(1, -2).mT, points)


def over(x: Tensor, dims: List[int]) -> Tensor:
    """The sum over dimensions, which may be none."""
    return x if len(dims) == 0 else x.sum(dims, True)


def norm_except(v: Tensor, dim: int) -> Tensor:
    dims = [d for d in range(v.dim()) if dim == -1 or d != dim]
    return v.abs() if len(dims) == 0 else torch.norm(v, 2, dims, True)


def weight_norm(grad: Tensor, v: Tensor, g: Tensor, dim: int) -> Tensor:
    dims = [d for d in range(v.dim()) if dim == -1 or d != dim]
    size = norm_except(v, dim)
    unit = v / size
    scaled = (grad * g.conj()).sum_to_size(v.size()) / size
    return scaled - unit * over(torch.real(scaled * unit.conj()), dims)


def weight_norm_scale(grad: Tensor, v: Tensor, dim: int) -> Tensor:
    return grad * v.conj() / norm_except(v, dim)


# Losses.
def of_loss(grad: Tensor, slope: Tensor, weight: Optional[Tensor], reduction: int) -> Tensor:
    """By the slopes of the elements of what was weighted and reduced."""
    if weight is not None:
        slope = slope * weight
    found = grad * slope
    return found / found.numel() if reduction == 1 else found


# Normalization.
def layer_norm_input(grad: Optional[Tensor], grad_mean: Optional[Tensor], grad_scale: Optional[Tensor], input: Tensor,
                     normalized_shape: List[int], weight: Optional[Tensor], mean: Tensor, scale: Tensor) -> Tensor:
    dims = [-(i + 1) for i in range(len(normalized_shape))]
    count = 1
    for size in normalized_shape:
        count *= size
    centered = input - mean
    total = torch.zeros_like(input)
    if grad is not None:
        inner = grad if weight is None else grad * weight
        along_centered = centered * scale * scale * (inner * centered).mean(dims, True)
        total = (inner - inner.mean(dims, True) - along_centered) * scale
    if grad_mean is not None:
        total = total + grad_mean / count
    if grad_scale is not None:
        total = total - grad_scale * scale * scale * scale * centered / count
    return total


def layer_norm_weight(grad: Optional[Tensor], input: Tensor, normalized_shape: List[int], mean: Tensor,
                      scale: Tensor) -> Tensor:
    if grad is None:
        return torch.zeros(normalized_shape, dtype=input.dtype, device=input.device)
    return (grad * (input - mean) * scale).sum_to_size(normalized_shape)


def summed_to(grad: Optional[Tensor], shape: List[int], input: Tensor) -> Tensor:
    if grad is None:
        return torch.zeros(shape, dtype=input.dtype, device=input.device)
    return grad.sum_to_size(shape)


def channel_shape(vector: Tensor, input: Tensor) -> Tensor:
    return vector.reshape([-1] + [1] * (input.dim() - 2))


def batch_norm_input(grad: Tensor, input: Tensor, weight: Optional[Tensor], mean: Tensor, scale: Tensor,
                     running_var: Optional[Tensor], training: bool, eps: float) -> Tensor:
    """The statistics of a batch that are results are taken for constants."""
    inner = grad if weight is None else grad * channel_shape(weight, input)
    if not training:
        assert running_var is not None
        return inner * channel_shape(torch.rsqrt(running_var + eps), input)
    dims = [0] + [d for d in range(2, input.dim())]
    factor = channel_shape(scale, input)
    centered = input - channel_shape(mean, input)
    return (inner - inner.mean(dims, True) - centered * factor * factor * (inner * centered).mean(dims, True)) * factor


def batch_norm_weight(grad: Tensor, input: Tensor, mean: Tensor, scale: Tensor, running_mean: Optional[Tensor],
                      running_var: Optional[Tensor], training: bool, eps: float) -> Tensor:
    if not training:
        assert running_mean is not None and running_var is not None
        mean, scale = running_mean, torch.rsqrt(running_var + eps)
    return summed_but(grad * (input - channel_shape(mean, input)) * channel_shape(scale, input), 1)


def group_norm_input(grad: Optional[Tensor], grad_mean: Optional[Tensor], grad_scale: Optional[Tensor], input: Tensor,
                     weight: Optional[Tensor], N: int, C: int, HxW: int, group: int, mean: Tensor,
                     scale: Tensor) -> Tensor:
    """The norm of the layer of a group."""
    if input.numel() == 0:
        return torch.zeros_like(input)
    inner: Optional[Tensor] = None
    if grad is not None:
        spread = grad.reshape([N, C, HxW])
        if weight is not None:
            spread = spread * weight.unsqueeze(-1)
        inner = spread.reshape([N, group, C // group * HxW])
    by_mean: Optional[Tensor] = None
    if grad_mean is not None:
        by_mean = grad_mean.unsqueeze(-1)
    by_scale: Optional[Tensor] = None
    if grad_scale is not None:
        by_scale = grad_scale.unsqueeze(-1)
    found = layer_norm_input(inner, by_mean, by_scale, input.reshape([N, group, C // group * HxW]), [C // group * HxW],
                             None, mean.unsqueeze(-1), scale.unsqueeze(-1))
    return found.reshape(input.size())


def group_norm_weight(grad: Optional[Tensor], input: Tensor, N: int, C: int, HxW: int, group: int, mean: Tensor,
                      scale: Tensor) -> Tensor:
    if grad is None or input.numel() == 0:
        return torch.zeros([max(C, 0)], dtype=input.dtype, device=input.device)
    normal = (input.reshape([N, group, C // group * HxW]) - mean.unsqueeze(-1)) * scale.unsqueeze(-1)
    return (grad.reshape([N, C, HxW]) * normal.reshape([N, C, HxW])).sum([0, 2])


def group_norm_bias(grad: Optional[Tensor], input: Tensor, N: int, C: int, HxW: int) -> Tensor:
    if grad is None or input.numel() == 0:
        return torch.zeros([max(C, 0)], dtype=input.dtype, device=input.device)
    return grad.reshape([N, C, HxW]).sum([0, 2])


def attention(grad: Optional[Tensor], grad_weights: Optional[Tensor], query: Tensor, key: Tensor, value: Tensor,
              mask: Optional[Tensor], dropout_p: float, is_causal: bool,
              weights: Tensor) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    """Of query, key, value and the mask, which is added."""
    if dropout_p > 0:
        raise RuntimeError("there is no derivative of attention with dropout")
    by_value = torch.zeros_like(value)
    by_weights = torch.zeros_like(weights)
    if grad is not None:
        by_value = torch.matmul(weights.mT, grad)
        by_weights = torch.matmul(grad, value.mT)
    if grad_weights is not None:
        by_weights = by_weights + grad_weights
    by_scores = softmax(by_weights, weights, -1)
    by_mask = by_scores
    scale = 1 / math.sqrt(query.size(-1))
    return torch.matmul(by_scores, key) * scale, torch.matmul(by_scores.mT, query) * scale, by_value, by_mask


# More losses.
def poisson_target(input: Tensor, target: Tensor, log_input: bool, full: bool, eps: float) -> Tensor:
    slope = -input if log_input else -torch.log(input + eps)
    if full:
        slope = slope + torch.where(target > 1, torch.log(target) + 0.5 / target, 0.)
    return slope.expand(torch._infer_size(input.size(), target.size()))


def cosine_embedding(grad: Tensor, self: Tensor, other: Tensor, target: Tensor, margin: float,
                     reduction: int) -> Tensor:
    dim = target.dim()
    dot = (self * other).sum([dim], True)
    square, length = (self * self).sum([dim], True) + 1e-12, (other * other).sum([dim], True) + 1e-12
    size = torch.sqrt(square * length)
    cosine = (dot / size).squeeze(dim)
    slope = torch.where(target == 1, -1., torch.where((target == -1) & (cosine > margin), 1., 0.)).type_as(self)
    by_cosine = of_loss(grad, slope.expand(torch._infer_size(slope.size(), cosine.size())), None, reduction)
    return by_cosine.unsqueeze(dim) * (other / size - dot / size * self / square)


def summed(x: Tensor, y: Tensor, like: Tensor) -> Tensor:
    return x.sum_to_size(like.size()) + y.sum_to_size(like.size())


def triplet(grad: Tensor, anchor: Tensor, positive: Tensor, negative: Tensor, margin: float, p: float, eps: float,
            swap: bool, reduction: int) -> Tuple[Tensor, Tensor, Tensor]:
    near, far = torch.pairwise_distance(anchor, positive, p, eps), torch.pairwise_distance(anchor, negative, p, eps)
    other = torch.pairwise_distance(positive, negative, p, eps)
    least = torch.minimum(far, other) if swap else far
    slope = of_loss(grad, (margin + near - least > 0).type_as(near), None, reduction)
    by_near = norm(slope.sum_to_size(near.size()), anchor - positive + eps, near, p, [-1], False)
    if not swap:
        by_far = norm(-slope.sum_to_size(far.size()), anchor - negative + eps, far, p, [-1], False)
        return summed(by_near, by_far, anchor), -by_near, -by_far
    by_far = norm((-slope * (far <= other)).sum_to_size(far.size()), anchor - negative + eps, far, p, [-1], False)
    by_other = norm((-slope * (far > other)).sum_to_size(other.size()), positive - negative + eps, other, p, [-1],
                    False)
    return summed(by_near, by_far, anchor), summed(by_other, -by_near, positive), summed(-by_far, -by_other, negative)


# Einstein sums.
def einsum_terms(equation: str, tensors: List[Tensor]) -> Tuple[List[str], str]:
    """The letters of each operand and of the result; those of an ellipsis are digits, from the right."""
    text = equation.replace(" ", "")
    sides = text.split("->")
    terms = sides[0].split(",")
    widest = 0
    for i, term in enumerate(terms):
        if term.find("...") >= 0:
            widest = max(widest, tensors[i].dim() - len(term) + 3)
    digits = "9876543210"
    found: List[str] = []
    for i, term in enumerate(terms):
        width = tensors[i].dim() - len(term) + 3
        found.append(term.replace("...", digits[10 - width:] if width > 0 else ""))
    if len(sides) > 1:
        return found, sides[1].replace("...", digits[10 - widest:])
    letters = "".join(found)
    result = digits[10 - widest:]
    for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz":
        if letters.count(c) == 1:
            result += c
    return found, result


def lettered(terms: str, spare: str) -> str:
    """Digits as letters that are not used."""
    text = ""
    for c in terms:
        at = "0123456789".find(c)
        text += spare[at] if at >= 0 else c
    return text


def einsum(grad: Tensor, equation: str, tensors: List[Tensor]) -> List[Tensor]:
    """For each operand the sum over the others; a letter that no other has is spread by ones."""
    terms, result = einsum_terms(equation, tensors)
    spare = ""
    for c in "zyxwvutsrqponmlkjihgfedcbaZYXWVUTSRQPONMLKJIHGFEDCBA":
        if equation.find(c) < 0:
            spare += c
    found: List[Tensor] = []
    for i, tensor in enumerate(tensors):
        # A letter that stands twice is a diagonal: the first place keeps it.
        own = ""
        twice: List[int] = []
        for d, c in enumerate(terms[i]):
            if own.find(c) >= 0:
                twice.append(d)
            else:
                own += c
        operands = [grad]
        inputs = [result]
        known = result
        for k, term in enumerate(terms):
            if k != i:
                operands.append(tensors[k].conj())
                inputs.append(term)
                known += term
        for c in own:
            if known.find(c) < 0:
                operands.append(grad.new_ones([tensor.size(terms[i].find(c))]))
                inputs.append(c)
        one = torch.einsum(lettered(",".join(inputs) + "->" + own, spare), operands)
        wide = [tensor.size(terms[i].find(c)) for c in own]
        one = one.expand(torch._infer_size(one.size(), wide)).sum_to_size(wide)
        for d in twice:
            first = terms[i].find(terms[i][d])
            shape = one.size()
            shape = shape[:d] + [tensor.size(d)] + shape[d:]
            one = torch.diagonal_scatter(one.new_zeros(shape), one.movedim(first, -1), 0, first, d)
        found.append(one)
    return found


def points_along(x: Tensor, y: Tensor, dim: int) -> Tensor:
    if x.dim() == 1:
        shape = [1] * y.dim()
        shape[dim] = x.size(0)
        x = x.reshape(shape)
    return x.expand(y.size())


def trapezoid_between(grad: Tensor, y: Tensor, x: Tensor, dim: int) -> Tensor:
    if y.size(dim) < 2:
        return grad.new_zeros(y.size())
    area = grad.unsqueeze(dim) * torch.diff(points_along(x, y, dim), 1, dim).conj() * 0.5
    return shifted(area, dim, 1, 0) + shifted(area, dim, 0, 1)


def trapezoid_points(grad: Tensor, y: Tensor, x: Tensor, dim: int) -> Tensor:
    if y.size(dim) < 2:
        return grad.new_zeros(x.size())
    count = y.size(dim) - 1
    width = grad.unsqueeze(dim) * (y.narrow(dim, 0, count) + y.narrow(dim, 1, count)).conj() * 0.5
    found = shifted(width, dim, 1, 0) - shifted(width, dim, 0, 1)
    return summed_but(found, dim % y.dim()) if x.dim() == 1 else found
