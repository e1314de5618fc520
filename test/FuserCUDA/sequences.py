# REQUIRES: fake-cuda-driver
# RUN: tsc-run %s --entry layer --device cuda --cuda-driver %fake_cuda_driver --compile eager --bench 8 --explain --args 'torch.ones([4, 5]), torch.ones([4, 6]), torch.ones([5, 6]), torch.ones([6, 6])' > %t 2>&1
# RUN: FileCheck %s --input-file %t
import torch
from torch import Tensor

# Calls that put the same kernels and products on the stream are one launch from the second one on.
# CHECK: launches: {{.*}} graphs of kernels
# CHECK: sequences: {{[0-9]+}} calls were launched as 1 graphs of kernels and calls of libraries, {{[0-9]+}} nodes of which got other operands
def layer(x: Tensor, h: Tensor, w: Tensor, u: Tensor):
    for _ in range(3):
        h = torch.tanh(x.mm(w) + h.mm(u))
    return h
