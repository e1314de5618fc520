# REQUIRES: fake-cuda-driver
# RUN: tsc-run %s --cuda-driver %fake_cuda_driver --compile eager > %t 2>&1
# RUN: FileCheck %s --input-file %t
import torch
from torch import Tensor
from Inputs.nearness import close, g

# Sorting is a kernel's: short rows, several of which are a tile, rows of one tile, and long ones, whose tiles are
# merged. Equal elements keep their order, NaN is the largest, and zeros of both signs are equal.
# CHECK-NOT: has no kernel
# CHECK: 57 orders
# CHECK: 12 selections of the first
# CHECK-NOT: has no kernel
def same(x: Tensor, dim: int, descending: bool):
    here, places = torch.sort(x, dim, descending)
    there, theirs = torch.sort(g(x), dim, descending)
    assert torch.equal(places, theirs.cpu()), 'places'
    back = there.cpu()
    assert torch.equal(torch.isnan(here.double()), torch.isnan(back.double())), 'NaN'
    assert torch.equal(torch.nan_to_num(here.double()), torch.nan_to_num(back.double())), 'values'
    assert here.stride() == there.stride() and places.stride() == theirs.stride(), 'strides'

def main():
    torch.manual_seed(3)
    count = 0
    for dtype in [torch.float, torch.double, torch.half, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8]:
        for size in [5, 300, 5000]:
            x = (torch.randn([3, size]) * 40).abs() if dtype == torch.uint8 else torch.randn([3, size]) * 40
            same(x.to(dtype), 1, False)
            same(x.to(dtype), -1, True)
            count += 2
    same(torch.randn([40, 3, 2]), 0, False)
    x = torch.randn([2, 700, 3])
    x[0, 5:20], x[1, 3], x[0, 30:90], x[0, 100:150] = float('nan'), float('inf'), 0., -0.
    same(x, 1, True)
    same(torch.randn([30, 20]).t(), 1, False)
    count += 3
    print(count, 'orders')

    count = 0
    for size in [7, 1000, 9000]:
        x = torch.randperm(2 * size).view([2, size]).to(torch.float)
        for k in [1, 6]:
            for largest in [True, False]:
                here, places = torch.topk(x, k, 1, largest)
                there, theirs = torch.topk(g(x), k, 1, largest)
                assert torch.equal(here, there.cpu()) and torch.equal(places, theirs.cpu())
                count += 1
    x = torch.randn([4, 6])
    close(torch.argsort(x, 0), torch.argsort(g(x), 0), 'argsort')
    close(torch.msort(x), torch.msort(g(x)), 'msort')
    close(torch.sort(x > 0, stable=True)[1], torch.sort(g(x) > 0, stable=True)[1], 'of bool')
    print(count, 'selections of the first')
