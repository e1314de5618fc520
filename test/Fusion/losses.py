# RUN: tsc-run %s --entry squares --compile eager --explain --args 'torch.zeros([2, 3]), torch.ones([2, 3])' 2>&1 | FileCheck %s --check-prefix=SQUARES
# RUN: tsc-run %s --entry lines --compile eager --explain --args 'torch.zeros([2, 3]), torch.ones([3])' 2>&1 | FileCheck %s --check-prefix=LINES
# RUN: tsc-run %s --entry both --compile eager --explain --args 'torch.ones([2, 1]), torch.ones([3])' 2>&1 | FileCheck %s --check-prefix=BOTH
# RUN: %exits 1 tsc-run %s --entry squares --compile eager --args 'torch.zeros([2, 3]), torch.ones([2])' 2>&1 | FileCheck %s --check-prefix=UNEQUAL
# RUN: tsc-run %s --entry highest --compile eager --explain --args 'torch.tensor([[0.0, 0.0], [float("nan"), 1.0]])' 2>&1 | FileCheck %s --check-prefix=HIGHEST
# RUN: tsc-run %s --entry places --compile eager --explain --args 'torch.tensor([[2.0, 0.0], [3.0, 4.0]])' 2>&1 | FileCheck %s --check-prefix=PLACES
import torch
import torch.nn.functional as F

# torch.nn.functional broadcasts the operands of a loss into a list first. Views take its place, in one kernel with what
# makes them.
# SQUARES: fusion group: aten::sigmoid, aten::mul, tsc::expand_with, tsc::expand_with, aten::mse_loss, aten::sqrt
# SQUARES: 1 fusion groups; 0 operators beside them
# SQUARES: tensor(1.5000)
def squares(x, y):
    return torch.sqrt(F.mse_loss(torch.sigmoid(x), y * 2.0))

# LINES: fusion group: aten::relu, tsc::expand_with, tsc::expand_with, aten::l1_loss, aten::smooth_l1_loss, aten::add
# LINES: 1 fusion groups; 0 operators beside them
# LINES: tensor(1.5000)
def lines(x, y):
    return F.l1_loss(torch.relu(x), y) + F.smooth_l1_loss(torch.relu(x), y)

# Who reads one of the list alone needs its shape.
# BOTH: fusion group: aten::relu, aten::mul
# BOTH: (tensor({{\[\[}}2., 2., 2.],
# BOTH: [1., 1., 1.]]))
def both(x, y):
    a, b = torch.broadcast_tensors([x, y])
    return a + b, torch.relu(a) * 1.0

# UNEQUAL: error: RuntimeError: The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 1

# The largest along a dimension is folded where nobody asks for its place.
# HIGHEST: fusion group: aten::mul, aten::max, aten::sub, aten::exp, aten::sum, aten::div
# HIGHEST: 1 fusion groups; 0 operators beside them
# HIGHEST: tensor({{\[\[}}0.5000, 0.5000],
# HIGHEST:         [   nan,    nan]])
def highest(x):
    y = x * 0.5
    most, _ = y.max(-1, keepdim=True)
    e = torch.exp(y - most)
    return e / e.sum(-1, keepdim=True)

# PLACES: 1 operators beside them
# PLACES: (tensor([0., 8.]), tensor([0, 1]))
def places(x):
    y = torch.relu(x * 2.0)
    most, where = y.max(-1)
    return torch.relu(most * 2.0) - 8.0, where
