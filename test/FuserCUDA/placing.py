# REQUIRES: fake-cuda-driver
# RUN: tsc-run %s --cuda-driver %fake_cuda_driver --compile eager > %t 2>&1
# RUN: FileCheck %s --input-file %t
# RUN: tsc-run %s --entry outside --cuda-driver %fake_cuda_driver --compile eager | FileCheck %s --check-prefix=OUTSIDE
import torch
from torch import Tensor
from Inputs.nearness import close, g

# What is put to where indices name is a kernel's, with the processor's bits: several elements may go to one place.
# CHECK-NOT: has no kernel
# CHECK: 11 dtypes
# CHECK: views and lists of indices
# CHECK-NOT: has no kernel
def equal(here: Tensor, there: Tensor, what: str):
    back = there.cpu()
    assert there.is_cuda and here.dtype == back.dtype and here.stride() == there.stride(), what
    assert torch.equal(here, back), what

def scatters(x: Tensor, j: Tensor, s: Tensor):
    equal(x.scatter(1, j, s), g(x).scatter(1, g(j), g(s)), 'scatter')
    equal(x.scatter(1, j, 3), g(x).scatter(1, g(j), 3), 'of a number')
    equal(x.scatter_add(1, j, s), g(x).scatter_add(1, g(j), g(s)), 'scatter_add')
    equal(x.scatter(1, j, s, reduce='multiply'), g(x).scatter(1, g(j), g(s), reduce='multiply'), 'multiply')
    equal(x.clone().scatter_(1, j, s, reduce='add'), g(x).clone().scatter_(1, g(j), g(s), reduce='add'), 'add')
    for how in ['sum', 'prod', 'amax', 'amin', 'mean']:
        for selves in [True, False]:
            if how != 'mean' or x.dtype != torch.bool:
                equal(x.scatter_reduce(1, j, s, how, include_self=selves),
                      g(x).scatter_reduce(1, g(j), g(s), how, include_self=selves), how)

def slices(x: Tensor, i: Tensor, s: Tensor):
    equal(x.index_add(1, i, s), g(x).index_add(1, g(i), g(s)), 'index_add')
    equal(x.index_copy(1, i, s), g(x).index_copy(1, g(i), g(s)), 'index_copy')
    equal(x.index_fill(1, i - 2, 1), g(x).index_fill(1, g(i - 2), 1), 'index_fill')
    equal(x.index_reduce(1, i, s, 'amax'), g(x).index_reduce(1, g(i), g(s), 'amax'), 'index_reduce')
    here, there = x.clone(), g(x)
    here[:, i], there[:, g(i)] = s, g(s)
    equal(here, there, 'assignment')
    here.index_put_([i[:1], i[:1]], s[0, 0, :1].expand([1, 5]), True)
    there.index_put_([g(i[:1]), g(i[:1])], g(s[0, 0, :1]).expand([1, 5]), True)
    equal(here, there, 'addition')

def main():
    torch.manual_seed(4)
    count = 0
    for dtype in [torch.float, torch.double, torch.half, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8,
                  torch.uint8, torch.bool]:
        x, s = (torch.randn([3, 4, 5]) * 9).abs().to(dtype), (torch.randn([3, 7, 5]) * 9).abs().to(dtype)
        scatters(x, torch.randint(4, [3, 6, 5]), s)
        slices(x, torch.tensor([2, 1, 2, 0, 2, 2, 3]), s)
        count += 1
    x, s = torch.randn([2, 900]), torch.randn([2, 6000])
    scatters(x, torch.randint(900, [2, 6000]), s) # many tiles, one place for several
    x, s = torch.randn([2, 3]).t(), torch.randn([3, 2])
    j = torch.randint(2, [3, 2])
    equal(x.scatter_add(1, j, s), g(x).scatter_add(1, g(j), g(s)), 'of a transposed one')
    equal(x.index_fill(0, torch.tensor([1]), 2), g(x).index_fill(0, g(torch.tensor([1])), 2), 'which keeps its strides')
    y = g(x).clone()
    equal(x.clone().scatter_add_(1, j, s), y.scatter_add_(1, g(j), g(s)), 'in place')
    v = g(x)
    equal(x.index_add(0, torch.tensor([0, 2, 0]), s, alpha=0.3), v.index_add(0, g(torch.tensor([0, 2, 0])), g(s), alpha=0.3), 'alpha')
    print(count + 1, 'dtypes')

    x = torch.randn([4, 5, 6])
    a, b = torch.tensor([[3, -4], [0, 1]]), torch.tensor([2, -1])
    equal(x[a, b], g(x)[g(a), g(b)], 'two indices')
    equal(x[a, :, b], g(x)[g(a), :, g(b)], 'apart')
    equal(x[:, a % 5, b], g(x)[:, g(a % 5), g(b)], 'side by side')
    equal(x.transpose(0, 1)[b], g(x).transpose(0, 1)[g(b)], 'of a view')
    equal(x[a.t()], g(x)[g(a).t()], 'an index that is a view')
    equal(x[b], g(x)[b], 'an index of the processor')
    here, there = x.clone(), g(x)
    here[a, :, b], there[g(a), :, g(b)] = 2., 2.
    equal(here, there, 'a number')
    here[:, 1].index_add_(0, abs(b), here[:2, 0].clone())
    there[:, 1].index_add_(0, g(abs(b)), there[:2, 0].clone())
    equal(here, there, 'in a view')
    here[1:3, a % 5] = torch.ones([6])
    there[1:3, g(a % 5)] = g(torch.ones([6]))
    equal(here, there, 'broadcast')
    mask = torch.randn([5, 6]) > 0
    here[:, mask], there[:, g(mask)] = 3., 3.
    equal(here, there, 'a mask')
    here[here > 1], there[there > 1] = torch.tensor(0.), g(torch.tensor(0.))
    equal(here, there, 'of all elements')
    here[:, 1:3][mask[:4, 0]], there[:, 1:3][mask[:4, 0]] = -1., -1.
    equal(here, there, 'in a view, of the processor')
    w, o = torch.randn([6, 3]), g(torch.zeros([6, 3]))
    with torch.no_grad():
        o.copy_(w)
    w.requires_grad_()
    o.requires_grad_()
    rows = torch.tensor([1, 5, 1, 1])
    torch.embedding(w, rows).square().sum().backward()
    torch.embedding(o, g(rows)).square().sum().backward()
    one, other = w.grad, o.grad
    assert one is not None and other is not None
    close(one, other, 'gradient')
    print('views and lists of indices')

# What is outside is the operator's error, and nothing was written.
# OUTSIDE: out of bounds
# OUTSIDE: out of bounds
# OUTSIDE: 0
def outside():
    x = g(torch.zeros([4, 5]))
    try:
        x.scatter_(1, g(torch.tensor([[1, 9]])), 2.)
    except Exception as e:
        print(e)
    try:
        x[g(torch.tensor([1, 10]))] = 1.
    except Exception as e:
        print(e)
    print(int(x.abs().sum()))
