# REQUIRES: fake-cuda-driver
# RUN: tsc-run %s --cuda-driver %fake_cuda_driver --compile eager > %t 2>&1
# RUN: FileCheck %s --input-file %t
# RUN: tsc-run %s --entry outside --cuda-driver %fake_cuda_driver --compile eager | FileCheck %s --check-prefix=OUTSIDE
import torch
from Inputs.nearness import close, g

# Elements by indices are a kernel's: rows of an embedding, index_select, gather, and indexing by one tensor.
# CHECK-NOT: 'aten::{{index|gather|embedding}}{{.*}} has no kernel
# CHECK: 22 selections
# CHECK-NOT: 'aten::{{index|gather|embedding}}{{.*}} has no kernel
def main():
    count = 0
    for dtype in [torch.float, torch.double, torch.half, torch.int16, torch.uint8]:
        x = torch.arange(120).view([2, 3, 20]).to(dtype)
        i = torch.tensor([[2, 0], [1, 1], [0, 2]])
        close(x[:, i], g(x)[:, g(i)], 'a tensor of indices')
        close(x[i[1]], g(x)[g(i[1])], 'the first dimension')
        close(x.index_select(2, i[:, 1].contiguous()), g(x).index_select(2, g(i[:, 1].contiguous())), 'the last dimension')
        j = (torch.arange(240).view([2, 6, 20]) % 3).to(torch.long)
        close(torch.gather(x, 1, j), torch.gather(g(x), 1, g(j)), 'gather')
        count += 4
    w = torch.arange(50.).view([10, 5])
    i = torch.tensor([[9, 0, 3], [3, 3, 1]], dtype=torch.int)
    close(torch.embedding(w, i), torch.embedding(g(w), g(i)), 'embedding')
    k = torch.tensor([-1, -10, 4])
    close(w[k], g(w)[g(k)], 'negative indices')
    print(count + 2, 'selections')

# What is outside is the operator's error.
# OUTSIDE: index out of range in self
# OUTSIDE: index 10 is out of bounds for dimension 0 with size 10
def outside():
    w = g(torch.zeros([10, 5]))
    try:
        print(torch.embedding(w, g(torch.tensor([1, 10]))))
    except Exception as e:
        print(e)
    try:
        print(w[g(torch.tensor([1, 10]))])
    except Exception as e:
        print(e)
