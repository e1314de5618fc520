# Views, indices and rearranging.
import torch
from torch import Tensor
from typing import List, Optional


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


def embedding(grad: Tensor, weight: Tensor, indices: Tensor, padding_idx: int, scale_grad_by_freq: bool) -> Tensor:
    rows = grad.reshape([indices.numel(), weight.size(1)])
    which = indices.reshape(-1).long()
    if padding_idx >= 0:
        rows = rows.masked_fill((which == padding_idx).unsqueeze(1), 0)
    if scale_grad_by_freq:
        ones = torch.ones_like(which).to(grad.dtype)
        times = grad.new_zeros([weight.size(0)]).index_add(0, which, ones)
        rows = rows * times.index_select(0, which).reciprocal().unsqueeze(1)
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
            first = max(-padding[2 * i], 0) # the kept elements go round
            place = (place - first).remainder(size - first - max(-padding[2 * i + 1], 0)) + first
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


def take_along(grad: Tensor, self: Tensor, indices: Tensor, dim: Optional[int]) -> Tensor:
    if dim is None:
        return grad.new_zeros([self.numel()]).scatter_add(0, indices.reshape(-1), grad.reshape(-1)).reshape(self.size())
    # All dimensions but one broadcast.
    d = dim if dim >= 0 else dim + self.dim()
    shape = grad.size()
    shape[d] = self.size(d)
    places = grad.size()
    return torch.sum_to_size(grad.new_zeros(shape).scatter_add(d, indices.expand(places), grad), self.size())


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


def laid_out(grad: Tensor, self: Tensor, size: List[int], stride: List[int], storage_offset: Optional[int]):
    """The memory of a tensor like self, and of a part of it, that holds the gradient; where self begins in it, and where
    the part does."""
    begin = self.storage_offset()
    offset = begin if storage_offset is None else storage_offset
    first = min(begin, offset)
    length = max(begin + extent(self.size(), self.stride()), offset + extent(size, stride)) - first
    storage = torch.as_strided_scatter(grad.new_zeros([length]), grad, self.size(), self.stride(), begin - first)
    return storage, begin - first, offset - first


def strided_part(grad: Tensor, self: Tensor, size: List[int], stride: List[int],
                 storage_offset: Optional[int]) -> Tensor:
    storage, begin, offset = laid_out(grad, self, size, stride, storage_offset)
    return storage.as_strided(size, stride, offset)


def strided_rest(grad: Tensor, self: Tensor, src: Tensor, size: List[int], stride: List[int],
                 storage_offset: Optional[int]) -> Tensor:
    storage, begin, offset = laid_out(grad, self, size, stride, storage_offset)
    rest = torch.as_strided_scatter(storage, torch.zeros_like(src), size, stride, offset)
    return rest.as_strided(self.size(), self.stride(), begin)


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


def fold_name(reduce: str) -> str:
    """scatter's word in those of scatter_reduce."""
    return "sum" if reduce == "add" else "prod"


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


def sequences(grad: Tensor, tensors: List[Tensor], batch_first: bool, padding_side: str) -> List[Tensor]:
    found: List[Tensor] = []
    for i, tensor in enumerate(tensors):
        row = grad.select(0 if batch_first else 1, i)
        length = tensor.size(0)
        found.append(row.narrow(0, row.size(0) - length if padding_side == "left" else 0, length))
    return found
