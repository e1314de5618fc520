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
    length = max(offset - first + extent(size, stride), self.storage_offset() - first + extent(self.size(), self.stride()))
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


def unpermuted(grad: Tensor, dims: List[int]) -> Tensor:
    back = [0] * len(dims)
    for i, d in enumerate(dims):
        back[d] = i
    return grad.permute(back)


def widened(grad: Tensor, self: Tensor, dim: int, start: int) -> Tensor:
    """The gradient of a narrowed tensor between zeros."""
    first = start + self.size(dim) if start < 0 else start
    return torch.slice_scatter(grad.new_zeros(self.size()), grad, dim, first, first + grad.size(dim))


def folded(grad: Tensor, self: Tensor, dim: int, size: int, step: int) -> Tensor:
    """Windows added up."""
    if self.dim() == 0:
        return grad.sum()
    d = dim % self.dim()
    places = (torch.arange(grad.size(d), device=grad.device) * step).unsqueeze(1) + torch.arange(size, device=grad.device)
    return torch.index_add(grad.new_zeros(self.size()), d, places.flatten(), grad.movedim(-1, d + 1).flatten(d, d + 1))


def joined(grads: List[Tensor], self: Tensor, dim: int) -> Tensor:
    return torch.cat(grads, dim) if len(grads) != 0 else torch.zeros_like(self)


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


def table(grad: Tensor, weight: Tensor, indices: Tensor, padding_idx: int, scale_grad_by_freq: bool) -> Tensor:
    """The gradient of an embedding's weight: rows added where they were taken from."""
    places = indices.reshape(-1)
    taken = grad.reshape([places.size(0), weight.size(1)])
    if scale_grad_by_freq:
        counts = grad.new_zeros([weight.size(0)]).index_add(0, places, grad.new_ones([places.size(0)]))
        taken = taken / counts.index_select(0, places).unsqueeze(1)
    if padding_idx >= 0:
        taken = taken.masked_fill((places == padding_idx).unsqueeze(1), 0)
    return torch.index_add(grad.new_zeros(weight.size()), 0, places, taken)


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


def taken_along(grad: Tensor, self: Tensor, indices: Tensor, dim: Optional[int]) -> Tensor:
    if dim is None:
        flat = torch.scatter_add(grad.new_zeros([self.numel()]), 0, indices.reshape(-1), grad.reshape(-1))
        return flat.reshape(self.size())
    shape = grad.size()
    shape[dim] = self.size(dim)
    return torch.scatter_add(grad.new_zeros(shape), dim, indices.expand(grad.size()), grad)


def unmasked(grad: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """The gradients of the elements that a masked scatter used, and zeros."""
    used = torch.masked_select(grad, mask)
    return filled_up(used, [source.numel()]).reshape(source.size())


def parts(grad: Tensor, tensors: List[Tensor], dim: int) -> List[Tensor]:
    found: List[Tensor] = []
    start = 0
    for tensor in tensors:
        if tensor.dim() == 1 and grad.dim() != 1: # an empty vector joins anything
            found.append(grad.new_zeros([0]))
        else:
            found.append(grad.narrow(dim, start, tensor.size(dim)))
            start += tensor.size(dim)
    return found


def stacked(grad: Tensor, tensors: List[Tensor], dim: int, rank: int) -> List[Tensor]:
    """Tensors of less dimensions than `rank` are one slice each."""
    found: List[Tensor] = []
    start = 0
    for tensor in tensors:
        length = 1 if tensor.dim() < rank else tensor.size(dim)
        found.append(grad.narrow(dim, start, length).reshape(tensor.size()))
        start += length
    return found


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


def repeated(grad: Tensor, self: Tensor) -> Tensor:
    """The copies of self added up."""
    shape: List[int] = []
    copies: List[int] = []
    for d in range(grad.dim()):
        size = 1 if d < grad.dim() - self.dim() else self.size(d - grad.dim() + self.dim())
        if grad.size(d) != size:
            copies.append(len(shape))
            shape.append(grad.size(d) // max(size, 1))
        shape.append(size)
    if len(copies) != 0:
        grad = grad.reshape(shape).sum(copies)
    return grad.reshape(self.size())


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


def along(grad: Tensor, dim: int) -> Tensor:
    """The sum over all other dimensions."""
    others = [d for d in range(grad.dim()) if d != dim]
    return grad.sum(others) if len(others) != 0 else grad


def grid(grads: List[Tensor], tensors: List[Tensor], exchanged: bool) -> List[Tensor]:
    found: List[Tensor] = []
    for i, tensor in enumerate(tensors):
        dim = 1 - i if exchanged and i < 2 and len(tensors) > 1 else i
        found.append(along(grads[i], dim).reshape(tensor.size()))
    return found


def tuples(grad: Tensor, tensors: List[Tensor]) -> List[Tensor]:
    if len(tensors) == 1:
        return [grad]
    whole = grad.reshape([tensor.numel() for tensor in tensors] + [len(tensors)])
    return [along(whole.select(-1, i), i) for i in range(len(tensors))]


def selections(grad: Tensor, self: Tensor, r: int, with_replacement: bool) -> Tensor:
    places = torch.combinations(torch.arange(self.size(0), device=grad.device), r, with_replacement)
    return torch.index_add(grad.new_zeros(self.size()), 0, places.reshape(-1), grad.reshape(-1))


def border(grad: Tensor, self: Tensor, pad: List[int], mode: str) -> Tensor:
    """What a border repeats is added where it was taken from."""
    if mode == "constant":
        return torch.constant_pad_nd(grad, [-p for p in pad])
    for k in range(len(pad) // 2):
        dim = self.dim() - 1 - k
        size = self.size(dim)
        places = torch.arange(grad.size(dim), device=grad.device) - pad[2 * k]
        if mode == "reflect":
            places = size - 1 - (size - 1 - places.abs()).abs()
        elif mode == "replicate":
            places = places.clamp(0, size - 1)
        else:
            places = places % size
        shape = grad.size()
        shape[dim] = size
        grad = torch.index_add(grad.new_zeros(shape), dim, places, grad)
    return grad


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
def matmul_left(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    if self.dim() == 1 and other.dim() == 1:
        return grad * other.conj()
    if other.dim() == 1:
        return grad.unsqueeze(-1) * other.conj()
    if self.dim() == 1:
        return torch.matmul(other.conj(), grad.unsqueeze(-1)).squeeze(-1)
    return torch.matmul(grad, other.mH)


def matmul_right(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    if self.dim() == 1 and other.dim() == 1:
        return grad * self.conj()
    if self.dim() == 1:
        return self.conj().unsqueeze(-1) * grad.unsqueeze(-2)
    if other.dim() == 1:
        return torch.mv(rows(self).t().conj(), grad.flatten())
    if other.dim() == 2:
        return torch.mm(rows(self).t().conj(), rows(grad))
    return torch.matmul(self.mH, grad)


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


def others(rank: int, dims: List[int]) -> List[int]:
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
    free = others(self.dim(), contracted)
    outer = others(other.dim(), partner)
    product = torch.tensordot(grad, other.conj(), ([len(free) + i for i in range(len(outer))], outer))
    # It has self's free dimensions, then those of other that are contracted, in other's order.
    order = [0] * self.dim()
    for i, d in enumerate(free):
        order[d] = i
    ordered = others(other.dim(), outer)
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


def halved(x: Tensor) -> Tensor:
    """The lower triangle, half of the diagonal."""
    return torch.tril(x, -1) + torch.diag_embed(x.diagonal(0, -2, -1) * 0.5)


def cholesky(grad: Tensor, factor: Tensor, upper: bool) -> Tensor:
    if upper:
        grad, factor = grad.mH, factor.mH
    inner = halved(torch.matmul(factor.mH, torch.tril(grad)))
    half = torch.linalg_solve_triangular(factor.mH, inner, upper=True)
    return symmetric(torch.linalg_solve_triangular(factor, half, upper=False, left=False))


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


def vecdot(grad: Tensor, self: Tensor, other: Tensor, dim: int) -> Tensor:
    if self.dim() == 0 and other.dim() == 0:
        return grad * other
    return (grad.unsqueeze(dim) * other).expand(torch._infer_size(self.size(), other.size()))


def triangular_right(grad: Optional[Tensor], matrix: Tensor, upper: bool, transpose: bool, unitriangular: bool) -> Tensor:
    if grad is None:
        return torch.zeros_like(matrix.select(-1, 0).unsqueeze(-1)) # it broadcasts
    if transpose:
        return torch.linalg_solve_triangular(matrix.conj(), grad, upper=upper, unitriangular=unitriangular)
    return torch.linalg_solve_triangular(matrix.mH, grad, upper=not upper, unitriangular=unitriangular)


def triangular_matrix(grad: Optional[Tensor], grad_copy: Optional[Tensor], matrix: Tensor, solution: Tensor, upper: bool,
                      transpose: bool, unitriangular: bool) -> Tensor:
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


def cross_dim(self: Tensor, dim: Optional[int]) -> int:
    if dim is not None:
        return dim
    for d in range(self.dim()):
        if self.size(d) == 3:
            return d
    return -1


def vander(grad: Tensor, x: Tensor) -> Tensor:
    powers = torch.arange(grad.size(-1), device=grad.device)
    lower = torch.pow(x.unsqueeze(-1), (powers - 1).clamp(min=0))
    return (grad * powers * lower.conj()).sum([-1])


# Norms and distances.
def norm(grad: Tensor, self: Tensor, result: Tensor, p: Optional[number], dim: List[int], keepdim: bool) -> Tensor:
    """0 where the norm is 0; extrema share the gradient."""
    order = 2.0 if p is None else float(p)
    grad = kept(grad, self, dim, keepdim)
    result = kept(result, self, dim, keepdim)
    if order == 0:
        return torch.zeros_like(self)
    if order == 1:
        return grad * torch.sgn(self)
    if order == 2:
        return self * (grad / result).masked_fill(result == 0, 0)
    size = torch.abs(self)
    if order == math.inf or order == -math.inf:
        equal = (size == result).type_as(grad)
        dims = [d for d in range(self.dim())] if len(dim) == 0 else dim
        count = equal.sum(dims, True) if self.dim() != 0 else equal
        return torch.sgn(self) * (grad * equal / count)
    if order < 2:
        return torch.sgn(self) * (torch.pow(size, order - 1).masked_fill(size == 0, 0) *
                                  (grad / torch.pow(result, order - 1)).masked_fill(result == 0, 0))
    return self * torch.pow(size, order - 2) * (grad / torch.pow(result, order - 1)).masked_fill(result == 0, 0)


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
    change = torch.where(size > maxnorm, -maxnorm * torch.real(grad * self.conj()).sum(others, True) / (low * low), torch.zeros_like(size))
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
            reached = (grad.size(d - rank) - 1) * stride[d] - 2 * padding[d] + dilation[d] * (weight.size(d + 2) - 1) + 1
            extra[d] = input.size(d - rank) - reached
    found = torch.convolution(batched(grad, weight), weight.conj(), None, stride, padding, dilation, not transposed, extra,
                              groups)
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
    return along(grad, grad.dim() - weight.dim() + 1)


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
def im2col(grad: Tensor, self: Tensor, kernel_size: List[int], dilation: List[int], padding: List[int],
           stride: List[int]) -> Tensor:
    if self.numel() == 0:
        return torch.zeros_like(self)
    return torch.im2col(grad, kernel_size, dilation, padding, stride)


def softmax(grad: Tensor, result: Tensor, dim: int) -> Tensor:
    return (grad - torch.sum(grad * result, [dim], True)) * result


def glu(grad: Tensor, self: Tensor, dim: int) -> Tensor:
    half = self.size(dim) // 2
    gate = torch.sigmoid(self.narrow(dim, half, half))
    return torch.cat([grad * gate, grad * self.narrow(dim, 0, half) * gate * (1 - gate)], dim)


def transposed_along(grad: Tensor, dim: int, matrix: Tensor) -> Tensor:
    """Back through a linear function of each line along a dimension; the matrix's rows are what it makes of units."""
    return torch.matmul(grad.transpose(dim, -1), matrix.t()).transpose(dim, -1)


def units(size: int, like: Tensor) -> Tensor:
    """For one line a channel."""
    return torch.eye(size, dtype=like.dtype, device=like.device).reshape([1, size, size, 1])


def avg_pool(grad: Tensor, self: Tensor, rank: int, kernel_size: List[int], stride: List[int], padding: List[int],
             ceil_mode: bool, count_include_pad: bool, divisor_override: Optional[int]) -> Tensor:
    """Averages over boxes are averages along one dimension after the other."""
    kernel_size, padding = each(kernel_size, rank), each(padding, rank)
    stride = kernel_size if len(stride) == 0 else each(stride, rank)
    divisor: Optional[int] = None if divisor_override is None else 1
    for d in range(rank):
        length = self.size(d - rank)
        line = torch.avg_pool2d(units(length, grad), [kernel_size[d], 1], [stride[d], 1], [padding[d], 0], ceil_mode,
                                count_include_pad, divisor)
        grad = transposed_along(grad, d - rank, line.reshape([length, grad.size(d - rank)]))
    return grad if divisor_override is None else grad / divisor_override


def adaptive_avg_pool(grad: Tensor, self: Tensor, rank: int) -> Tensor:
    for d in range(rank):
        length, count = self.size(d - rank), grad.size(d - rank)
        line = torch.adaptive_avg_pool2d(units(length, grad), [count, 1])
        grad = transposed_along(grad, d - rank, line.reshape([length, count]))
    return grad


def at_indices(grad: Tensor, indices: Tensor, self: Tensor, rank: int) -> Tensor:
    """Added at positions in the last dimensions."""
    if grad.numel() == 0:
        return grad.new_zeros(self.size())
    flat = grad.new_zeros(self.size()).flatten(-rank)
    return torch.scatter_add(flat, -1, indices.flatten(-rank), grad.flatten(-rank)).reshape(self.size())


def from_indices(grad: Tensor, indices: Tensor, rank: int) -> Tensor:
    return torch.gather(grad.flatten(-rank), -1, indices.flatten(-rank)).reshape(indices.size())


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


def class_weights(self: Tensor, target: Tensor, weight: Optional[Tensor], ignore_index: int) -> Tensor:
    """The weight of each target's class, 0 where it is ignored."""
    used = target != ignore_index
    if weight is None:
        return used.type_as(self)
    chosen = weight.index_select(0, target.masked_fill(~used, 0).reshape(-1)).reshape(target.size())
    return chosen.type_as(self) * used.type_as(self)


def nll(grad: Tensor, self: Tensor, target: Tensor, weight: Optional[Tensor], reduction: int,
        ignore_index: int) -> Tensor:
    if self.dim() == 1:
        return nll(grad.reshape([1]), self.unsqueeze(0), target.reshape([1]), weight, reduction, ignore_index).squeeze(0)
    factors = class_weights(self, target, weight, ignore_index)
    found = -grad * factors
    if reduction == 1:
        found = found / factors.sum()
    places = target.masked_fill(target == ignore_index, 0).unsqueeze(1)
    return torch.scatter_add(grad.new_zeros(self.size()), 1, places, found.expand(target.size()).unsqueeze(1))


def along_classes(weight: Tensor, self: Tensor) -> Tensor:
    return weight.reshape([-1] + [1] * (self.dim() - 2)) if self.dim() > 2 else weight


def cross_entropy(grad: Tensor, self: Tensor, target: Tensor, weight: Optional[Tensor], reduction: int,
                  ignore_index: int, label_smoothing: float) -> Tensor:
    if self.dim() == 1:
        target = target.unsqueeze(0) if target.is_floating_point() else target.reshape([1])
        return cross_entropy(grad.reshape([1]), self.unsqueeze(0), target, weight, reduction, ignore_index,
                             label_smoothing).squeeze(0)
    dim, classes = 1, self.size(1)
    if target.is_floating_point():
        share = target * (1 - label_smoothing) + label_smoothing / classes
        if weight is not None:
            share = share * along_classes(weight, self)
        found = -share * (grad.unsqueeze(dim) if reduction == 0 else grad)
        if reduction == 1:
            found = found * classes / self.numel()
    else:
        found = nll(grad, self, target, weight, reduction, ignore_index) * (1 - label_smoothing)
        if label_smoothing != 0:
            used = (target != ignore_index).type_as(self)
            rest = -grad * used * (label_smoothing / classes)
            if reduction == 1:
                rest = rest / class_weights(self, target, weight, ignore_index).sum()
            rest = rest.expand(target.size()).unsqueeze(dim).expand(self.size())
            found = found + (rest if weight is None else rest * along_classes(weight, self))
    return found - torch.softmax(self, dim) * found.sum([dim], True)


def cross_entropy_target(grad: Tensor, self: Tensor, weight: Optional[Tensor], reduction: int,
                         label_smoothing: float) -> Tensor:
    dim = 1 if self.dim() > 1 else 0
    found = -torch.log_softmax(self, dim) * (1 - label_smoothing) * (grad.unsqueeze(dim) if reduction == 0 else grad)
    if weight is not None:
        found = found * along_classes(weight, self)
    return found * self.size(dim) / self.numel() if reduction == 1 else found


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
        total = (inner - inner.mean(dims, True) - centered * scale * scale * (inner * centered).mean(dims, True)) * scale
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


def channels(weight: Tensor, self: Tensor) -> Tensor:
    """A vector along dimension 1."""
    return weight.reshape([-1] + [1] * (self.dim() - 2)) if weight.dim() == 1 and self.dim() > 1 else weight


def prelu_weight(grad: Tensor, self: Tensor, weight: Tensor) -> Tensor:
    found = torch.where(self > 0, 0., grad * self)
    if weight.numel() == 1:
        return found.sum().reshape(weight.size())
    return along(found, 1 if self.dim() > 1 else 0)


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
    return along(grad * (input - channel_shape(mean, input)) * channel_shape(scale, input), 1)


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
    return along(found, dim % y.dim()) if x.dim() == 1 else found
