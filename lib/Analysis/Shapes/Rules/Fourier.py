# Rules for shapes (see Sizes.py): fourier transforms.
from typing import List, Optional


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


# PyTorch halves a negative number toward 0.
def half_spectrum(n: int) -> List[int]:
    return [(n + 1 if n < 0 else n) // 2 + 1]
