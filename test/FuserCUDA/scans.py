# REQUIRES: fake-cuda-driver
# RUN: tsc-run %s --cuda-driver %fake_cuda_driver --compile eager > %t 2>&1
# RUN: FileCheck %s --input-file %t
import torch
from torch import Tensor
from Inputs.nearness import close, g

# Running sums, products, extrema and logs of sums of exponentials are kernels: of many rows, of one long row, which is
# cut into pieces, along the last dimension and along others, in place too. Integers and extrema are the processor's.
# CHECK-NOT: remark: 'aten::{{cum|logcumsumexp}}
# CHECK: 33 scans
# CHECK-NOT: remark: 'aten::{{cum|logcumsumexp}}
def exact(here: Tensor, there: Tensor, what: str):
    assert there.is_cuda and there.dtype == here.dtype and there.stride() == here.stride(), what
    assert torch.equal(torch.nan_to_num(here.double()), torch.nan_to_num(there.cpu().double())), what
    assert torch.equal(torch.isnan(here.double()), torch.isnan(there.cpu().double())), what

def extrema(x: Tensor, dim: int):
    for here, there in [(x.cummax(dim), g(x).cummax(dim)), (x.cummin(dim), g(x).cummin(dim))]:
        exact(here[0], there[0], 'values')
        exact(here[1], there[1], 'places')

def main():
    torch.manual_seed(5)
    count = 0
    x = (torch.randn([2, 5000]) * 3).to(torch.int64)
    exact(x.cumsum(-1), g(x).cumsum(-1), 'a long row')
    exact((x % 3 + 1).cumprod(1), (g(x) % 3 + 1).cumprod(1), 'a long product')
    extrema(x, 1)
    count += 3
    for dtype in [torch.int64, torch.int32, torch.uint8, torch.bool]:
        x = (torch.randn([30, 4, 2]) * 3).abs().to(dtype)
        exact(x.cumsum(0), g(x).cumsum(0), 'cumsum')
        extrema(x, 1)
        count += 2
    x = torch.randn([2, 4100]) * 0.5
    close(x.cumsum(1), g(x).cumsum(1), 'a long row of reals')
    close(x.logcumsumexp(1), g(x).logcumsumexp(1), 'logcumsumexp')
    extrema(x, 1)
    count += 3
    for dtype in [torch.float, torch.double, torch.half, torch.bfloat16]:
        x = (torch.randn([50, 3, 2]) * 0.5).to(dtype)
        close(x.cumsum(0), g(x).cumsum(0), 'cumsum')
        close((1 + x * 0.01).cumprod(0), (1 + g(x) * 0.01).cumprod(0), 'cumprod')
        extrema(x, 0)
        count += 3
    x = torch.randn([3, 90])
    x[0, 7], x[1, 3], x[1, 60], x[2, :] = float('nan'), float('inf'), float('nan'), 1.0
    extrema(x, 1)
    exact(x.cumsum(1), g(x).cumsum(1), 'with infinities')
    y = torch.arange(24.).view(4, 6).t()
    exact(y.cumsum(0), g(y).cumsum(0), 'a transposed one')
    exact(y.cumsum(1, dtype=torch.double), g(y).cumsum(1, dtype=torch.double), 'in double')
    z, w = torch.arange(10.), g(torch.arange(10.))
    z.cumsum_(0)
    w.cumsum_(0)
    exact(z, w, 'in place')
    count += 7
    print(count, 'scans')
