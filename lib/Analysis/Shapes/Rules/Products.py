# Rules for shapes (see Sizes.py): products, distances, and what linear algebra makes of matrices.
from typing import List, Optional, Tuple


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
