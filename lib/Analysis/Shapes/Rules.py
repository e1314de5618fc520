# Rules for the sizes and strides of results, in TorchScript. The columns `shape` and `strides` of an operator's record
# (include/tsc/IR/Ops/*.td) name them; a tensor is the list of its sizes. A rule asserts what must hold for the operator
# to succeed, and writes no list that it was given. Sizes may be symbols: what does not depend on their values should not
# ask for them. A rule that raises, and a dimension that is unknown(), say nothing.
import math
from typing import List, Optional, Tuple


def unknown() -> int:
    return 0


# Sizes that must be equal: the one of which more is known.
def same(a: int, b: int) -> int:
    assert a == b
    return a


def wrap(dim: int, rank: int) -> int:
    limit = rank if rank > 0 else 1
    assert -limit <= dim and dim < limit
    return dim + limit if dim < 0 else dim


def product(sizes: List[int]) -> int:
    count = 1
    for size in sizes:
        count = count * size
    return count


def without(sizes: List[int], dim: int) -> List[int]:
    return sizes[:dim] + sizes[dim + 1:]


def replaced(sizes: List[int], dim: int, size: int) -> List[int]:
    return sizes[:dim] + [size] + sizes[dim + 1:]


def inserted(sizes: List[int], dim: int, size: int) -> List[int]:
    return sizes[:dim] + [size] + sizes[dim:]


# Fixed shapes.

def scalar() -> List[int]:
    no_sizes: List[int] = []
    return no_sizes


def vector(n: int) -> List[int]:
    return [n]


def matrix(n: int, m: int) -> List[int]:
    return [n, m]


def unknown_vector() -> List[int]:
    return [unknown()]


# Broadcasting. Where both sizes are unknown, the one that is not 1 decides; either way of asking is right.

def broadcast_size(a: int, b: int) -> int:
    return same(b if a == 1 else a, a if b == 1 else b)


def broadcast_two(a: List[int], b: List[int]) -> List[int]:
    rank = max(len(a), len(b))
    out: List[int] = []
    for i in range(rank):
        at_a = i - rank + len(a)
        at_b = i - rank + len(b)
        if at_a < 0:
            out.append(b[at_b])
        elif at_b < 0:
            out.append(a[at_a])
        else:
            out.append(broadcast_size(a[at_a], b[at_b]))
    return out


def broadcast(operands: List[List[int]]) -> List[int]:
    out: List[int] = []
    for sizes in operands:
        out = broadcast_two(out, sizes)
    return out


def expand(sizes: List[int], size: List[int]) -> List[int]:
    added = len(size) - len(sizes)
    assert added >= 0
    out: List[int] = []
    for i in range(len(size)):
        if i < added:
            out.append(size[i])
        elif size[i] == -1:
            out.append(sizes[i - added])
        else:
            out.append(size[i])
    return out


def expand_strides(sizes: List[int], strides: List[int], result: List[int]) -> List[int]:
    added = len(result) - len(sizes)
    out: List[int] = []
    for i in range(len(result)):
        if i < added:
            inner = result[i + 1] * out_stride_after(sizes, strides, result, i) if i + 1 < len(result) else 1
            out.append(inner if result[i] == 1 else 0)
        elif sizes[i - added] == result[i]:
            out.append(strides[i - added])
        else:
            out.append(0)
    return out


# The stride of result dimension i + 1, for a new dimension i of size 1 that is laid around it.
def out_stride_after(sizes: List[int], strides: List[int], result: List[int], i: int) -> int:
    at = i + 1 - (len(result) - len(sizes))
    if at < 0:
        return unknown()
    return strides[at] if sizes[at] == result[i + 1] else 0


def broadcast_tensors(tensors: List[List[int]]) -> List[List[int]]:
    common = broadcast(tensors)
    return [common for sizes in tensors]


# Products.

def mm(a: List[int], b: List[int]) -> List[int]:
    assert len(a) == 2 and len(b) == 2
    assert a[1] == b[0]
    return [a[0], b[1]]


def bmm(a: List[int], b: List[int]) -> List[int]:
    assert len(a) == 3 and len(b) == 3
    assert a[2] == b[1]
    return [same(a[0], b[0]), a[1], b[2]]


def mv(a: List[int], b: List[int]) -> List[int]:
    assert len(a) == 2 and len(b) == 1
    assert a[1] == b[0]
    return [a[0]]


def dot(a: List[int], b: List[int]) -> List[int]:
    assert len(a) == 1 and len(b) == 1
    assert a[0] == b[0]
    return scalar()


def outer(a: List[int], b: List[int]) -> List[int]:
    assert len(a) == 1 and len(b) == 1
    return [a[0], b[0]]


def matmul(a: List[int], b: List[int]) -> List[int]:
    assert len(a) > 0 and len(b) > 0
    if len(a) == 1 and len(b) == 1:
        return dot(a, b)
    rows: List[int] = [] if len(a) == 1 else [a[-2]]
    columns: List[int] = [] if len(b) == 1 else [b[-1]]
    inner = b[0] if len(b) == 1 else b[-2]
    assert a[-1] == inner
    return broadcast_two(a[:-2], b[:-2]) + rows + columns


def addmm(bias: List[int], a: List[int], b: List[int]) -> List[int]:
    return expand(bias, mm(a, b))


def addmv(bias: List[int], a: List[int], b: List[int]) -> List[int]:
    return expand(bias, mv(a, b))


def addr(bias: List[int], a: List[int], b: List[int]) -> List[int]:
    return expand(bias, outer(a, b))


def addbmm(bias: List[int], a: List[int], b: List[int]) -> List[int]:
    return expand(bias, bmm(a, b)[1:])


def baddbmm(bias: List[int], a: List[int], b: List[int]) -> List[int]:
    return expand(bias, bmm(a, b))


def inner(a: List[int], b: List[int]) -> List[int]:
    if len(a) == 0 or len(b) == 0:
        return a + b
    assert a[-1] == b[-1]
    return a[:-1] + b[:-1]


def linear(input: List[int], weight: List[int], bias: Optional[List[int]]) -> List[int]:
    assert len(input) > 0
    assert len(weight) == 1 or len(weight) == 2
    assert input[-1] == weight[-1]
    out = input[:-1] + weight[:-1]
    return out if bias is None else broadcast_two(out, bias)


def bilinear(a: List[int], b: List[int], weight: List[int], bias: Optional[List[int]]) -> List[int]:
    assert len(weight) == 3
    return a[:-1] + [weight[0]]


def tensordot(a: List[int], b: List[int], dims_a: List[int], dims_b: List[int]) -> List[int]:
    assert len(a) >= len(dims_a) and len(b) >= len(dims_b)
    wrapped_a = [wrap(dim, len(a)) for dim in dims_a]
    wrapped_b = [wrap(dim, len(b)) for dim in dims_b]
    return [a[i] for i in free_dims(len(a), wrapped_a)] + [b[i] for i in free_dims(len(b), wrapped_b)]


def free_dims(rank: int, taken: List[int]) -> List[int]:
    out: List[int] = []
    for i in range(rank):
        if i not in taken:
            out.append(i)
    return out


def kron(a: List[int], b: List[int]) -> List[int]:
    rank = max(len(a), len(b))
    out: List[int] = []
    for i in range(rank):
        at_a = i - rank + len(a)
        at_b = i - rank + len(b)
        out.append((a[at_a] if at_a >= 0 else 1) * (b[at_b] if at_b >= 0 else 1))
    return out


def multi_dot(matrices: List[List[int]]) -> List[int]:
    first = matrices[0]
    last = matrices[-1]
    rows: List[int] = [] if len(first) == 1 else [first[0]]
    columns: List[int] = [] if len(last) == 1 else [last[1]]
    return rows + columns


# Reductions.

def reduced(sizes: List[int], dims: List[int], keepdim: bool) -> List[int]:
    wrapped = [wrap(dim, len(sizes)) for dim in dims]
    out: List[int] = []
    for i in range(len(sizes)):
        if i in wrapped:
            if keepdim:
                out.append(1)
        else:
            out.append(sizes[i])
    return out


def reduced_all(sizes: List[int], keepdim: bool) -> List[int]:
    return [1 for size in sizes] if keepdim else scalar()


def reduce(sizes: List[int], dim: List[int], keepdim: bool) -> List[int]:
    return reduced(sizes, dim, keepdim)


# No dimension means all of them.
def reduce_or_all(sizes: List[int], dim: Optional[List[int]], keepdim: bool) -> List[int]:
    if dim is None:
        return reduced_all(sizes, keepdim)
    if len(dim) == 0:
        return reduced_all(sizes, keepdim)
    return reduced(sizes, dim, keepdim)


def reduce_all_if_none(sizes: List[int], dim: Optional[List[int]], keepdim: bool) -> List[int]:
    return reduce_or_all(sizes, dim, keepdim)


def reduce_dim(sizes: List[int], dim: int, keepdim: bool) -> List[int]:
    at = wrap(dim, len(sizes))
    if len(sizes) == 0:
        return scalar()
    return replaced(sizes, at, 1) if keepdim else without(sizes, at)


def reduce_optional_dim(sizes: List[int], dim: Optional[int], keepdim: bool) -> List[int]:
    if dim is None:
        return reduced_all(sizes, keepdim)
    return reduce_dim(sizes, dim, keepdim)


def count_nonzero(sizes: List[int], dim: Optional[int]) -> List[int]:
    return reduce_optional_dim(sizes, dim, False)


def linalg_norm(sizes: List[int], ord: Optional[float], dim: Optional[List[int]], keepdim: bool) -> List[int]:
    return reduce_or_all(sizes, dim, keepdim)


def matrix_norm(sizes: List[int], dim: Optional[List[int]], keepdim: bool) -> List[int]:
    if dim is None:
        return reduced(sizes, [-2, -1], keepdim)
    return reduced(sizes, dim, keepdim)


def nuclear_norm(sizes: List[int], keepdim: bool) -> List[int]:
    assert len(sizes) == 2
    return reduced_all(sizes, keepdim)


# Elements regrouped.

# What -1 stands for in `shape`.
def free_size(sizes: List[int], shape: List[int]) -> int:
    count = 1
    free = 0
    for size in shape:
        if size == -1:
            free = free + 1
        else:
            count = count * size
    assert free == 1
    return product(sizes) // count


def view(sizes: List[int], shape: List[int]) -> List[int]:
    return [free_size(sizes, shape) if size == -1 else size for size in shape]


def flatten(sizes: List[int], start_dim: int, end_dim: int) -> List[int]:
    if len(sizes) == 0:
        return [1]
    start = wrap(start_dim, len(sizes))
    end = wrap(end_dim, len(sizes))
    assert start <= end
    return sizes[:start] + [product(sizes[start:end + 1])] + sizes[end + 1:]


def unflatten(sizes: List[int], dim: int, parts: List[int]) -> List[int]:
    at = wrap(dim, len(sizes))
    return sizes[:at] + view([sizes[at]], parts) + sizes[at + 1:]


# Strides of a view with the sizes `result`, chunk by chunk of dimensions that lie behind each other; raises where a
# view is impossible.
def view_strides(sizes: List[int], strides: List[int], result: List[int]) -> List[int]:
    if sizes == result and product(sizes) == 0:
        return strides
    if is_contiguous(sizes, strides):
        return contiguous(result)
    out = [0 for size in result]
    at = len(result) - 1
    chunk_stride = strides[-1] if len(strides) > 0 else 1
    chunk = 1
    viewed = 1
    for reversed_dim in range(len(sizes)):
        dim = len(sizes) - 1 - reversed_dim
        chunk = chunk * sizes[dim]
        ends = dim == 0
        if not ends:
            ends = sizes[dim - 1] != 1 and strides[dim - 1] != chunk * chunk_stride
        if ends:
            while at >= 0 and (viewed < chunk or result[at] == 1):
                out[at] = viewed * chunk_stride
                viewed = viewed * result[at]
                at = at - 1
            assert viewed == chunk
            if dim > 0:
                chunk_stride = strides[dim - 1]
                chunk = 1
                viewed = 1
    if len(sizes) == 0:
        return [1 for size in result]
    assert at == -1
    return out


# reshape copies, row-major, where a view is impossible.
def reshape_strides(sizes: List[int], strides: List[int], result: List[int]) -> List[int]:
    if sizes == result and product(sizes) == 0:
        return strides
    if is_contiguous(sizes, strides):
        return contiguous(result)
    return [unknown() for size in result]


# Nothing to flatten gives the tensor itself.
def flatten_strides(sizes: List[int], strides: List[int], start_dim: int, end_dim: int, result: List[int]) -> List[int]:
    if len(sizes) > 0:
        if wrap(start_dim, len(sizes)) == wrap(end_dim, len(sizes)):
            return strides
    return reshape_strides(sizes, strides, result)


def contiguous(sizes: List[int]) -> List[int]:
    out: List[int] = []
    stride = 1
    for i in range(len(sizes)):
        out.insert(0, stride)
        stride = stride * max(sizes[len(sizes) - 1 - i], 1)
    return out


# A tensor that is row-major already stays as it is.
def as_contiguous(sizes: List[int], strides: List[int], memory_format: int) -> List[int]:
    assert memory_format == 0
    if is_contiguous(sizes, strides):
        return strides
    return contiguous(sizes)


def is_contiguous(sizes: List[int], strides: List[int]) -> bool:
    if product(sizes) == 0:
        return True
    expected = 1
    result = True
    for i in range(len(sizes)):
        dim = len(sizes) - 1 - i
        if sizes[dim] != 1:
            if strides[dim] != expected:
                result = False
            expected = expected * sizes[dim]
    return result


# A copy keeps the layout (None, or 1 for "preserve") where that is row-major, or is row-major (0).
def formatted(sizes: List[int], strides: List[int], memory_format: Optional[int]) -> List[int]:
    if memory_format is not None:
        assert memory_format == 0 or memory_format == 1
        if memory_format == 0 and not is_contiguous(sizes, strides):
            return contiguous(sizes)
    if strides == contiguous(sizes):
        return strides
    return [unknown() for size in sizes]


# A conversion may give the tensor itself: only row-major ones surely stay as they are.
def converted(sizes: List[int], strides: List[int], memory_format: Optional[int]) -> List[int]:
    if memory_format is not None:
        assert memory_format == 0 or memory_format == 1
    if strides == contiguous(sizes):
        return strides
    return [unknown() for size in sizes]


# Order of dimensions; the same for sizes and strides.

def permute(sizes: List[int], dims: List[int]) -> List[int]:
    assert len(sizes) == len(dims)
    return [sizes[wrap(dim, len(sizes))] for dim in dims]


def transpose(sizes: List[int], dim0: int, dim1: int) -> List[int]:
    a = wrap(dim0, len(sizes))
    b = wrap(dim1, len(sizes))
    if len(sizes) == 0:
        return sizes
    return replaced(replaced(sizes, a, sizes[b]), b, sizes[a])


def t(sizes: List[int]) -> List[int]:
    assert len(sizes) <= 2
    return reverse(sizes)


def reverse(sizes: List[int]) -> List[int]:
    out: List[int] = []
    for size in sizes:
        out.insert(0, size)
    return out


def movedim(sizes: List[int], source: int, destination: int) -> List[int]:
    if len(sizes) == 0:
        return sizes
    at = wrap(source, len(sizes))
    return inserted(without(sizes, at), wrap(destination, len(sizes)), sizes[at])


def movedims(sizes: List[int], source: List[int], destination: List[int]) -> List[int]:
    rank = len(sizes)
    if rank == 0:
        return sizes
    order = [-1 for size in sizes]
    moved = [wrap(dim, rank) for dim in source]
    for i in range(len(source)):
        order[wrap(destination[i], rank)] = moved[i]
    rest = free_dims(rank, moved)
    next = 0
    for i in range(rank):
        if order[i] == -1:
            order[i] = rest[next]
            next = next + 1
    return [sizes[dim] for dim in order]


# Parts.

def drop_dim(sizes: List[int], dim: int) -> List[int]:
    assert len(sizes) > 0
    return without(sizes, wrap(dim, len(sizes)))


def slice(sizes: List[int], dim: int, start: Optional[int], end: Optional[int], step: int) -> List[int]:
    at = wrap(dim, len(sizes))
    size = sizes[at]
    assert step > 0
    first = 0 if start is None else clamped(start, size)
    last = size if end is None else clamped_end(end, size)
    return replaced(sizes, at, slice_length(first, last, step))


def clamped(index: int, size: int) -> int:
    if index < 0:
        return max(index + size, 0)
    return min(index, size)


# The end 2 ** 63 - 1 means the last one, also where the size is a symbol.
def clamped_end(index: int, size: int) -> int:
    if index == 9223372036854775807:
        return size
    return clamped(index, size)


def slice_length(first: int, last: int, step: int) -> int:
    if first == 0 and step == 1:
        return max(last, 0)
    return (max(last - first, 0) + step - 1) // step


def slice_strides(strides: List[int], dim: int, step: int) -> List[int]:
    at = wrap(dim, len(strides))
    return replaced(strides, at, strides[at] * step)


def narrow(sizes: List[int], dim: int, length: int) -> List[int]:
    assert len(sizes) > 0
    return replaced(sizes, wrap(dim, len(sizes)), length)


def diagonal_length(rows: int, columns: int, offset: int) -> int:
    if offset >= 0:
        return max(min(rows, columns - offset), 0)
    return max(min(rows + offset, columns), 0)


def diagonal(sizes: List[int], offset: int, dim1: int, dim2: int) -> List[int]:
    a = wrap(dim1, len(sizes))
    b = wrap(dim2, len(sizes))
    assert a != b
    return without(without(sizes, max(a, b)), min(a, b)) + [diagonal_length(sizes[a], sizes[b], offset)]


def diagonal_strides(strides: List[int], dim1: int, dim2: int) -> List[int]:
    a = wrap(dim1, len(strides))
    b = wrap(dim2, len(strides))
    return without(without(strides, max(a, b)), min(a, b)) + [strides[a] + strides[b]]


def unfold(sizes: List[int], dimension: int, size: int, step: int) -> List[int]:
    if len(sizes) == 0:
        return [size]
    at = wrap(dimension, len(sizes))
    return replaced(sizes, at, (sizes[at] - size) // step + 1) + [size]


def unfold_strides(strides: List[int], dimension: int, step: int) -> List[int]:
    if len(strides) == 0:
        return [1]
    at = wrap(dimension, len(strides))
    return replaced(strides, at, strides[at] * step) + [strides[at]]


def unbind(sizes: List[int], dim: int) -> List[List[int]]:
    rest = drop_dim(sizes, dim)
    return [rest for i in range(sizes[wrap(dim, len(sizes))])]


def split(sizes: List[int], split_size: int, dim: int) -> List[List[int]]:
    at = wrap(dim, len(sizes))
    size = sizes[at]
    out: List[List[int]] = []
    if split_size == 0:
        out.append(sizes)
        return out
    pieces = max((size + split_size - 1) // split_size, 1)
    for i in range(pieces):
        out.append(replaced(sizes, at, min(split_size, size - i * split_size)))
    return out


def split_with_sizes(sizes: List[int], split_sizes: List[int], dim: int) -> List[List[int]]:
    at = wrap(dim, len(sizes))
    return [replaced(sizes, at, size) for size in split_sizes]


# A dimension of unknown size still falls into `chunks` pieces when nobody knows fewer; that is not certain, so nothing
# is said.
def chunk(sizes: List[int], chunks: int, dim: int) -> List[List[int]]:
    size = sizes[wrap(dim, len(sizes))]
    split_size = (size + chunks - 1) // chunks
    if split_size == 0 and size == 0:
        return [sizes for i in range(chunks)]
    return split(sizes, split_size, dim)


def tensor_split(sizes: List[int], sections: int, dim: int) -> List[List[int]]:
    at = wrap(dim, len(sizes))
    least = sizes[at] // sections
    longer = sizes[at] % sections
    return [replaced(sizes, at, least + 1 if i < longer else least) for i in range(sections)]


def tensor_split_at(sizes: List[int], indices: List[int], dim: int) -> List[List[int]]:
    at = wrap(dim, len(sizes))
    size = sizes[at]
    out: List[List[int]] = []
    start = 0
    for index in indices:
        out.append(replaced(sizes, at, slice_length(clamped(start, size), clamped(index, size), 1)))
        start = index
    out.append(replaced(sizes, at, slice_length(clamped(start, size), size, 1)))
    return out


def hsplit(sizes: List[int], sections: int) -> List[List[int]]:
    return tensor_split(sizes, sections, 0 if len(sizes) == 1 else 1)


def hsplit_at(sizes: List[int], indices: List[int]) -> List[List[int]]:
    return tensor_split_at(sizes, indices, 0 if len(sizes) == 1 else 1)


# Dimensions of size 1. Whether a symbol is 1 decides the rank, so nothing is known then.

def squeeze(sizes: List[int]) -> List[int]:
    out: List[int] = []
    for size in sizes:
        if size != 1:
            out.append(size)
    return out


def squeeze_strides(sizes: List[int], strides: List[int]) -> List[int]:
    out: List[int] = []
    for i in range(len(sizes)):
        if sizes[i] != 1:
            out.append(strides[i])
    return out


def squeeze_dim(sizes: List[int], dim: int) -> List[int]:
    at = wrap(dim, len(sizes))
    if len(sizes) == 0:
        return sizes
    if sizes[at] == 1:
        return without(sizes, at)
    return sizes


def squeeze_dim_strides(sizes: List[int], strides: List[int], dim: int) -> List[int]:
    at = wrap(dim, len(sizes))
    if len(sizes) == 0:
        return strides
    if sizes[at] == 1:
        return without(strides, at)
    return strides


def unsqueeze(sizes: List[int], dim: int) -> List[int]:
    return inserted(sizes, wrap(dim, len(sizes) + 1), 1)


def unsqueeze_strides(sizes: List[int], strides: List[int], dim: int) -> List[int]:
    at = wrap(dim, len(sizes) + 1)
    return inserted(strides, at, sizes[at] * strides[at] if at < len(sizes) else 1)


def atleast_1d(sizes: List[int]) -> List[int]:
    return [1] if len(sizes) == 0 else sizes


def atleast_2d(sizes: List[int]) -> List[int]:
    if len(sizes) == 0:
        return [1, 1]
    return [1] + sizes if len(sizes) == 1 else sizes


def atleast_3d(sizes: List[int]) -> List[int]:
    if len(sizes) == 0:
        return [1, 1, 1]
    if len(sizes) == 1:
        return [1] + sizes + [1]
    return sizes + [1] if len(sizes) == 2 else sizes


def view_as_real(sizes: List[int]) -> List[int]:
    return sizes + [2]


def view_as_real_strides(strides: List[int]) -> List[int]:
    return [stride * 2 for stride in strides] + [1]


def view_as_complex(sizes: List[int]) -> List[int]:
    assert len(sizes) > 0
    assert sizes[-1] == 2
    return sizes[:-1]


def view_as_complex_strides(strides: List[int]) -> List[int]:
    return [stride // 2 for stride in strides[:-1]]


# Elements chosen, joined, repeated.

# One size for the dimensions that index tensors take away: in the place of the first, or in front where they are apart.
# A mask (bool 11, uint8 0) takes as many as it has and gives as many rows as it has ones.
def index(sizes: List[int], indices: List[Optional[List[int]]], dtypes: List[int]) -> List[int]:
    common: List[int] = []
    kept: List[int] = []
    place = -1
    last = -1
    apart = False
    at = 0
    for i in range(len(indices)):
        chosen = indices[i]
        if chosen is None:
            kept.append(sizes[at])
            at = at + 1
        else:
            taken = 1
            if dtypes[i] == 11 or dtypes[i] == 0:
                taken = len(chosen)
                chosen = [unknown()]
            common = broadcast_two(common, chosen)
            if place == -1:
                place = len(kept)
            elif last != i - 1:
                apart = True
            last = i
            at = at + taken
    assert at <= len(sizes)
    kept = kept + sizes[at:]
    if place == -1:
        return kept
    if apart:
        return common + kept
    return kept[:place] + common + kept[place:]


def index_select(sizes: List[int], dim: int, index: List[int]) -> List[int]:
    assert len(index) <= 1
    if len(sizes) == 0:
        return sizes
    return replaced(sizes, wrap(dim, len(sizes)), 1 if len(index) == 0 else index[0])


def embedding(weight: List[int], indices: List[int]) -> List[int]:
    assert len(weight) == 2
    return indices + [weight[1]]


def take_along_dim(sizes: List[int], indices: List[int], dim: Optional[int]) -> List[int]:
    if dim is None:
        return [product(indices)]
    if len(sizes) == 0:
        return indices
    at = wrap(dim, len(sizes))
    return replaced(broadcast_two(replaced(sizes, at, 1), replaced(indices, at, 1)), at, indices[at])


def nonzero(sizes: List[int]) -> List[int]:
    return [unknown(), len(sizes)]


def one_hot(sizes: List[int], num_classes: int) -> List[int]:
    return sizes + [unknown() if num_classes == -1 else num_classes]


def is_skipped(sizes: List[int]) -> bool:
    return len(sizes) == 1 and sizes[0] == 0


# A tensor of shape (0,) joins anything.
def cat(tensors: List[List[int]], dim: int) -> List[int]:
    assert len(tensors) > 0
    joined: Optional[List[int]] = None
    for sizes in tensors:
        if not is_skipped(sizes):
            if joined is None:
                joined = sizes
            else:
                assert len(joined) == len(sizes)
                at = wrap(dim, len(sizes))
                total = joined[at] + sizes[at]
                joined = [same(joined[i], sizes[i]) if i != at else total for i in range(len(sizes))]
    if joined is None:
        return tensors[0]
    return joined


def stack(tensors: List[List[int]], dim: int) -> List[int]:
    assert len(tensors) > 0
    sizes = tensors[0]
    for other in tensors:
        assert len(sizes) == len(other)
        sizes = [same(sizes[i], other[i]) for i in range(len(sizes))]
    return inserted(sizes, wrap(dim, len(sizes) + 1), len(tensors))


def hstack(tensors: List[List[int]]) -> List[int]:
    lifted = [atleast_1d(sizes) for sizes in tensors]
    return cat(lifted, 0 if len(lifted[0]) == 1 else 1)


def vstack(tensors: List[List[int]]) -> List[int]:
    return cat([atleast_2d(sizes) for sizes in tensors], 0)


def dstack(tensors: List[List[int]]) -> List[int]:
    return cat([atleast_3d(sizes) for sizes in tensors], 2)


def column_stack(tensors: List[List[int]]) -> List[int]:
    return cat([[product(sizes), 1] if len(sizes) <= 1 else sizes for sizes in tensors], 1)


def block_diag(tensors: List[List[int]]) -> List[int]:
    rows = 0
    columns = 0
    for sizes in tensors:
        block = atleast_2d(sizes)
        rows = rows + block[0]
        columns = columns + block[1]
    return [rows, columns]


def repeat(sizes: List[int], repeats: List[int]) -> List[int]:
    added = len(repeats) - len(sizes)
    assert added >= 0
    return [repeats[i] * (sizes[i - added] if i >= added else 1) for i in range(len(repeats))]


def tile(sizes: List[int], dims: List[int]) -> List[int]:
    missing = len(sizes) - len(dims)
    return repeat(sizes, ([1] * missing if missing > 0 else scalar()) + dims)


def repeat_interleave_counts(output_size: Optional[int]) -> List[int]:
    return [unknown() if output_size is None else output_size]


def repeat_interleave(sizes: List[int], repeats: List[int], dim: Optional[int], output_size: Optional[int]) -> List[int]:
    total = unknown() if output_size is None else output_size
    if dim is None:
        return [total]
    return replaced(sizes, wrap(dim, len(sizes)), total)


def repeat_interleave_int(sizes: List[int], repeats: int, dim: Optional[int]) -> List[int]:
    if dim is None:
        return [product(sizes) * repeats]
    at = wrap(dim, len(sizes))
    if len(sizes) == 0:
        return [repeats]
    return replaced(sizes, at, sizes[at] * repeats)


def rot90(sizes: List[int], k: int, dims: List[int]) -> List[int]:
    return transpose(sizes, dims[0], dims[1]) if k % 2 == 1 else sizes


def diag(sizes: List[int], diagonal: int) -> List[int]:
    if len(sizes) == 1:
        size = sizes[0] + (diagonal if diagonal >= 0 else -diagonal)
        return [size, size]
    assert len(sizes) == 2
    return [diagonal_length(sizes[0], sizes[1], diagonal)]


def diag_embed(sizes: List[int], offset: int, dim1: int, dim2: int) -> List[int]:
    rank = len(sizes) + 1
    a = wrap(dim1, rank)
    b = wrap(dim2, rank)
    size = sizes[-1] + (offset if offset >= 0 else -offset)
    return inserted(inserted(sizes[:-1], min(a, b), size), max(a, b), size)


def diagflat(sizes: List[int], offset: int) -> List[int]:
    return diag([product(sizes)], offset)


def meshgrid(tensors: List[List[int]], indexing: str) -> List[List[int]]:
    sizes = [product(sizes) for sizes in tensors]
    if indexing == "xy" and len(sizes) >= 2:
        sizes = [sizes[1], sizes[0]] + sizes[2:]
    return [sizes for size in sizes]


def cartesian_prod(tensors: List[List[int]]) -> List[int]:
    if len(tensors) == 1:
        return tensors[0]
    count = 1
    for sizes in tensors:
        count = count * sizes[0]
    return [count, len(tensors)]


def combinations(sizes: List[int], r: int, with_replacement: bool) -> List[int]:
    if r == 0:
        return [0]
    n = sizes[0] + (r - 1 if with_replacement else 0)
    count = 1
    for i in range(r):
        count = count * (n - i) // (i + 1)
    return [max(count, 0), r]


# Pairs from the last dimension on.
def pad(sizes: List[int], padding: List[int]) -> List[int]:
    assert len(padding) % 2 == 0
    assert len(padding) <= 2 * len(sizes)
    padded = len(padding) // 2
    out = sizes[:len(sizes) - padded]
    for i in range(padded):
        pair = 2 * (padded - 1 - i)
        out.append(sizes[len(sizes) - padded + i] + padding[pair] + padding[pair + 1])
    return out


def pad_sequence(sequences: List[List[int]], batch_first: bool) -> List[int]:
    longest = sequences[0][0]
    for sizes in sequences:
        longest = max(longest, sizes[0])
    lead = [len(sequences), longest] if batch_first else [longest, len(sequences)]
    return lead + sequences[0][1:]


def diff(sizes: List[int], n: int, dim: int, prepend: Optional[List[int]], append: Optional[List[int]]) -> List[int]:
    at = wrap(dim, len(sizes))
    if prepend is None and append is None and n == 0:
        return sizes
    assert n > 0
    size = sizes[at]
    if prepend is not None:
        size = size + (1 if len(prepend) == 0 else prepend[at])
    if append is not None:
        size = size + (1 if len(append) == 0 else append[at])
    return replaced(sizes, at, max(size - n, 0))


def gradient(sizes: List[int], dim: Optional[int]) -> List[List[int]]:
    if dim is None:
        return [sizes for size in sizes]
    return [sizes]


def gradient_dims(sizes: List[int], dim: List[int]) -> List[List[int]]:
    return [sizes for d in dim]


def trapezoid(y: List[int], x: List[int], dim: int) -> List[int]:
    if len(x) == 1:
        return drop_dim(y, dim)
    return drop_dim(broadcast_two(y, x), dim)


def cumulative_trapezoid(sizes: List[int], dim: int) -> List[int]:
    at = wrap(dim, len(sizes))
    return replaced(sizes, at, max(sizes[at] - 1, 0))


def shape_as_tensor(sizes: List[int]) -> List[int]:
    return [len(sizes)]


def list_to_tensor(data: List[int]) -> List[int]:
    return [len(data)]


def tril_indices(row: int, col: int, offset: int) -> List[int]:
    count = 0
    for i in range(row):
        count = count + min(max(i + offset + 1, 0), col)
    return [2, count]


def triu_indices(row: int, col: int, offset: int) -> List[int]:
    count = 0
    for i in range(row):
        count = count + col - min(max(i + offset, 0), col)
    return [2, count]


# For int64 (4) the numbers are made ints first.
def arange(start: float, end: float, step: float, dtype: Optional[int]) -> List[int]:
    if dtype is not None:
        if dtype == 4:
            return [int(math.ceil((float(int(end)) - float(int(start))) / float(int(step))))]
    return [int(math.ceil((end - start) / step))]


def inclusive_range(start: float, end: float, step: float) -> List[int]:
    return [int(math.floor((end - start) / step)) + 1]


def vander(sizes: List[int], N: Optional[int]) -> List[int]:
    return [sizes[0], sizes[0] if N is None else N]


def multinomial(sizes: List[int], num_samples: int) -> List[int]:
    return sizes[:-1] + [num_samples]


# Sorting.

def topk(sizes: List[int], k: int, dim: int) -> List[int]:
    if len(sizes) == 0:
        return sizes
    return replaced(sizes, wrap(dim, len(sizes)), k)


def unique_inverse(sizes: List[int], return_inverse: bool) -> List[int]:
    return sizes if return_inverse else [0]


# Windows.

def at_or_only(values: List[int], i: int) -> int:
    return values[0] if len(values) == 1 else values[i]


def convolution(input: List[int], weight: List[int], stride: List[int], padding: List[int], dilation: List[int], transposed: bool, output_padding: List[int], groups: int) -> List[int]:
    spatial = len(weight) - 2
    assert spatial > 0
    assert len(input) == spatial + 2 or len(input) == spatial + 1
    lead: List[int] = [input[0]] if len(input) == spatial + 2 else scalar()
    out: List[int] = []
    for i in range(spatial):
        size = input[len(input) - spatial + i]
        window = at_or_only(dilation, i) * (weight[i + 2] - 1)
        if transposed:
            extra = at_or_only(output_padding, i) if len(output_padding) > 0 else 0
            out.append((size - 1) * at_or_only(stride, i) - 2 * at_or_only(padding, i) + window + extra + 1)
        else:
            out.append((size + 2 * at_or_only(padding, i) - window - 1) // at_or_only(stride, i) + 1)
    return lead + [weight[1] * groups if transposed else weight[0]] + out


def convolution_mode(input: List[int], weight: List[int], stride: List[int], padding: str, dilation: List[int], groups: int) -> List[int]:
    if padding == "valid":
        return convolution(input, weight, stride, [0], dilation, False, scalar(), groups)
    spatial = len(weight) - 2
    return input[:len(input) - spatial - 1] + [weight[0]] + input[len(input) - spatial:]


def conv_tbc(sizes: List[int], weight: List[int], pad: int) -> List[int]:
    return [sizes[0] + 2 * pad - weight[0] + 1, sizes[1], weight[2]]


def pooled(size: int, kernel: int, stride: int, padding: int, dilation: int, ceil_mode: bool) -> int:
    span = size + 2 * padding - dilation * (kernel - 1) - 1
    if not ceil_mode:
        return span // stride + 1
    count = (span + stride - 1) // stride + 1
    # The last window must start inside the input or its left padding.
    if (count - 1) * stride >= size + padding:
        return count - 1
    return count


def pool(sizes: List[int], kernel_size: List[int], stride: List[int], padding: List[int], dilation: List[int], ceil_mode: bool) -> List[int]:
    spatial = len(kernel_size)
    steps = stride if len(stride) > 0 else kernel_size
    lead = sizes[:len(sizes) - spatial]
    return lead + [pooled(sizes[len(sizes) - spatial + i], kernel_size[i], at_or_only(steps, i), at_or_only(padding, i), at_or_only(dilation, i), ceil_mode) for i in range(spatial)]


# Pooling and resizing to sizes that are given.
def replace_trailing(sizes: List[int], output_size: List[int]) -> List[int]:
    assert len(sizes) > len(output_size)
    return sizes[:len(sizes) - len(output_size)] + output_size


def upsample(sizes: List[int], output_size: Optional[List[int]], scale_factors: Optional[List[float]]) -> List[int]:
    if output_size is not None:
        return replace_trailing(sizes, output_size)
    assert scale_factors is not None
    lead = len(sizes) - len(scale_factors)
    return sizes[:lead] + [int(math.floor(float(sizes[lead + i]) * scale_factors[i])) for i in range(len(scale_factors))]


def im2col(sizes: List[int], kernel_size: List[int], dilation: List[int], padding: List[int], stride: List[int]) -> List[int]:
    lead = sizes[:len(sizes) - 3]
    blocks = 1
    for i in range(2):
        blocks = blocks * pooled(sizes[len(sizes) - 2 + i], at_or_only(kernel_size, i), at_or_only(stride, i), at_or_only(padding, i), at_or_only(dilation, i), False)
    return lead + [sizes[len(sizes) - 3] * at_or_only(kernel_size, 0) * at_or_only(kernel_size, 1), blocks]


def col2im(sizes: List[int], output_size: List[int], kernel_size: List[int]) -> List[int]:
    lead = sizes[:len(sizes) - 2]
    return lead + [sizes[len(sizes) - 2] // (at_or_only(kernel_size, 0) * at_or_only(kernel_size, 1))] + output_size


def glu(sizes: List[int], dim: int) -> List[int]:
    at = wrap(dim, len(sizes))
    return replaced(sizes, at, sizes[at] // 2)


def pixel_shuffle(sizes: List[int], factor: int) -> List[int]:
    assert len(sizes) >= 3
    return sizes[:-3] + [sizes[-3] // (factor * factor), sizes[-2] * factor, sizes[-1] * factor]


def pixel_unshuffle(sizes: List[int], factor: int) -> List[int]:
    assert len(sizes) >= 3
    return sizes[:-3] + [sizes[-3] * factor * factor, sizes[-2] // factor, sizes[-1] // factor]


def grid_sampler(input: List[int], grid: List[int]) -> List[int]:
    return [input[0], input[1]] + grid[1:-1]


def affine_grid(theta: List[int], size: List[int]) -> List[int]:
    return [theta[0]] + size[2:] + [len(size) - 2]


# Normalization, losses, bags.

def batch_norm_stats(input: List[int], training: bool) -> List[int]:
    return [input[1]] if training else [0]


def native_layer_norm(input: List[int], normalized_shape: List[int]) -> Tuple[List[int], List[int], List[int]]:
    lead = len(input) - len(normalized_shape)
    stats = input[:lead] + [1 for size in normalized_shape]
    return input, stats, stats


def loss(input: List[int], target: List[int], reduction: int) -> List[int]:
    if reduction == 0:
        return broadcast_two(input, target)
    return scalar()


def weighted_loss(input: List[int], target: List[int], weight: Optional[List[int]], pos_weight: Optional[List[int]], reduction: int) -> List[int]:
    if reduction != 0:
        return scalar()
    out = broadcast_two(input, target)
    if weight is not None:
        out = broadcast_two(out, weight)
    if pos_weight is not None:
        out = broadcast_two(out, pos_weight)
    return out


def nll_loss(input: List[int], target: List[int], reduction: int) -> List[int]:
    if reduction == 0:
        return target
    return scalar()


# Targets are class numbers, or probabilities of the input's shape.
def cross_entropy(input: List[int], target: List[int], reduction: int) -> List[int]:
    if reduction != 0:
        return scalar()
    if len(input) == len(target):
        assert len(input) >= 2
        return without(input, 1)
    return target


def multilabel_loss(input: List[int], reduction: int) -> List[int]:
    if reduction == 0 and len(input) == 2:
        return [input[0]]
    return scalar()


def ctc_loss(log_probs: List[int], reduction: int) -> List[int]:
    if reduction != 0:
        return scalar()
    return [log_probs[1]] if len(log_probs) == 3 else scalar()


def embedding_bag(weight: List[int], indices: List[int], offsets: List[int], include_last_offset: bool) -> List[int]:
    if len(indices) == 2:
        return [indices[0], weight[1]]
    return [offsets[0] - 1 if include_last_offset else offsets[0], weight[1]]


# Recurrent networks. The last weight of a layer with projections has the size of what is carried; the hidden state
# shows it.

def rnn(input: List[int], hx: List[int], params: List[List[int]], num_layers: int, bidirectional: bool, batch_first: bool) -> Tuple[List[int], List[int]]:
    return input[:-1] + [hx[-1] * (2 if bidirectional else 1)], hx


def lstm(input: List[int], hx: List[List[int]], params: List[List[int]], num_layers: int, bidirectional: bool, batch_first: bool) -> Tuple[List[int], List[int], List[int]]:
    return input[:-1] + [hx[0][-1] * (2 if bidirectional else 1)], hx[0], hx[1]


def rnn_packed(data: List[int], hx: List[int], bidirectional: bool) -> Tuple[List[int], List[int]]:
    return [data[0], hx[-1] * (2 if bidirectional else 1)], hx


def lstm_packed(data: List[int], hx: List[List[int]], bidirectional: bool) -> Tuple[List[int], List[int], List[int]]:
    return [data[0], hx[0][-1] * (2 if bidirectional else 1)], hx[0], hx[1]


def lstm_cell(hx: List[List[int]]) -> Tuple[List[int], List[int]]:
    return hx[0], hx[1]


def pack_padded_sequence(input: List[int], batch_first: bool) -> Tuple[List[int], List[int]]:
    return [unknown()] + input[2:], [unknown()]


def pad_packed_sequence(data: List[int], batch_first: bool) -> Tuple[List[int], List[int]]:
    return [unknown(), unknown()] + data[1:], [unknown()]


# Distances.

def cdist(a: List[int], b: List[int]) -> List[int]:
    return broadcast_two(a[:-2], b[:-2]) + [a[-2], b[-2]]


def pdist(sizes: List[int]) -> List[int]:
    return [sizes[0] * (sizes[0] - 1) // 2]


def pairwise_distance(a: List[int], b: List[int], keepdim: bool) -> List[int]:
    return reduced(broadcast_two(a, b), [-1], keepdim)


def cosine_similarity(a: List[int], b: List[int], dim: int) -> List[int]:
    return reduced(broadcast_two(a, b), [dim], False)


def vecdot(a: List[int], b: List[int], dim: int) -> List[int]:
    return reduced(broadcast_two(a, b), [dim], False)


# Matrices and batches of them.

def square(sizes: List[int]) -> List[int]:
    assert len(sizes) >= 2
    size = same(sizes[-2], sizes[-1])
    return sizes[:-2] + [size, size]


def batch_of(sizes: List[int]) -> List[int]:
    assert len(sizes) >= 2
    return sizes[:-2]


def lu_pivots(sizes: List[int]) -> List[int]:
    return sizes[:-2] + [min(sizes[-2], sizes[-1])]


def lu(sizes: List[int], pivot: bool) -> Tuple[List[int], List[int], List[int]]:
    k = min(sizes[-2], sizes[-1])
    lead = sizes[:-2]
    return lead + [sizes[-2], sizes[-2]] if pivot else [0], lead + [sizes[-2], k], lead + [k, sizes[-1]]


def lu_unpack(sizes: List[int], unpack_data: bool, unpack_pivots: bool) -> Tuple[List[int], List[int], List[int]]:
    k = min(sizes[-2], sizes[-1])
    lead = sizes[:-2]
    p = lead + [sizes[-2], sizes[-2]] if unpack_pivots else [0]
    return p, lead + [sizes[-2], k] if unpack_data else [0], lead + [k, sizes[-1]] if unpack_data else [0]


def matrix_solve(b: List[int], a: List[int]) -> List[int]:
    return broadcast_two(b[:-2], a[:-2]) + [b[-2], b[-1]]


def linalg_lu_solve(lu: List[int], b: List[int], left: bool) -> List[int]:
    return matrix_solve(b, lu)


# B may be a batch of vectors where its shape is that of A without the last dimension.
def linalg_solve(a: List[int], b: List[int], left: bool) -> List[int]:
    if len(b) == 1:
        return b if len(a) == 2 else matrix_solve(b + [1], a)[:-1]
    if len(a) - 1 == len(b) and a[:-1] == b:
        return b
    return matrix_solve(b, a)


def linalg_solve_triangular(a: List[int], b: List[int], left: bool) -> List[int]:
    return matrix_solve(b, a)


def qr(sizes: List[int], mode: str) -> Tuple[List[int], List[int]]:
    m = sizes[-2]
    n = sizes[-1]
    lead = sizes[:-2]
    if mode == "complete":
        return lead + [m, m], lead + [m, n]
    k = min(m, n)
    if mode == "r":
        return [0], lead + [k, n]
    return lead + [m, k], lead + [k, n]


def qr_some(sizes: List[int], some: bool) -> Tuple[List[int], List[int]]:
    return qr(sizes, "reduced" if some else "complete")


def geqrf_tau(sizes: List[int]) -> List[int]:
    return lu_pivots(sizes)


def svdvals(sizes: List[int]) -> List[int]:
    return lu_pivots(sizes)


def svd(sizes: List[int], full_matrices: bool) -> Tuple[List[int], List[int], List[int]]:
    m = sizes[-2]
    n = sizes[-1]
    k = min(m, n)
    lead = sizes[:-2]
    return lead + [m, m if full_matrices else k], lead + [k], lead + [n if full_matrices else k, n]


def svd_compute(sizes: List[int], full_matrices: bool, compute_uv: bool) -> Tuple[List[int], List[int], List[int]]:
    if compute_uv:
        return svd(sizes, full_matrices)
    return [0], lu_pivots(sizes), [0]


# U, S and V, not its transpose; without vectors they are zeros of full size.
def old_svd(sizes: List[int], some: bool, compute_uv: bool) -> Tuple[List[int], List[int], List[int]]:
    m = sizes[-2]
    n = sizes[-1]
    k = min(m, n)
    lead = sizes[:-2]
    full = not some or not compute_uv
    return lead + [m, m if full else k], lead + [k], lead + [n, n if full else k]


def eigenvalues(sizes: List[int]) -> List[int]:
    return square(sizes)[:-1]


def symeig_vectors(sizes: List[int], eigenvectors: bool) -> List[int]:
    return sizes if eigenvectors else [0]


def pinv(sizes: List[int]) -> List[int]:
    assert len(sizes) >= 2
    return sizes[:-2] + [sizes[-1], sizes[-2]]


def tensorinv(sizes: List[int], ind: int) -> List[int]:
    return sizes[ind:] + sizes[:ind]


def linalg_vander(sizes: List[int], N: Optional[int]) -> List[int]:
    if len(sizes) == 0:
        sizes = [1]
    return sizes + [sizes[-1] if N is None else N]


# A single variable gives a number.
def cov(sizes: List[int]) -> List[int]:
    if len(sizes) < 2:
        return scalar()
    if sizes[0] == 1:
        return scalar()
    return [sizes[0], sizes[0]]


# Fourier transforms.

def fft(sizes: List[int], n: Optional[int], dim: int) -> List[int]:
    at = wrap(dim, len(sizes))
    return sizes if n is None else replaced(sizes, at, n)


def fft_real(sizes: List[int], n: Optional[int], dim: int) -> List[int]:
    at = wrap(dim, len(sizes))
    return replaced(sizes, at, (sizes[at] if n is None else n) // 2 + 1)


def fft_to_real(sizes: List[int], n: Optional[int], dim: int) -> List[int]:
    at = wrap(dim, len(sizes))
    return replaced(sizes, at, 2 * (sizes[at] - 1) if n is None else n)


# Without dimensions: the last ones, as many as sizes are given, or all.
def fft_dims(sizes: List[int], s: Optional[List[int]], dim: Optional[List[int]]) -> List[int]:
    if dim is not None:
        return [wrap(d, len(sizes)) for d in dim]
    count = len(sizes) if s is None else len(s)
    return [len(sizes) - count + i for i in range(count)]


def fft_many(sizes: List[int], s: Optional[List[int]], dim: Optional[List[int]]) -> List[int]:
    out = sizes
    if s is not None:
        dims = fft_dims(sizes, s, dim)
        for i in range(len(dims)):
            if s[i] != -1:
                out = replaced(out, dims[i], s[i])
    return out


def fft_real_many(sizes: List[int], s: Optional[List[int]], dim: Optional[List[int]]) -> List[int]:
    last = fft_dims(sizes, s, dim)[-1]
    out = fft_many(sizes, s, dim)
    return replaced(out, last, out[last] // 2 + 1)


def fft_to_real_many(sizes: List[int], s: Optional[List[int]], dim: Optional[List[int]]) -> List[int]:
    last = fft_dims(sizes, s, dim)[-1]
    out = fft_many(sizes, s, dim)
    size = 2 * (sizes[last] - 1)
    if s is not None:
        if s[-1] != -1:
            size = s[-1]
    return replaced(out, last, size)


def fft_onesided(sizes: List[int], dim: List[int], onesided: bool) -> List[int]:
    if len(dim) == 0:
        return sizes
    at = wrap(dim[-1], len(sizes))
    return replaced(sizes, at, sizes[at] // 2 + 1) if onesided else sizes


def half_spectrum(n: int) -> List[int]:
    return [n // 2 + 1]
