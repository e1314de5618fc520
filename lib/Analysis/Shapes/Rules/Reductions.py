# Rules for shapes (see Sizes.py): reductions and sorting.
from typing import List, Optional


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


# Sorting.

def topk(sizes: List[int], k: int, dim: int) -> List[int]:
    if len(sizes) == 0:
        return sizes
    return replaced(sizes, wrap(dim, len(sizes)), k)


def unique_inverse(sizes: List[int], return_inverse: bool) -> List[int]:
    return sizes if return_inverse else [0]
