# What PyTorch writes in Python: pooling with a number for all sizes, functions that flags or types select, gradient modes.

# RUN: tsc-run %s --entry pools --args 'torch.ones([1, 1, 4, 4])' | FileCheck --check-prefix=POOLS %s
# POOLS: ([1, 1, 2, 2], [1, 4, 2], [1, 1, 3, 4], [1, 1, 2, 2], [1, 4, 2], [1, 1, 2, 2], [1, 1, 2, 1], [1, 1, 2, 2], [1, 4, 9], [1, 1, 4, 4], [1, 1, 8, 8], [1, 1, 2, 2], [1, 1, 2, 3])

# RUN: not tsc-run %s --entry flag --args 'torch.ones([1, 1, 4, 4]), True' 2>&1 | FileCheck --check-prefix=FLAG %s
# FLAG: argument 'return_indices' decides on the type of the result: it has to be True or False

# RUN: tsc-run %s --entry distinct --args 'torch.tensor([3, 1, 1, 3])' | FileCheck --check-prefix=DISTINCT %s
# DISTINCT: (tensor([1, 3]), (tensor([1, 3]), tensor([2, 2])), (tensor([1, 3]), tensor([1, 0, 0, 1])), (tensor([1, 3]), tensor([1, 0, 0, 1]), tensor([2, 2])), tensor([3, 1, 3]), (tensor([3, 1, 3]), tensor([1, 2, 1])), tensor({{\[\[}}1, 3{{\]\]}}))

# RUN: tsc-run %s --entry norms --args 'torch.eye(2)' | FileCheck --check-prefix=NORMS %s
# NORMS: (tensor(1.4142), tensor(1.4142), tensor([1., 1.]), tensor([1., 1.]), tensor(2.), tensor(1.), tensor({{\[\[}}1.4142{{\]\]}}), tensor(2.), tensor({{\[\[}}1., 0.],
# NORMS-NEXT:         [0., 1.{{\]\]}}), tensor({{\[\[}}1., 0.],
# NORMS-NEXT:         [0., 1.{{\]\]}}), tensor({{\[\[}}1., 0.],
# NORMS-NEXT:         [0., 1.{{\]\]}}))

# RUN: tsc-run %s --entry modes --args 'torch.ones([2])' | FileCheck --check-prefix=MODES %s
# MODES: (tensor([0., 0.]), tensor([2., 2.]), False, tensor([2., 2.]))

# RUN: tsc-run %s --entry bags --args 'torch.tensor([0, 1, 2]), torch.arange(6.).view(3, 2)' | FileCheck --check-prefix=BAGS %s
# BAGS: (tensor({{\[\[}}1., 2.],
# BAGS-NEXT:         [4., 5.{{\]\]}}), tensor({{\[\[}}6., 9.{{\]\]}}))

# RUN: tsc-run %s --entry texts --args '"abc"' | FileCheck --check-prefix=TEXTS %s
# TEXTS: (True, True, True, '•á', -1.0, '1000000000000000.', '123456789012345680.')

import math
import torch
import torch.nn.functional as F

def pools(x: torch.Tensor):
    v = x[0]
    return (F.max_pool2d(x, 2).size(), F.max_pool1d(v, 2).size(), F.max_pool2d(x, [2, 1], stride=1).size(), F.max_pool2d(x, 2, return_indices=True)[1].size(),
            F.adaptive_max_pool1d(v, 2).size(), F.adaptive_max_pool2d(x, 2).size(), F.adaptive_max_pool2d(x, [2, 1], return_indices=True)[1].size(),
            F.lp_pool2d(x, 2.0, 2).size(), F.unfold(x, 2).size(), F.fold(F.unfold(x, 2), [4, 4], 2).size(),
            F.interpolate(x, size=8).size(), F.interpolate(x, scale_factor=0.5, mode='bilinear').size(), F.interpolate(x, size=[2, 3]).size())

def flag(x: torch.Tensor, b: bool):
    return F.max_pool2d(x, 2, return_indices=b)

def distinct(t: torch.Tensor):
    return (torch.unique(t), torch.unique(t, return_counts=True), torch.unique(t, True, True), torch.unique(t, return_inverse=True, return_counts=True),
            torch.unique_consecutive(t), torch.unique_consecutive(t, return_counts=True), torch.unique(t.view(1, -1), dim=1))

def norms(m: torch.Tensor):
    return (torch.norm(m), torch.norm(m, p='fro'), torch.norm(m, dim=0), torch.norm(m, 1, 1), torch.norm(m, p='nuc'), torch.norm(m, float('inf')),
            torch.norm(m, dim=[0, 1], keepdim=True), torch.tensordot(m, m, 2), torch.tensordot(m, m, dims=[[1], [1]]), torch.tensordot(m, m, dims=1), torch.tensordot(m, m, ([0], [0])))

def modes(x: torch.Tensor):
    with torch.no_grad():
        y = x * 2
        inner = torch.is_grad_enabled()
    torch.nn.init.zeros_(x)
    return x, y, inner, torch.nn.init.constant_(x.clone(), 2.)

def bags(t: torch.Tensor, m: torch.Tensor):
    return F.embedding_bag(t, m, torch.tensor([0, 2])), F.embedding_bag(t[None], m, mode='sum')

def texts(s: str):
    return 'a' in s, 'z' not in s, '' in s, '\N{BULLET}\N{Latin small letter a with acute}', math.remainder(5.0, 3.0), str(1e15), "{}".format(123456789012345680.0)
