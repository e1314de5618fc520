# REQUIRES: fake-cuda-driver
# RUN: tsc-run %s --entry layer --device cuda --cuda-driver %fake_cuda_driver --compile eager --explain --grad 3,4,5,6 --args 'torch.arange(60.).view(5, 2, 6) / 60, torch.zeros([2, 8]), torch.ones([2, 8]), torch.arange(192.).view(32, 6) / 192 - 0.5, torch.arange(256.).view(32, 8) / 256 - 0.5, torch.ones([32]), torch.arange(32.) / 32' > %t 2>&1
# RUN: FileCheck %s --input-file %t --check-prefix=KERNELS
# RUN: FileCheck %s --input-file %t
# RUN: tsc-run %s --entry layer --device cuda --cuda-driver %fake_cuda_driver --compile eager --args 'torch.arange(60.).view(5, 2, 6) / 60, torch.zeros([2, 8]), torch.ones([2, 8]), torch.arange(192.).view(32, 6) / 192 - 0.5, torch.arange(256.).view(32, 8) / 256 - 0.5, torch.ones([32]), torch.arange(32.) / 32' | FileCheck %s --check-prefix=FORWARD
import torch
from typing import List, Tuple
from torch import Tensor

# An LSTM layer on a GPU: of each of five steps all gates are one kernel, with the pieces of the products' sum as strides.
# Backwards, what a step does to the gates is one group too: a kernel writes their gradients side by side, and others sum
# these for the biases.
# KERNELS-NOT: has no kernel for GPUs
# KERNELS:     fusion group: aten::add, aten::add, aten::add, prim::ConstantChunk, aten::sigmoid, aten::mul, aten::sigmoid, aten::tanh, aten::mul, aten::add, aten::sigmoid, aten::tanh, aten::mul (
# KERNELS-NEXT: 5 calls,
# KERNELS:     fusion group: aten::add, aten::mul,{{.*}} aten::cat, aten::sum
# KERNELS-NEXT: 5 calls,
# KERNELS:     2 fusion groups;
# KERNELS:     kernels: 7 compiled in {{.*}} ms, 0 from the disk cache, {{[0-9]+}} runs, 0 calls left to the plain nodes
# KERNELS:     launches: 32,

# PyTorch's numbers: the last output of the second sequence, and gradients of weights and biases.
# FORWARD: [0.0523, 0.0904, 0.1543, 0.2546, 0.3960, 0.5659, 0.7314, 0.8577]
# CHECK: tensor([0.3953, 0.5327, 0.7014, 0.8854, 1.0374, 1.0821, 0.9694, 0.7409, 0.9004,
# CHECK-NEXT: 1.1859, 1.5055, 1.7887, 1.9133, 1.7642, 1.3565, 0.8704, 0.1239, 0.1247,
# CHECK-NEXT: 0.1266, 0.1275, 0.1236, 0.1110, 0.0898, 0.0656, 0.1155, 0.1151, 0.1143,
# CHECK-NEXT: 0.1129, 0.1107, 0.1077, 0.1040, 0.1000], device='cuda:0')
def cell(x: Tensor, hx: Tensor, cx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor,
         b_hh: Tensor) -> Tuple[Tensor, Tensor]:
    gates = x.mm(w_ih.t()) + hx.mm(w_hh.t()) + b_ih + b_hh
    i, f, g, o = gates.chunk(4, 1)
    cy = torch.sigmoid(f) * cx + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cy), cy

def layer(seq: Tensor, hx: Tensor, cx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor) -> Tensor:
    outputs: List[Tensor] = []
    for x in seq.unbind(0):
        hx, cx = cell(x, hx, cx, w_ih, w_hh, b_ih, b_hh)
        outputs.append(hx)
    return torch.stack(outputs)
