# RUN: tsc-run %s --cuda-driver %fake_cuda_driver --compile eager > %t 2>&1
# RUN: FileCheck %s --input-file %t
# RUN: tsc-run %s --entry others --cuda-driver %fake_cuda_driver --compile eager > %t.others 2>&1
# RUN: FileCheck %s --check-prefix OTHERS --input-file %t.others
# REQUIRES: fake-cuda-driver
import torch
from Inputs.nearness import close, g

# einsum of two tensors and tensordot are one product of cuBLASLt's, or a batch.
# CHECK-NOT: remark: 'aten::{{einsum|tensordot}}
# CHECK: 26 contractions
# CHECK-NOT: remark: 'aten::{{einsum|tensordot}}
# OTHERS-DAG: remark: 'aten::einsum'
# OTHERS-DAG: and others
def main():
    torch.manual_seed(3)
    count = 0
    for dtype in [torch.float, torch.half]:
        a, b = torch.randn([2, 3, 4, 5]).to(dtype), torch.randn([2, 3, 6, 5]).to(dtype)
        c, v = torch.randn([5, 4, 7]).to(dtype), torch.randn([5]).to(dtype)
        for equation, x, y in [('bhqd,bhkd->bhqk', a, b), ('bhqd,bhkd->qbkh', a, b), ('...qd,...kd->...qk', a, b),
                               ('abcd,dce->abe', a, c), ('abcd,dce', a, c), ('abcd,d->abc', a, v), ('abcd,d->dabc', a, v),
                               ('i,j->ij', v, v), ('i,i->', v, v), ('bhqd , bhkd -> bkq', a, b), ('ab...,d->d...ba', a, v)]:
            close(torch.einsum(equation, [x, y]), torch.einsum(equation, [g(x), g(y)]), equation)
            count += 1
        close(torch.tensordot(a, c, dims=[[3, 2], [0, 1]]), torch.tensordot(g(a), g(c), dims=[[3, 2], [0, 1]]), 'tensordot')
        close(torch.tensordot(v, v, dims=[[0], [0]]), torch.tensordot(g(v), g(v), dims=[[0], [0]]), 'tensordot')
        count += 2
    print(count, 'contractions')


# Others run on the processor, whose errors are their own.
def others():
    torch.manual_seed(3)
    a, v = torch.randn([2, 3, 4, 5]), torch.randn([5])
    close(torch.einsum('ij,k->i', [a[0, 0], v]), torch.einsum('ij,k->i', [g(a)[0, 0], g(v)]), 'sums')
    print('and others')
