# REQUIRES: fake-cuda-driver
# RUN: tsc-run %s --device cuda --cuda-driver %fake_cuda_driver --compile eager --explain --args 'torch.arange(12.).view(3, 4), torch.ones([4, 3])' > %t 2>&1
# RUN: FileCheck %s --input-file %t
# RUN: FileCheck %s --input-file %t --check-prefix=EXPLAIN
# RUN: tsc-run %s --entry gradient --device cuda --cuda-driver %fake_cuda_driver --compile off | FileCheck %s --check-prefix=GRADIENT
import torch

# Point-wise operators, reductions, concatenations and conversions are kernels, in groups and alone, in place too. Views
# cost nothing, and what the program makes without naming a device is there.
# CHECK-NOT: remark
# CHECK:     tensor({{\[}}[1.5000, 1.7311, 1.8808, 1.9526],
# CHECK:     tensor([ 6.,  5., 38.], device='cuda:0')
# CHECK:     tensor([0., 1., 2., 3., 1., 1., 1., 1.], device='cuda:0')
# CHECK:     torch.float16
# EXPLAIN-NOT: remark
# EXPLAIN:   kernels: {{[1-9][0-9]*}} compiled in {{.*}} ms, 0 from the disk cache, {{[1-9][0-9]*}} runs, 0 calls left to the plain nodes
def main(x, y):
    a = torch.sigmoid(x) * y.t() + 1
    print(a)
    b = x.sum(1)
    b[1].sub_(17)
    print(b)
    print(torch.cat([x[0], torch.ones([4])]))
    return x.to(torch.half)

# Gradients go where their operands are.
# GRADIENT: tensor([2., 4.])
# GRADIENT: tensor([3., 3.], device='cuda:0')
def gradient():
    x = torch.tensor([1., 2.], device='cpu').requires_grad_()
    y = torch.tensor([3., 3.]).requires_grad_()
    z = (x.cuda() * x.cuda() + y * 3).sum()
    z.backward()
    print(x.grad)
    print(y.grad)
