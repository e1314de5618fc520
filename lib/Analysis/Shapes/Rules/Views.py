# Rules for shapes (see Sizes.py): views: elements regrouped, dimensions moved, parts taken.
from typing import List, Optional


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
    if -1 in shape:
        assert product(sizes) % product([-size if size == -1 else size for size in shape]) == 0
    else:
        assert product(sizes) == product(shape)
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
    taken = [False for dim in dims]
    for dim in dims:
        at = wrap(dim, len(sizes))
        assert not taken[at]
        taken[at] = True
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


def select(sizes: List[int], dim: int, index: int) -> List[int]:
    rest = drop_dim(sizes, dim)
    size = sizes[wrap(dim, len(sizes))]
    assert -size <= index and index < size
    return rest


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


def narrow(sizes: List[int], dim: int, start: int, length: int) -> List[int]:
    assert len(sizes) > 0 and length >= 0
    at = wrap(dim, len(sizes))
    assert -sizes[at] <= start and (start + sizes[at] if start < 0 else start) + length <= sizes[at]
    return replaced(sizes, at, length)


# The same where a tensor holds the start.
def narrow_somewhere(sizes: List[int], dim: int, length: int) -> List[int]:
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
    count = 0
    for size in split_sizes:
        assert size >= 0
        count = count + size
    assert count == sizes[at]
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
