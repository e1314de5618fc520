# REQUIRES: fake-cuda-driver
# RUN: tsc-run %s --cuda-driver %fake_cuda_driver --compile eager > %t 2>&1
# RUN: FileCheck %s --input-file %t
import torch
from torch import Tensor
from Inputs.nearness import close, g

# What masks choose is read by kernels, and written by masked_scatter: masked_select, nonzero and its kin, and indexing by
# one mask.
# CHECK-NOT: remark: 'aten::{{masked_select|masked_scatter|nonzero|argwhere|where|index}}
# CHECK: 70 choices
# CHECK-NOT: remark: 'aten::{{masked_select|masked_scatter|nonzero|argwhere|where|index}}
def main():
    torch.manual_seed(5)
    count = 0
    for dtype in [torch.float, torch.double, torch.half, torch.int64, torch.int32, torch.uint8, torch.bool]:
        x = (torch.randn([7, 5, 3]) * 2).to(dtype)
        mask = torch.rand([7, 5, 3]) > 0.5
        close(x[mask], g(x)[g(mask)], 'elements')
        close(x.masked_select(mask), g(x).masked_select(g(mask)), 'masked_select')
        close(x.nonzero(), g(x).nonzero(), 'nonzero')
        close(x[mask[:, 0, 0]], g(x)[g(mask)[:, 0, 0]], 'slices')
        close(x[:, mask[0, :, 1]], g(x)[:, g(mask)[0, :, 1]], 'slices inside')
        close(x[:, mask[0]], g(x)[:, g(mask)[0]], 'elements inside')
        fresh = (torch.randn([120]) * 2).to(dtype)
        close(x.masked_scatter(mask, fresh), g(x).masked_scatter(g(mask), g(fresh)), 'masked_scatter')
        close(x.masked_scatter(mask[0], fresh), g(x).masked_scatter(g(mask)[0], g(fresh)), 'a mask for each slice')
        there = g(x).transpose(0, 1)
        there.masked_scatter_(g(mask).transpose(0, 1), g(fresh))
        close(x.transpose(0, 1).masked_scatter(mask.transpose(0, 1), fresh), there.contiguous(), 'in place')
        count += 9
    # Nothing, everything, many, and a mask that is broadcast.
    x = torch.randn([3, 3000])
    for mask in [x > 100, x < 100, x > 0]:
        close(x[mask], g(x)[g(mask)], 'elements of many')
        count += 1
    close(x.masked_select(x[0] > 0), g(x).masked_select(g(x)[0] > 0), 'a mask for each row')
    for here, there in zip(torch.where(x > 1), torch.where(g(x) > 1)):
        assert torch.equal(here, there.cpu()) and here.stride() == there.stride(), 'where'
    count += 2
    # A tensor that is its own source, and a mask that chooses nothing.
    x, there = torch.arange(12.), torch.arange(12.).cuda()
    close(x.masked_scatter(x > 5, x.clone()), there.masked_scatter_(there > 5, there), 'its own source')
    close(x.masked_scatter(x > 50, x), g(x).masked_scatter(g(x) > 50, g(x)), 'no place')
    count += 2
    print(count, 'choices')
