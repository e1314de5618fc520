# Rules for shapes (see Sizes.py): elements chosen, joined, repeated; numbers in a row.
import math
from typing import List, Optional


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
    if n == 0:
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


# Integers (up to 4) count whole numbers; half types (5 and 15) count in float, which decides otherwise now and then.
def inclusive_range(start: float, end: float, step: float, dtype: Optional[int]) -> List[int]:
    if dtype is not None:
        if dtype <= 4:
            return [(int(end) - int(start)) // int(step) + 1]
        if dtype == 5 or dtype == 15:
            return [unknown()]
    return [int(math.floor((end - start) / step)) + 1]


def vander(sizes: List[int], N: Optional[int]) -> List[int]:
    return [sizes[0], sizes[0] if N is None else N]


def multinomial(sizes: List[int], num_samples: int) -> List[int]:
    return sizes[:-1] + [num_samples]
