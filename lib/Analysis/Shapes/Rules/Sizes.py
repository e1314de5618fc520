# Rules for the sizes and strides of results, in TorchScript. The columns `shape` and `strides` of an operator's record
# (include/tsc/IR/Ops/*.td) name them; a tensor is the list of its sizes. A rule asserts what must hold for the operator
# to succeed, and writes no list that it was given. Sizes may be symbols: what does not depend on their values should not
# ask for them. A rule that raises, and a dimension that is unknown(), say nothing.
#
# The files of this folder are one program. This one: sizes in general: what rules are made of, fixed shapes, broadcasting.
from typing import List


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
            assert size[i] >= 0
            out.append(size[i])
        elif size[i] == -1:
            out.append(sizes[i - added])
        else:
            assert size[i] >= 0
            assert sizes[i - added] == 1 or sizes[i - added] == size[i]
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
