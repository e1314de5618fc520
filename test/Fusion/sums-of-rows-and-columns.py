# Sums of one matrix along its rows and along its columns come from one nest, which computes each element once; what is
# computed from them are nests of their own. The bits are those of the operators, on one thread and on several.
#
# RUN: env XDG_CACHE_HOME=%t tsc-run --compile eager --explain %s --entry scaled_sums \
# RUN:   --args 'torch.arange(500) * 1e-3, torch.arange(900) * 1e-3' 2>&1 | FileCheck %s
# RUN: env XDG_CACHE_HOME=%t tsc-run --compile eager --print-kernels loops %s --entry scaled_sums \
# RUN:   --args 'torch.arange(500) * 1e-3, torch.arange(900) * 1e-3' | FileCheck %s --check-prefix=LOOPS
# RUN: env XDG_CACHE_HOME=%t tsc-run --compile eager --print-kernels loops %s --entry centred \
# RUN:   --args 'torch.ones([300, 400]), torch.ones([300, 400])' | FileCheck %s --check-prefix=CENTRED
# RUN: env XDG_CACHE_HOME=%t tsc-run --compile eager --print-kernels loops %s --entry single \
# RUN:   --args 'torch.ones([1, 200]), torch.ones([200])' | FileCheck %s --check-prefix=SINGLE
# RUN: env XDG_CACHE_HOME=%t tsc-run -O0 %s --entry main > %t.plain
# RUN: env XDG_CACHE_HOME=%t tsc-run --compile eager %s --entry main | diff %t.plain -
# RUN: env XDG_CACHE_HOME=%t tsc-run --compile eager --threads 3 %s --entry main | diff %t.plain -
# CHECK: kernels: {{.*}} 3 runs
# LOOPS: folding columns
# LOOPS: fold sum({{.*}}) along the row -> %
# LOOPS: fold sum({{.*}}) -> %
import torch
from torch import Tensor
from typing import List, Tuple


def scaled_sums(a: Tensor, b: Tensor):
    m = torch.exp(a.unsqueeze(1) * b)
    return m.sum(1) * a, m.sum(0) * b


# Elements that read the sums of their rows fold these themselves.
# CENTRED: kernel(
# CENTRED-NOT: along the row
def centred(x: Tensor, g: Tensor):
    y = x * g
    return y - y.mean(1, keepdim=True), y.sum(0)


# One element is no row to walk.
# SINGLE: kernel(%0 : Float contiguous, %1 : Float contiguous) -> (%2 : Float contiguous)
# SINGLE-NOT: fold
def single(x: Tensor, y: Tensor):
    return (x * 2).sum(0) + y


def extrema(a: Tensor, b: Tensor):
    m = a.unsqueeze(1) * b - 0.5
    return m.amax(0), m.amin(1), m.mean(1), m.mean(0), m.sum(0)


# Columns are read with gaps, and the matrix itself the other way round.
def transposed(a: Tensor, m: Tensor):
    d = a.select(1, 1) + m.t()
    return (d * d).sum(0), d.sum(1)


def parts(a: Tensor, b: Tensor, m: Tensor):
    d = a.view([-1, 1, 1]) - b
    e = d * d + m
    return e.sum([1, 2]), e.sum(0), (e * 2).sum(0)


def bits(t: Tensor) -> int:
    if t.is_floating_point():
        t = t.contiguous().view(torch.int32)
    return int((t.to(torch.int64) * (torch.arange(t.numel()).view(t.size()) + 1)).sum())


def main() -> None:
    sizes: List[Tuple[int, int]] = [(512, 40), (40, 512), (1100, 2050), (17, 1030), (1030, 17), (200, 128), (2, 20000)]
    for rows, columns in sizes:
        a = (torch.arange(rows) * 37 % 101).float() * 0.013
        b = (torch.arange(columns) * 53 % 97).float() * 0.017
        a[1] = float("nan")
        for x, y in scaled_sums(a, b), scaled_sums(a.double(), b.double()):
            print(rows, columns, bits(x), bits(y))
        for t in extrema(a, b):
            print(bits(t))
        for t in extrema(a.double(), b):
            print(bits(t))
        x, y = transposed(torch.stack([a, a * 2, a], 1), torch.outer(a, b))
        print(bits(x), bits(y))
        n, k = torch.arange(rows), torch.arange(columns)
        m = n.unsqueeze(1) * k
        print(m.sum(0).sum(), m.sum(1).sum(), bits(m.sum(0)), bits(m.sum(1)))
    print(bits(single(torch.tensor([[-0.0, float("nan"), 1.0] * 30]), torch.full([90], -0.0))))
    b, m = torch.arange(60).view([6, 10]) * 0.1, torch.arange(60).view([6, 10]).float()
    x, y, z = parts(torch.arange(700) * 0.01, b, m)
    print(bits(x), bits(y), bits(z))
