# RUN: tsc-run %s --entry broadcast --compile eager --explain --args 'torch.ones([2, 1]), torch.ones([3])' 2>&1 | FileCheck %s --check-prefix=BROADCAST
# RUN: tsc-run %s --entry summed --compile eager --explain --args 'torch.ones([4, 3])' 2>&1 | FileCheck %s --check-prefix=SUMMED
# RUN: tsc-run %s --entry turned --compile eager --explain --args 'torch.arange(24.0).reshape(2, 3, 4)' 2>&1 | FileCheck %s --check-prefix=TURNED
# RUN: tsc-run %s --entry known --compile eager --explain --args 'torch.ones([2, 1]), torch.ones([3])' 2>&1 | FileCheck %s --check-prefix=KNOWN
import torch

# Questions for the sizes of what a group computes are part of it.
# BROADCAST: fusion group: aten::mul, aten::add, aten::relu, aten::size, aten::div (sizes.py
# BROADCAST: 1 fusion groups; 0 operators beside them
# BROADCAST: tensor({{\[\[}}2., 2., 2.],
def broadcast(x, y):
    a = x * y
    return torch.relu(a + 5.0) / a.size(1)

# SUMMED: 1 fusion groups; 0 operators beside them
# SUMMED: tensor([1., 1., 1.])
def summed(x):
    s = torch.relu(x).sum(0)
    return s / (s.size(0) + 1)

# TURNED: 1 fusion groups; 0 operators beside them
# TURNED: tensor({{\[\[}} 1.,  9., 17., 25., 33., 41.],
def turned(x):
    a = torch.relu(x * 2.0).permute(2, 0, 1)
    return a.reshape(a.size(0), -1) + 1.0

# Somebody else asks, too: the group gives the tensor, and the number is computed behind it once more.
# KNOWN: 1 fusion groups; 1 operators beside them
# KNOWN: (tensor({{\[\[}}2., 2., 2.],
# KNOWN: 3)
def known(x, y):
    a = x * y
    n = a.size(1)
    return torch.relu(a + 5.0) / n, n
