# REQUIRES: fake-cuda-driver
# RUN: tsc-run %s --device cuda --cuda-driver %fake_cuda_driver --compile eager --explain > %t 2>&1
# RUN: FileCheck %s --input-file %t
import torch
from torch import Tensor

# Calls that put the same kernels and products on the stream are one launch from the second one on.
# CHECK-DAG: launches: {{.*}}; {{[0-9]+}} of them of {{[0-9]+}} graphs of kernels
# CHECK-DAG: sequences: 7 calls were launched as 1 graphs of kernels and calls of libraries, {{[0-9]+}} nodes of which got other operands
# CHECK-DAG: as on the processor
@torch.jit.script
def layer(x: Tensor, h: Tensor, w: Tensor, u: Tensor):
    for _ in range(3):
        h = torch.tanh(x.mm(w) + h.mm(u))
    return h

def main():
    x, h, w, u = torch.randn([4, 5]), torch.zeros([4, 6]), torch.randn([5, 6]), torch.randn([6, 6])
    result = h
    for _ in range(8):
        result = layer(x, h, w, u)
    assert x.is_cuda and result.is_cuda
    here = layer(x.cpu(), h.cpu(), w.cpu(), u.cpu())
    assert bool(((here - result.cpu()).abs() < 1e-5).all())
    print('as on the processor')
