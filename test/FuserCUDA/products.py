# RUN: tsc-run %s --cuda-driver %fake_cuda_driver --compile off 2>&1 | FileCheck %s
# RUN: %exits 1 tsc-run %s --entry missing --cuda-driver %fake_cuda_driver --compile off 2>&1 | FileCheck %s --check-prefix=ERROR
# REQUIRES: fake-cuda-driver
import torch
from Inputs.nearness import close, g

# Products of matrices are cuBLASLt's: none of them runs on the processor, and they are what it gives. (The fake library
# checks descriptors and memory, and adds in double.)
# CHECK-NOT: remark: 'aten::{{mm|mv|bmm|matmul|linear|addmm|baddbmm}}
# CHECK: 92 products
# CHECK-NOT: remark: 'aten::{{mm|mv|bmm|matmul|linear|addmm|baddbmm}}
def main():
    torch.manual_seed(3)
    count = 0
    for dtype in [torch.float, torch.double, torch.half, torch.bfloat16]:
        a = torch.randn([5, 7]).to(dtype)
        b = torch.randn([7, 3]).to(dtype)
        # Rows that are one behind the other, columns that are, and rows with elements in between.
        for left, right in [(a, b), (a.t().contiguous().t(), b), (a, b.t().contiguous().t()),
                            (torch.cat([a, a], 1)[:, 2:9], torch.cat([b, b], 1)[:, 1:4]), (a[:1], b[:, :1]), (a[:, 2:3], b[4:5])]:
            close(left @ right, g(left) @ g(right), 'matmul')
            close(left.mm(right), g(left).mm(g(right)), 'mm')
            count += 2
        close(a.mv(b[:, 1]), g(a).mv(g(b)[:, 1]), 'mv')
        close(a[2] @ b, g(a)[2] @ g(b), 'a row')
        count += 2
        # Several: with one matrix for all, with one for each, broadcast, in two dimensions that do not merge.
        many = torch.randn([4, 5, 7]).to(dtype)
        other = torch.randn([4, 7, 3]).to(dtype)
        heads = torch.randn([2, 6, 3, 8]).to(dtype)
        close(many @ b, g(many) @ g(b), 'one matrix')
        close(many.bmm(other), g(many).bmm(g(other)), 'bmm')
        close(a @ other, g(a) @ g(other), 'broadcast')
        query, key = heads.transpose(1, 2), heads.transpose(1, 2).transpose(2, 3)
        close(query @ key, g(heads).transpose(1, 2) @ g(heads).transpose(1, 2).transpose(2, 3), 'heads')
        close(many.unsqueeze(1) @ other.unsqueeze(0), g(many).unsqueeze(1) @ g(other).unsqueeze(0), 'both broadcast')
        count += 5
        weight, bias = torch.randn([3, 7]).to(dtype), torch.randn([3]).to(dtype)
        close(torch.nn.functional.linear(many, weight, bias), torch.nn.functional.linear(g(many), g(weight), g(bias)), 'linear')
        close(torch.nn.functional.linear(a[1], weight), torch.nn.functional.linear(g(a)[1], g(weight)), 'of a row')
        count += 2
        if dtype == torch.float or dtype == torch.double:
            added, each = torch.randn([5, 3]).to(dtype), torch.randn([4, 5, 3]).to(dtype)
            close(torch.addmm(bias, a, b), torch.addmm(g(bias), g(a), g(b)), 'addmm with a row')
            close(torch.addmm(added, a, b, beta=0.5, alpha=2), torch.addmm(g(added), g(a), g(b), beta=0.5, alpha=2), 'addmm')
            close(torch.addmm(added * float('nan'), a, b, beta=0), torch.addmm(g(added * float('nan')), g(a), g(b), beta=0), 'beta=0')
            close(torch.baddbmm(each, many, other, beta=-1.), torch.baddbmm(g(each), g(many), g(other), beta=-1.), 'baddbmm')
            count += 4
    print(count, 'products')

# ERROR: mat1 and mat2 shapes cannot be multiplied (5x7 and 5x7)
def missing():
    x = torch.ones([5, 7], device='cuda')
    return x.mm(x)
