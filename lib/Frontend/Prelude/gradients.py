# What formulas of derivatives share: the records say `backward.name`.
import math
import torch
from torch import Tensor
from typing import List, Optional


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


def offset_in(self: Tensor, storage_offset: Optional[int]) -> int:
    return storage_offset - self.storage_offset() if storage_offset is not None else 0


def strided(grad: Tensor, self: Tensor, size: List[int], stride: List[int], storage_offset: Optional[int]) -> Tensor:
    return grad.new_zeros(self.size()).as_strided_scatter(grad, size, stride, offset_in(self, storage_offset))


def strided_part(grad: Tensor, self: Tensor, size: List[int], stride: List[int],
                 storage_offset: Optional[int]) -> Tensor:
    return grad.contiguous().as_strided(size, stride, offset_in(self, storage_offset))


def without_strided(grad: Tensor, self: Tensor, src: Tensor, size: List[int], stride: List[int],
                    storage_offset: Optional[int]) -> Tensor:
    return grad.contiguous().as_strided_scatter(torch.zeros_like(src), size, stride, offset_in(self, storage_offset))


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


def reaching(part: Tensor, whole: Tensor) -> Tensor:
    """Zeros behind the part in each dimension."""
    padding: List[int] = []
    for i in range(whole.dim()):
        d = whole.dim() - 1 - i
        padding = padding + [0, whole.size(d) - part.size(d)]
    return torch.constant_pad_nd(part, padding)


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


def convolution_input(grad: Tensor, input: Tensor, weight: Tensor, stride: List[int], padding: List[int],
                      dilation: List[int], transposed: bool, groups: int) -> Tensor:
    rank = weight.dim() - 2
    none: Optional[Tensor] = None
    weight = weight.conj()
    if transposed:
        full = torch.convolution(grad, weight, none, stride, padding, dilation, False, [0] * rank, groups)
        for i in range(rank):
            full = torch.slice(full, 2 + i, 0, input.size(2 + i), 1)
        return full
    missing: List[int] = []
    for i in range(rank):
        reach = (grad.size(2 + i) - 1) * entry(stride, i) + entry(dilation, i) * (weight.size(2 + i) - 1) + 1
        missing.append(input.size(2 + i) + 2 * entry(padding, i) - reach)
    return torch.convolution(grad, weight, none, stride, padding, dilation, True, missing, groups)


def kernel_gradient(grad: Tensor, input: Tensor, weight: Tensor, stride: List[int], padding: List[int],
                    dilation: List[int]) -> Tensor:
    none: Optional[Tensor] = None
    rank = weight.dim() - 2
    full = torch.convolution(input.transpose(0, 1), grad.transpose(0, 1), none, dilation, padding, stride, False,
                             [0] * rank, 1)
    for i in range(rank):
        full = torch.slice(full, 2 + i, 0, weight.size(2 + i), 1)
    return full.transpose(0, 1)


def convolution_weight(grad: Tensor, input: Tensor, weight: Tensor, stride: List[int], padding: List[int],
                       dilation: List[int], transposed: bool, groups: int) -> Tensor:
    # Of a transposed convolution input and gradient change places.
    of = input.conj() if transposed else grad
    by = grad if transposed else input.conj()
    if groups == 1:
        return kernel_gradient(of, by, weight, stride, padding, dilation)
    ofs = of.chunk(groups, 1)
    bys = by.chunk(groups, 1)
    parts: List[Tensor] = []
    for i in range(groups):
        parts.append(kernel_gradient(ofs[i], bys[i], weight, stride, padding, dilation))
    return torch.cat(parts, 0)


def convolution_bias(grad: Tensor) -> Tensor:
    return grad.sum([0] + [d for d in range(2, grad.dim())])


def batched(tensor: Tensor, rank: int) -> Tensor:
    return tensor.unsqueeze(0) if tensor.dim() == rank + 1 else tensor


def conv_input(grad: Tensor, input: Tensor, weight: Tensor, stride: List[int], padding: List[int], dilation: List[int],
               groups: int, rank: int) -> Tensor:
    return convolution_input(batched(grad, rank), batched(input, rank), weight, stride, padding, dilation, False,
                             groups).reshape(input.size())


def conv_weight(grad: Tensor, input: Tensor, weight: Tensor, stride: List[int], padding: List[int], dilation: List[int],
                groups: int, rank: int) -> Tensor:
    return convolution_weight(batched(grad, rank), batched(input, rank), weight, stride, padding, dilation, False, groups)


def conv_transpose_input(grad: Tensor, input: Tensor, weight: Tensor, stride: List[int], padding: List[int],
                         dilation: List[int], groups: int, rank: int) -> Tensor:
    return convolution_input(batched(grad, rank), batched(input, rank), weight, stride, padding, dilation, True,
                             groups).reshape(input.size())


def conv_transpose_weight(grad: Tensor, input: Tensor, weight: Tensor, stride: List[int], padding: List[int],
                          dilation: List[int], groups: int, rank: int) -> Tensor:
    return convolution_weight(batched(grad, rank), batched(input, rank), weight, stride, padding, dilation, True, groups)


def border(weight: Tensor, padding: str, dilation: List[int], i: int) -> int:
    """All that is added to a dimension by padding of that name."""
    return entry(dilation, i) * (weight.size(2 + i) - 1) if padding == "same" else 0


def widened(input: Tensor, weight: Tensor, padding: str, dilation: List[int]) -> Tensor:
    """With what an odd border has more behind than before."""
    rank = weight.dim() - 2
    more: List[int] = []
    for i in range(rank):
        more = [0, border(weight, padding, dilation, i) % 2] + more
    return torch.constant_pad_nd(input, more, 0)


def halves(weight: Tensor, padding: str, dilation: List[int]) -> List[int]:
    return [border(weight, padding, dilation, i) // 2 for i in range(weight.dim() - 2)]


def conv_named_input(grad: Tensor, input: Tensor, weight: Tensor, stride: List[int], padding: str, dilation: List[int],
                     groups: int, rank: int) -> Tensor:
    if input.numel() == 0 or weight.numel() == 0 or grad.numel() == 0:
        return torch.zeros_like(input)
    whole = batched(input, rank)
    full = convolution_input(batched(grad, rank), widened(whole, weight, padding, dilation), weight, stride,
                             halves(weight, padding, dilation), dilation, False, groups)
    for i in range(rank):
        full = torch.slice(full, 2 + i, 0, whole.size(2 + i), 1)
    return full.reshape(input.size())


def conv_named_weight(grad: Tensor, input: Tensor, weight: Tensor, stride: List[int], padding: str, dilation: List[int],
                      groups: int, rank: int) -> Tensor:
    if input.numel() == 0 or weight.numel() == 0 or grad.numel() == 0:
        return torch.zeros_like(weight)
    return convolution_weight(batched(grad, rank), widened(batched(input, rank), weight, padding, dilation), weight,
                              stride, halves(weight, padding, dilation), dilation, False, groups)


def conv_bias(grad: Tensor, rank: int) -> Tensor:
    return convolution_bias(batched(grad, rank))


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


def unreduced(grad: Tensor, count: int, reduction: int) -> Tensor:
    return grad / count if reduction == 1 else grad


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


def binary_cross_entropy(grad: Tensor, self: Tensor, target: Tensor, weight: Optional[Tensor],
                         reduction: int) -> Tensor:
    slope = unreduced(grad, self.numel(), reduction) * (self - target) / (self * (1 - self)).clamp(min=1e-12)
    return slope * weight if weight is not None else slope


def binary_cross_entropy_target(grad: Tensor, self: Tensor, target: Tensor, weight: Optional[Tensor],
                                reduction: int) -> Tensor:
    slope = unreduced(grad, self.numel(), reduction) * (torch.log(1 - self).clamp(min=-100.) -
                                                        torch.log(self).clamp(min=-100.))
    return slope * weight if weight is not None else slope


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


def swapped(grad: Tensor, count: int) -> Tensor:
    """The first dimensions behind the others."""
    return grad.permute([d for d in range(count, grad.dim())] + [d for d in range(count)])


def tensordot_self(grad: Tensor, self: Tensor, other: Tensor, dims_self: List[int], dims_other: List[int]) -> Tensor:
    own = [d if d >= 0 else d + self.dim() for d in dims_self]
    others = [d if d >= 0 else d + other.dim() for d in dims_other]
    free: List[int] = []
    for d in range(self.dim()):
        if d not in own:
            free.append(d)
    rest: List[int] = []
    for d in range(other.dim()):
        if d not in others:
            rest.append(d)
    behind = [len(free) + i for i in range(len(rest))]
    product = torch.tensordot(grad, other.conj(), (behind, rest))
    # Its dimensions: those of `free`, then those of `others` in ascending order.
    place = [0] * self.dim()
    for i in range(len(free)):
        place[free[i]] = i
    for i in range(len(own)):
        before = 0
        for d in others:
            if d < others[i]:
                before += 1
        place[own[i]] = len(free) + before
    product = product.permute(place)
    # A dimension of one was broadcast.
    for i in range(len(own)):
        if self.size(own[i]) == 1 and other.size(others[i]) != 1:
            product = product.sum([own[i]], True)
    return product


def diag(grad: Tensor, self: Tensor, diagonal: int) -> Tensor:
    if self.dim() == 1:
        return torch.diagonal(grad, diagonal, 0, 1)
    return grad.new_zeros(self.size()).diagonal_scatter(grad, diagonal, 0, 1)


def dist(grad: Tensor, difference: Tensor, result: Tensor, p: number) -> Tensor:
    order = float(p)
    size = torch.abs(difference)
    if order == math.inf:
        found = (size == result).to(grad.dtype)
        return grad * torch.sign(difference) * found / found.sum()
    if order == 0:
        return torch.zeros_like(difference)
    slope = grad * torch.sign(difference) * torch.pow(size / result, order - 1)
    return torch.where((size == 0) | (result == 0), torch.zeros_like(slope), slope)


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


def labels_of(text: str) -> List[str]:
    """Letters, and `...` as one."""
    labels: List[str] = []
    dots = 0
    for c in text:
        if c == ".":
            dots += 1
            if dots == 3:
                labels.append("...")
                dots = 0
        else:
            labels.append(c)
    return labels


def implied(left: str) -> str:
    """The result's labels where an equation names none: those that stand once, in order."""
    text = "..." if "..." in left else ""
    for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz":
        if left.count(c) == 1:
            text = text + c
    return text


def einsum(grad: Tensor, equation: str, tensors: List[Tensor]) -> List[Tensor]:
    equation = equation.replace(" ", "")
    sides = equation.split("->")
    left = sides[0]
    right = sides[1] if len(sides) > 1 else implied(left)
    inputs = left.split(",")
    result: List[Tensor] = []
    for i in range(len(inputs)):
        operands = [grad]
        names = right
        for k in range(len(inputs)):
            if k != i:
                operands.append(tensors[k].conj())
                names = names + "," + inputs[k]
        # A label that stands nowhere else was summed alone: its gradient is the same along it.
        present = ""
        alone: List[int] = []
        place = 0
        for label in labels_of(inputs[i]):
            if inputs[i].count(label) > 1:
                raise RuntimeError("derivative for aten::einsum is not implemented for an operand with a label twice")
            if label in names:
                present = present + label
            else:
                alone.append(place)
            place += 1
        part = torch.einsum(names + "->" + present, operands)
        for d in alone:
            part = part.unsqueeze(d)
        result.append(part.expand(tensors[i].size()) if len(alone) > 0 else part)
    return result


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
