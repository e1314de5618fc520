# What of a source program stands in differentiable graphs, and what stays outside: what PyTorch's tests call check_ad.
#
# RUN: tsc-translate %s --entry cell --to ir | tsc-opt -passes=inline,create-autodiff-subgraphs | FileCheck %s --check-prefix=CELL
# RUN: tsc-translate %s --entry with_indices --to ir | tsc-opt -passes=inline,create-autodiff-subgraphs | FileCheck %s --check-prefix=INDICES
# RUN: tsc-translate %s --entry small --to ir | tsc-opt -passes=inline,create-autodiff-subgraphs | FileCheck %s --check-prefix=SMALL
import torch
from torch import Tensor


# All of it but the chunks, which are a list.
# CELL:        prim::DifferentiableGraph_0
# CELL-NEXT:   aten::chunk
# CELL-NEXT:   prim::ListUnpack
# CELL-NEXT:   prim::DifferentiableGraph_1
# CELL:      with prim::DifferentiableGraph_0
# CELL-COUNT-2: aten::mm
# CELL:      with prim::DifferentiableGraph_1
# CELL:        aten::sigmoid
# CELL:        aten::tanh
# CELL:        return
def cell(x: Tensor, hx: Tensor, cx: Tensor, w_ih: Tensor, w_hh: Tensor):
    i, f, g, o = (x.mm(w_ih.t()) + hx.mm(w_hh.t())).chunk(4, 1)
    cy = torch.sigmoid(f) * cx + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cy), cy


# All but what gives indices, which nobody differentiates.
# INDICES:      graph
# INDICES:        aten::argmax
# INDICES:        prim::DifferentiableGraph_0
# INDICES:      with prim::DifferentiableGraph_0
# INDICES-NOT:    aten::argmax
# INDICES:        aten::mul
# INDICES-NEXT:   aten::tanh
def with_indices(x: Tensor, y: Tensor):
    at = torch.argmax(x)
    return torch.tanh(x * y) + y, at


# Not worth a graph of its own.
# SMALL-NOT: DifferentiableGraph
# SMALL:     aten::tanh
def small(x: Tensor):
    return torch.tanh(x)
