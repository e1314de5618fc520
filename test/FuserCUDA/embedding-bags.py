# REQUIRES: fake-cuda-driver
# RUN: tsc-run %s --cuda-driver %fake_cuda_driver --compile eager > %t 2>&1
# RUN: FileCheck %s --input-file %t
# RUN: %exits 1 tsc-run %s --entry outside --cuda-driver %fake_cuda_driver --compile eager 2>&1 | FileCheck %s --check-prefix=OUTSIDE
# RUN: %exits 1 tsc-run %s --entry falling --cuda-driver %fake_cuda_driver --compile eager 2>&1 | FileCheck %s --check-prefix=FALLING
import torch
from torch import Tensor
from Inputs.nearness import close, g

# Sums, means and maxima of the rows of a table by bags of indices, empty ones too, are kernels, and so are the other
# results: the bag of each index, how many rows count, and which rows maxima are of.
# CHECK-NOT: remark: 'aten::{{.*}}embedding_bag
# CHECK: 216 results
# CHECK-NOT: remark: 'aten::{{.*}}embedding_bag
def main():
    torch.manual_seed(5)
    count = 0
    for dtype in [torch.float, torch.double, torch.half]:
        table = torch.randn([9, 5]).to(dtype)
        factors = torch.rand([14]).to(dtype)
        for integer in [torch.int64, torch.int32]:
            indices = torch.randint(0, 9, [14]).to(integer)
            offsets, more = torch.tensor([0, 3, 3, 9]).to(integer), torch.tensor([0, 3, 3, 9, 14]).to(integer)
            for mode in range(3):
                for padding in [-1, 2]:
                    here = torch.embedding_bag(table, indices, offsets, False, mode, False, None, False, padding)
                    there = torch.embedding_bag(g(table), g(indices), g(offsets), False, mode, False, None, False, padding)
                    for i in range(4):
                        close(here[i], there[i], 'a result')
                        count += 1
            here = torch.embedding_bag(table, indices, more, False, 0, False, factors, True)
            there = torch.embedding_bag(g(table), g(indices), g(more), False, 0, False, g(factors), True)
            for i in range(4):
                close(here[i], there[i], 'a result of factors')
                count += 1
            rows = indices.reshape(2, 7)
            here = torch.embedding_bag(table, rows, offsets, False, 1)
            there = torch.embedding_bag(g(table), g(rows), g(offsets), False, 1)
            for i in range(4):
                close(here[i], there[i], 'a result of rows')
                count += 1
            here = torch.embedding_bag(table.t().contiguous().t(), indices, offsets, False, 2)
            there = torch.embedding_bag(g(table.t().contiguous()).t(), g(indices), g(offsets), False, 2)
            for i in range(4):
                close(here[i], there[i], 'a result of a transposed table')
                count += 1
    print(count, 'results')

# OUTSIDE: index out of range in self
def outside():
    return torch.embedding_bag(torch.ones([3, 2]).cuda(), torch.tensor([0, 3]).cuda(), torch.tensor([0]).cuda())
# FALLING: offsets must not fall
def falling():
    return torch.embedding_bag(torch.ones([3, 2]).cuda(), torch.tensor([0, 1]).cuda(), torch.tensor([0, 2, 1]).cuda())
