# RUN: tsc-run %s --entry scaled --compile eager --print-kernels loops --args 'torch.ones([4, 300])' | FileCheck %s --check-prefix=SCALED
# RUN: tsc-run %s --entry normed --compile eager --print-kernels loops --args 'torch.ones([4, 300]), torch.ones([300])' | FileCheck %s --check-prefix=NORMED
# RUN: tsc-run %s --entry error --compile eager --print-kernels loops --args 'torch.ones([40, 30]), torch.zeros([40, 30])' | FileCheck %s --check-prefix=ERROR
# RUN: tsc-run %s --compile eager | FileCheck %s
import torch
from typing import List

# A row is walked three times: for its maximum, for the sum, for the quotients.
# SCALED:      kernel(%0 : Float contiguous) -> (%1 : Float contiguous)
# SCALED:        row:
# SCALED-NEXT:     fold max(
# SCALED-NEXT:     fold sum(
# SCALED:        element:
# SCALED:          Aten_exp
# SCALED:          store
# SCALED-NOT:  kernel(
def scaled(x):
    return torch.softmax(x * 0.125, -1)

# NORMED:        row:
# NORMED:          fold mean(
# NORMED:          fold mean(
# NORMED:          Aten_rsqrt
# NORMED:        element:
def normed(x, w):
    return torch.relu(torch.layer_norm(x, [300], w, None, 1e-5, False) * 2)

# All elements are one row, and the result is stored once.
# ERROR: kernel(%0 : Float contiguous, %1 : Float contiguous) -> (%2 : Float single)
# ERROR:   fold mean(
def error(x, y):
    return torch.mse_loss(x + 1, y * 2)

# The bits of the kernels that run the operators one by one: here nothing stands before or behind, so that no group is made.
def alone(x, w):
    return torch.softmax(x, -1), torch.log_softmax(x, -1), torch.layer_norm(x, [x.size(-1)], w, None, 1e-5, False), x.sum(-1), x.amax(-1)

def fused(x, w):
    y = x * 1
    return torch.softmax(y, -1), torch.log_softmax(y, -1), torch.layer_norm(y, [x.size(-1)], w, None, 1e-5, False), y.sum(-1), y.amax(-1)

# CHECK: equal
def main():
    torch.manual_seed(1)
    for n in [1, 15, 16, 257, 1000]:
        for dtype in [torch.float, torch.double, torch.half]:
            x = torch.randn([7, n]).to(dtype)
            w = torch.randn([n]).to(dtype)
            for call in range(3):
                a0, a1, a2, a3, a4 = alone(x, w)
                b0, b1, b2, b3, b4 = fused(x, w)
                assert torch.equal(a0, b0) and torch.equal(a1, b1) and torch.equal(a2, b2)
                assert torch.equal(a3, b3) and torch.equal(a4, b4)
    print("equal")
