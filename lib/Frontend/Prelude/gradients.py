# What formulas of derivatives share: the records say `backward.name`.
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
        return grad.unsqueeze(-1) * weight
    return torch.matmul(grad, weight)


def rows(matrices: Tensor) -> Tensor:
    return matrices.unsqueeze(0) if matrices.dim() == 1 else matrices.flatten(0, -2)


def linear_weight(grad: Tensor, input: Tensor, weight: Tensor) -> Tensor:
    if weight.dim() == 1:
        return torch.mv(rows(input).t(), grad.flatten())
    return torch.mm(rows(grad).t(), rows(input))


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
        return x.reshape(sizes)
    for d, size in enumerate(sizes):
        if x.size(d) != size:
            x = x.narrow(d, 0, size)
    return x


def filled_up(x: Tensor, sizes: List[int]) -> Tensor:
    """With zeros behind, to the sizes."""
    if x.dim() != len(sizes):
        return x.reshape(sizes)
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
        return count.clamp(min=1)
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
        return grad * torch.scatter_reduce(torch.ones_like(self), dim, index, src, "prod")
    factor = folded_factor(self, dim, index, src, reduce, include_self, result)
    if reduce == "mean":
        return grad / factor
    return grad * ones_over(self, result) / factor.clamp(min=1)


def folded_source(grad: Tensor, self: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, include_self: bool,
                  result: Tensor) -> Tensor:
    if index.numel() == 0:
        return grad.new_zeros(src.size())
    sizes = src.size()
    src = cropped(src, index.size())
    if reduce == "sum":
        found = torch.gather(grad, dim, index)
    elif reduce == "prod":
        found = torch.gather(grad, dim, index) * others_product(self, dim, index, src, include_self)
    else:
        factor = folded_factor(self, dim, index, src, reduce, include_self, result)
        found = torch.gather(grad / factor.clamp(min=1), dim, index)
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
