# Gradients that a plan computes are those of the tape, and where the tape has none, there is none: grad mode, leaves
# that become such on the way, tensors with two names, and writes to what formulas read.
#
# RUN: %all_modes tsc-run %s --entry without_grad --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=WITHOUT-GRAD
# WITHOUT-GRAD: tensor([ 6., 12., 18.])
# RUN: %all_modes tsc-run %s --entry switched --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=SWITCHED
# SWITCHED: tensor([3., 6., 9.])
# RUN: %all_modes tsc-run %s --entry no_longer --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=NO-LONGER
# NO-LONGER: True
# RUN: %all_modes tsc-run %s --entry cut_off --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=CUT-OFF
# CUT-OFF: tensor([2., 4., 6.])
# RUN: %all_modes tsc-run %s --entry read_before --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=READ-BEFORE
# READ-BEFORE: tensor([2., 4., 6.])
# RUN: %all_modes tsc-run %s --entry both_of_chain --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=BOTH-OF-CHAIN
# BOTH-OF-CHAIN: (tensor([ 6., 24., 54.]), tensor([ 27., 108., 243.]))
# RUN: %all_modes tsc-run %s --entry equal_operands --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=EQUAL-OPERANDS
# EQUAL-OPERANDS: tensor([3., 6., 9.])
# RUN: %all_modes tsc-run %s --entry two_leaves --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=TWO-LEAVES
# TWO-LEAVES: tensor([ 2.,  8., 18.])
# RUN: %all_modes tsc-run %s --entry one_tensor_twice --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=ONE-TENSOR-TWICE
# ONE-TENSOR-TWICE: tensor([2., 4., 6.])
# RUN: %all_modes tsc-run %s --entry leaf_by_expansion --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=LEAF-BY-EXPANSION
# LEAF-BY-EXPANSION: (tensor([2., 4., 6.]), False)
# RUN: %all_modes tsc-run %s --entry written --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=WRITTEN
# WRITTEN: tensor([ 5.,  9., 13.])
# RUN: %all_modes tsc-run %s --entry mask --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=MASK
# MASK: tensor([1., 2., 2.])
# RUN: %all_modes tsc-run %s --entry switched_by_callee --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=SWITCHED-BY-CALLEE
# SWITCHED-BY-CALLEE: tensor([2., 4., 6.])
# RUN: %all_modes tsc-run %s --entry same_dtype --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=SAME-DTYPE
# SAME-DTYPE: tensor([2., 4., 6.])
# RUN: %all_modes tsc-run %s --entry same_layout --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=SAME-LAYOUT
# SAME-LAYOUT: tensor([2., 4., 6.])
# RUN: %all_modes tsc-run %s --entry flags --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=FLAGS
# FLAGS: (False, True, True, tensor([3., 2., 2.]))
# RUN: %all_modes --status 1 tsc-run %s --entry captured_is_written --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=CAPTURED-IS-WRITTEN
# CAPTURED-IS-WRITTEN: modified by an inplace operation
# RUN: %all_modes --status 1 tsc-run %s --entry mask_written_later --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=MASK-WRITTEN-LATER
# MASK-WRITTEN-LATER: modified by an inplace operation
# RUN: %all_modes --status 1 tsc-run %s --entry mask_written_in_loop --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=MASK-WRITTEN-IN-LOOP
# MASK-WRITTEN-IN-LOOP: modified by an inplace operation
# RUN: %all_modes --status 1 tsc-run %s --entry result_written --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=RESULT-WRITTEN
# RESULT-WRITTEN: modified by an inplace operation
# RUN: %all_modes --status 1 tsc-run %s --entry no_leaf --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=NO-LEAF
# NO-LEAF: One of the differentiated Tensors does not require grad
# RUN: %all_modes --status 1 tsc-run %s --entry nothing_taped --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=NOTHING-TAPED
# NOTHING-TAPED: element 0 of tensors does not require grad
# RUN: %all_modes tsc-run %s --entry leaf_in_branch --args 'torch.tensor([1., 2., 3.]), True' | FileCheck %s --check-prefix=TAKEN
# TAKEN: tensor([2., 4., 6.])
# RUN: %all_modes --status 1 tsc-run %s --entry leaf_in_branch --args 'torch.tensor([1., 2., 3.]), False' | FileCheck %s --check-prefix=UNTAKEN
# UNTAKEN: element 0 of tensors does not require grad
# RUN: %all_modes tsc-run %s --entry weighted --args 'torch.tensor([1., 2., 3.]), torch.tensor([1., 0., 2.])' | FileCheck %s --check-prefix=WEIGHTED
# WEIGHTED: tensor([2., 0., 4.])
# RUN: %all_modes --status 1 tsc-run %s --entry weighted --args 'torch.tensor([1., 2., 3.]), torch.ones(1)' | FileCheck %s --check-prefix=MISFIT
# MISFIT: Mismatch in shape: grad_output[0] has a shape of torch.Size([1]) and output[0] has a shape of torch.Size([3])
# RUN: %all_modes tsc-run %s --entry second --args 'torch.tensor([1., 2.]), 4' | FileCheck %s --check-prefix=SECOND
# SECOND: (tensor([  27.5415, 1501.5000]), tensor([  136.8947, 13080.6250]))
# RUN: %all_modes tsc-run %s --entry written_transposed --args 'torch.arange(6.).reshape(3, 2) * 0.3' | FileCheck %s --check-prefix=TRANSPOSED
# TRANSPOSED: 0.0000,  2.9646],
# TRANSPOSED-NEXT: [17.7120,  2.5920],
# TRANSPOSED-NEXT: [39.0755, 12.1411]])
import torch
from typing import List, Optional
from torch import Tensor

def without_grad(x: Tensor):
    x = x.detach().requires_grad_()
    with torch.no_grad():
        y = x * 3
    z = (x * 2 * y).sum()
    return torch.autograd.grad([z], [x])[0]

def switched(x: Tensor):
    x = x.detach().requires_grad_()
    before = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    y = x * 3
    torch.set_grad_enabled(before)
    z = (x * y).sum()
    return torch.autograd.grad([z], [x])[0]

def no_longer(x: Tensor):
    x = x.detach().requires_grad_()
    y = x * 2
    x.requires_grad_(False)
    z = x * 5
    return (y + z).requires_grad

def cut_off(x: Tensor):
    x = x.detach().requires_grad_()
    y = x * 2
    y.detach_()
    z = (x * y).sum()
    return torch.autograd.grad([z], [x])[0]

def read_before(x: Tensor):
    x = x.detach()
    y = x * 2
    x.requires_grad_()
    z = (x * y).sum()
    return torch.autograd.grad([z], [x])[0]

def both_of_chain(x: Tensor):
    x = x.detach().requires_grad_()
    h = x * 3
    y = (h * h * x).sum()
    g = torch.autograd.grad([y], [h, x])
    return g[0], g[1]

def equal_operands(x: Tensor):
    x = x.detach().requires_grad_()
    h = x * 3
    k = x * 3
    return torch.autograd.grad([(h * k).sum()], [h])[0]

def two_leaves(p: Tensor):
    a = p.detach().requires_grad_()
    b = p.detach().requires_grad_()
    return torch.autograd.grad([(a * a * b).sum()], [a])[0]

def product(a: Tensor, b: Tensor):
    a.requires_grad_()
    return torch.autograd.grad([(a * b).sum()], [a])[0]

def one_tensor_twice(x: Tensor):
    return product(x, x)

def leaf_by_expansion(p: Tensor):
    d = p * 2
    x = d.expand(3).requires_grad_()
    z = (d * x).sum()
    return torch.autograd.grad([z], [x])[0], d.requires_grad

def written(x: Tensor):
    x = x.detach().requires_grad_()
    y = x * 2
    y += 1
    y.mul_(x)
    return torch.autograd.grad([y.sum()], [x])[0]

def mask(x: Tensor):
    x = x.detach().requires_grad_()
    m = torch.zeros_like(x)
    m[1:].fill_(2.)
    m[0] = 1.
    y = x * m
    return torch.autograd.grad([y.sum()], [x])[0]

def switch(x: Tensor):
    torch.set_grad_enabled(False)
    return x * 2

def switched_by_callee(x: Tensor):
    x = x.detach().requires_grad_()
    y = switch(x)
    torch.set_grad_enabled(True)
    return torch.autograd.grad([(x * y).sum()], [x])[0]

def same_dtype(x: Tensor):
    x = x.detach()
    y = x.to(torch.float)
    y.requires_grad_()
    return torch.autograd.grad([(x * y).sum()], [y])[0]

def same_layout(x: Tensor):
    x = x.detach()
    y = x.contiguous()
    y.requires_grad_()
    return torch.autograd.grad([(x * y).sum()], [y])[0]

def flags(x: Tensor):
    x = x.detach()
    a = x * 2
    x.requires_grad_()
    b = x * 2
    c = x[0]
    return a.requires_grad, b.requires_grad, c.requires_grad, torch.autograd.grad([b.sum() + c], [x])[0]

def captured_is_written(x: Tensor):
    x = x.detach().requires_grad_()
    y = torch.exp(x)
    z = y * 2
    y += 1
    return torch.autograd.grad([z.sum() + y.sum()], [x])[0]

def mask_written_later(x: Tensor):
    x = x.detach().requires_grad_()
    m = torch.zeros_like(x)
    m[1:].fill_(2.)
    y = x * m
    m[0] = 1.
    return torch.autograd.grad([y.sum()], [x])[0]

def mask_written_in_loop(x: Tensor):
    x = x.detach().requires_grad_()
    m = torch.zeros_like(x)
    y = x
    for i in range(3):
        y = y * m
        m[i].fill_(2.)
    return torch.autograd.grad([y.sum()], [x])[0]

def result_written(x: Tensor):
    x = x.detach().requires_grad_()
    y = torch.sigmoid(x)
    y.mul_(2)
    return torch.autograd.grad([y.sum()], [x])[0]

def no_leaf(x: Tensor):
    x = x.detach().requires_grad_()
    y = (x * x).sum()
    x.requires_grad_(False)
    return torch.autograd.grad([y], [x])[0]

def nothing_taped(x: Tensor):
    with torch.no_grad():
        x = x.detach().requires_grad_()
        y = (x * x).sum()
    return torch.autograd.grad([y], [x])[0]

def leaf_in_branch(x: Tensor, c: bool):
    x = x.detach()
    if c:
        x.requires_grad_()
    z = (x * x).sum()
    return torch.autograd.grad([z], [x])[0]

def weighted(x: Tensor, v: Tensor):
    x = x.detach().requires_grad_()
    y = x * 2
    w: List[Optional[Tensor]] = [v]
    return torch.autograd.grad([y], [x], w)[0]

def second(x: Tensor, n: int):
    x = x.detach().requires_grad_()
    v = x * 1
    for i in range(n):
        if i % 2 == 0:
            w = v * x
            v = w * 0.5 + v * w
        v = v * 0.5 + x
    first = torch.autograd.grad([(v * v).sum()], [x], create_graph=True)[0]
    assert first is not None
    return first.detach(), torch.autograd.grad([(first * x).sum()], [x])[0]

def written_transposed(x: Tensor):
    x = x.detach().requires_grad_()
    y = x.t() * 2  # lies as x does
    z = x.t().sin().transpose(0, 1) * 1
    y[0] *= 2
    y[:, 1].mul_(x[1, 0])
    z[1] = 3.
    return torch.autograd.grad([(y * y).sum() + (z * z).sum()], [x])[0]
