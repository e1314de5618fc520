# RUN: tsc-run %s --entry rows --compile eager --print-kernels loops --args 'torch.ones([2, 3, 4])' | FileCheck %s --check-prefix=ROWS
# RUN: tsc-run %s --entry biased --compile eager --print-kernels loops --args 'torch.ones([2, 3, 4]), torch.arange(3.0)' | FileCheck %s --check-prefix=BIASED
# RUN: tsc-run %s --entry turned --compile eager --print-kernels loops --args 'torch.arange(8.0).reshape(1, 8), torch.full([8], 2.0), torch.ones([8])' | FileCheck %s --check-prefix=TURNED
# RUN: tsc-run %s --entry centered --compile eager --print-kernels loops --args 'torch.arange(12.0).reshape(2, 6)' | FileCheck %s --check-prefix=CENTERED
# RUN: tsc-run %s --entry scaled --compile eager --print-kernels loops --args 'torch.arange(6.0).reshape(1, 3, 2), torch.tensor([1.0, 2.0, 4.0])' | FileCheck %s --check-prefix=SCALED
# RUN: tsc-run %s --entry transposed --compile eager --print-kernels loops --args 'torch.arange(6.0).reshape(2, 3)' | FileCheck %s --check-prefix=TRANSPOSED
# RUN: tsc-run %s --entry given --compile eager --args 'torch.ones([2, 3])' | FileCheck %s --check-prefix=GIVEN
# RUN: %exits 1 tsc-run %s --entry refused --compile eager --args 'torch.ones([2, 3])' 2>&1 | FileCheck %s --check-prefix=REFUSED
import torch

# The rows of a softmax are rows of what was flattened.
# ROWS:     kernel(%0 : Float contiguous) -> (%1 : Float contiguous)
# ROWS:     fold max
# ROWS:     fold sum
# ROWS:     Aten_relu
# ROWS-NOT: kernel(
# ROWS:     tensor({{\[\[}}0.0833, 0.0833,
def rows(x):
    return torch.relu(x).flatten(1).softmax(-1)

# What is read along rows has no place in the flat shape: all is computed in the other one.
# BIASED:         kernel(%0 : Float contiguous, %1 : Float repeated) -> (%2 : Float contiguous)
# BIASED-COUNT-1: store
# BIASED-NOT:     store
# BIASED:         tensor({{\[\[}}2., 2., 2., 2., 4., 4., 4., 4., 6., 6., 6., 6.],
def biased(x, b):
    return (x + b[:, None]).flatten(1) * 2.0

# Interleaved rotary embeddings: one loop over both halves, no concatenation.
# TURNED:         kernel({{.*}}) -> (%{{[0-9]+}} : Float contiguous, %{{[0-9]+}} : Float contiguous)
# TURNED-COUNT-6: load
# TURNED-NOT:     load
# TURNED-NOT:     kernel(
# TURNED:         tensor({{\[\[}}-1., 2., 1., 8., 3., 14., 5., 20.]])
def turned(x, cos, sin):
    return x * cos + torch.stack([-x[..., 1::2], x[..., ::2]], -1).flatten(-2) * sin

# Groups of a row, and rows again. The sizes are asked of the input.
# CENTERED:     kernel(%0 : Float contiguous) -> (%1 : Float contiguous)
# CENTERED:     fold mean
# CENTERED-NOT: kernel(
# CENTERED:     tensor({{\[\[}}-2., -0.,  2., -2., -0.,  2.],
def centered(x):
    groups = (x * 2.0).view(x.size(0), -1, 3)
    return torch.neg(groups.mean(-1, keepdim=True) - groups).reshape(x.shape)

# The elements of a fold that have no place in the flat shape are put into memory.
# SCALED:     Aten_mul
# SCALED:     kernel(
# SCALED:     fold sum
# SCALED-NOT: kernel(
# SCALED:     tensor({{\[\[}}0.0000, 0.0213, 0.0851, 0.1277, 0.3404, 0.4255]])
def scaled(x, s):
    y = (x * s[:, None]).flatten(1) + 0.0
    return y / y.sum(1, keepdim=True)

# A copy outside; here a walk in the order of the result.
# TRANSPOSED-COUNT-1: store
# TRANSPOSED-NOT:     store
# TRANSPOSED:         tensor([ 1.,  7.,  3.,  9.,  5., 11.])
def transposed(x):
    return (x * 2.0).t().reshape(-1) + 1.0

# A result that is a view of another one stays one.
# GIVEN:      tensor({{\[\[}}0., 2., 2.],
# GIVEN-NEXT: [2., 2., 2.]]), tensor([0., 2., 2., 2., 2., 2.]),
def given(x):
    y = torch.relu(x) * 2.0
    flat = y.flatten()
    z = torch.tanh(flat) + 1.0
    flat[0] = 0.0
    return y, flat, z

# REFUSED: error: RuntimeError: view size is not compatible
def refused(x):
    return (x * 2.0).t().view(-1) + 1.0
