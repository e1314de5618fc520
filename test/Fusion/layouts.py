# RUN: tsc-run %s --entry scores --compile eager --explain --args 'torch.zeros([1, 2, 3]), torch.arange(3.0)' 2>&1 | FileCheck %s --check-prefix=SCORES
# RUN: tsc-run %s --entry shuffled --compile eager --explain --args 'torch.arange(12.0).reshape(1, 4, 3)' 2>&1 | FileCheck %s --check-prefix=SHUFFLED
# RUN: tsc-run %s --entry same --compile eager --explain --args 'torch.ones([2, 2])' 2>&1 | FileCheck %s --check-prefix=SAME
# RUN: tsc-run %s --entry strides --compile eager --args 'torch.ones([2, 3])' 2>&1 | FileCheck %s --check-prefix=STRIDES
import torch

# Softmax lays out its result row by row, whatever its operand is.
# SCORES: 1 fusion groups; 0 operators beside them
# SCORES: tensor({{\[\[}}[0.5000, 0.5000],
def scores(x, bias):
    return torch.softmax((x + bias).transpose(1, 2) * 0.125, -1)

# SHUFFLED: 1 fusion groups; 0 operators beside them
# SHUFFLED: tensor({{\[\[\[}} 1.,  3.,  5.],
# SHUFFLED: [13., 15., 17.],
# SHUFFLED: [ 7.,  9., 11.],
def shuffled(x):
    y = torch.relu(x).view(-1, 2, 2, 3).transpose(1, 2).contiguous()
    return y.view(-1, 4, 3) * 2.0 + 1.0

# What may be the tensor itself is written through both names.
# SAME: (tensor({{\[\[}}5., 2.],
# SAME: tensor({{\[\[}}5., 2.],
# SAME: True)
def same(x):
    y = torch.relu(x) * 2.0
    z = y.contiguous()
    w = torch.tanh(z) + 1.0
    z[0, 0] = 5.0
    return y, z, bool((w > 1.5).all())

# STRIDES: ([1, 3], [2, 1])
def strides(x):
    y = torch.relu(x.t()) * 2.0
    return y.stride(), (y.contiguous() * 2.0).stride()
