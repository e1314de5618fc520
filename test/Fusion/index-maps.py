# RUN: tsc-run %s --entry gates --compile eager --print-kernels loops --args 'torch.ones([2, 12]), torch.ones([2, 3])' | FileCheck %s --check-prefix=GATES
# RUN: tsc-run %s --entry boxes --compile eager --print-kernels loops --args 'torch.ones([8, 4])' | FileCheck %s --check-prefix=BOXES
# RUN: tsc-run %s --entry joined --compile eager --print-kernels loops --args 'torch.ones([2, 3]), torch.ones([2, 5])' | FileCheck %s --check-prefix=JOINED
# RUN: tsc-run %s --entry turned --compile eager --print-kernels loops --args 'torch.arange(8.0).reshape(1, 8), torch.full([8], 2.0), torch.ones([8])' | FileCheck %s --check-prefix=TURNED
# RUN: tsc-run %s --entry uneven --compile eager --print-kernels loops --args 'torch.ones([2, 3]), torch.ones([2, 5])' | FileCheck %s --check-prefix=UNEVEN
# RUN: tsc-run %s --entry refolded --compile eager --print-kernels loops --args 'torch.ones([2, 3]), torch.ones([2, 1])' | FileCheck %s --check-prefix=REFOLDED
import torch

# Pieces of a sum are sums of pieces: four operands of one tensor, and one loop for both results.
# GATES:         kernel(%0 : Float contiguous, %1 : Float contiguous, %2 : Float contiguous, %3 : Float contiguous, %5 : Float contiguous)
# GATES-SAME:    -> (%4 : Float contiguous, %6 : Float contiguous)
# GATES-COUNT-2: store
# GATES-NOT:     kernel(
def gates(x, c):
    i, f, g, o = (x + 1).chunk(4, 1)
    cy = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cy), cy

# Columns of every row are packed before; those of one row each are read once a row.
# BOXES: kernel({{.*}}Float repeated{{.*}}Float contiguous{{.*}}) -> (%{{[0-9]+}} : Float contiguous)
def boxes(b):
    x0, y0, x1, y1 = b.unbind(1)
    return (torch.min(x1.unsqueeze(1), x1) - torch.max(x0.unsqueeze(1), x0)) * (y1 - y0)

# Each piece goes straight to its place; two shapes are two walks with the same code.
# JOINED:     kernel(
# JOINED-NOT: kernel(
# JOINED:     tensor({{\[\[}}3., 3., 3., 3., 3., 3., 3., 3.],
def joined(x, y):
    return torch.cat([x * 2 + 1, y * 2 + 1], 1)

# What reads a concatenation is computed in parts, which read the pieces: one loop stores both halves and reads each
# element once.
# TURNED:         kernel({{.*}}) -> (%{{[0-9]+}} : Float contiguous, %{{[0-9]+}} : Float contiguous)
# TURNED-COUNT-6: load
# TURNED-NOT:     load
# TURNED-NOT:     kernel(
# TURNED:         tensor({{\[\[}}-4., -3., -2., -1., 8., 11., 14., 17.]])
def turned(x, cos, sin):
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat([-second, first], -1) * sin

# Parts end where the pieces of any of the concatenations do.
# UNEVEN-COUNT-3: store
# UNEVEN-NOT:     store
# UNEVEN:         tensor({{\[\[}}5., 5., 5., 4., 4., 3., 3., 3.],
def uneven(x, y):
    return torch.cat([x * 3, y * 2], 1) + torch.cat([y * 2, x], 1)

# Reductions read the concatenation from memory.
# REFOLDED:     Aten_mul
# REFOLDED:     kernel(
# REFOLDED:     Aten_add
# REFOLDED:     kernel(
# REFOLDED:     fold mean
# REFOLDED-NOT: kernel(
# REFOLDED:     tensor([3.2500, 3.2500])
def refolded(x, y):
    return torch.relu(torch.cat([x * 2, y + 6], 1)).mean(1)
