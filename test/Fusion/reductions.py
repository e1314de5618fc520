# RUN: tsc-run %s --entry scaled --compile eager --print-kernels loops --args 'torch.ones([4, 300])' | FileCheck %s --check-prefix=SCALED
# RUN: tsc-run %s --entry normed --compile eager --print-kernels loops --args 'torch.ones([4, 300]), torch.ones([300])' | FileCheck %s --check-prefix=NORMED
# RUN: tsc-run %s --entry error --compile eager --print-kernels loops --args 'torch.ones([40, 30]), torch.zeros([40, 30])' | FileCheck %s --check-prefix=ERROR
# RUN: env XDG_CACHE_HOME=/dev/null tsc-run %s --entry columns --compile eager --print-kernels loops --args 'torch.ones([1100, 40]), torch.ones([40])' | FileCheck %s --check-prefix=COLUMNS
# RUN: env XDG_CACHE_HOME=/dev/null tsc-run %s --entry channels --compile eager --print-kernels loops --args 'torch.ones([3, 4, 5, 6])' | FileCheck %s --check-prefix=CHANNELS
# RUN: env XDG_CACHE_HOME=/dev/null tsc-run %s --entry unlike --compile eager --print-kernels loops --args 'torch.ones([30, 40])' | FileCheck %s --check-prefix=UNLIKE
# RUN: tsc-run %s --entry spread --compile eager --print-kernels loops --args 'torch.ones([30, 40])' | FileCheck %s --check-prefix=SPREAD
# RUN: tsc-run %s --entry evaluated --compile eager --print-kernels loops --args 'torch.ones([3, 4, 5, 6]), torch.ones([4]), torch.ones([4])' | FileCheck %s --check-prefix=EVALUATED
# RUN: env XDG_CACHE_HOME=/dev/null tsc-run %s --entry grouped --compile eager --print-kernels loops --args 'torch.ones([3, 4, 5, 6]), torch.ones([4])' | FileCheck %s --check-prefix=GROUPED
# RUN: env XDG_CACHE_HOME=/dev/null tsc-run %s --entry crossed --compile eager --print-kernels loops --args 'torch.ones([300, 400]), torch.ones([400, 300])' | FileCheck %s --check-prefix=CROSSED
# RUN: tsc-run %s --entry normed_by_size --compile eager --print-kernels loops --args 'torch.ones([4, 300]), torch.ones([300])' | FileCheck %s --check-prefix=NORMED
# RUN: env XDG_CACHE_HOME=/dev/null tsc-run %s --entry batch --compile eager --print-kernels loops --args 'torch.ones([3, 4, 5, 6]), torch.ones([4])' | FileCheck %s --check-prefix=BATCH
# RUN: tsc-run %s --entry logits --compile eager --print-kernels loops --args 'torch.ones([40]), torch.ones([40]), torch.ones([40])' | FileCheck %s --check-prefix=LOGITS
# RUN: tsc-run %s --entry logits --compile eager --args 'torch.ones([40]), torch.ones([40]), torch.ones([40], dtype=torch.float64)' | FileCheck %s --check-prefix=WIDE
# RUN: tsc-run %s --entry distances --compile eager --print-kernels loops --args 'torch.ones([80, 3]), torch.ones([90, 3])' | FileCheck %s --check-prefix=DISTANCES
# RUN: tsc-run %s --entry balanced --compile eager --args 'torch.arange(16.0).reshape([1, 4, 4]).expand([100, 4, 4])' | FileCheck %s --check-prefix=BALANCED
# RUN: tsc-run %s --compile eager | FileCheck %s
# RUN: tsc-run %s --compile eager --threads 2 | FileCheck %s
# Without a cache on disk, kernels are printed in the order in which they run.
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

def normed_by_size(x, w):
    return torch.relu(torch.layer_norm(x, [x.size(-1)], w, None, 1e-5, False) * 2)

# No order of the dimensions makes one run of both operands: the products are stored, then folded.
# CROSSED:       kernel(%0 : Float contiguous, %1 : Float contiguous) -> (%2 : Float contiguous){{$}}
# CROSSED:       kernel(%0 : Float contiguous) -> (%1 : Float contiguous) folding blocks
def crossed(x, y):
    return (x * y.t()).sum()

# All elements are one row, and the result is stored once.
# ERROR: kernel(%0 : Float contiguous, %1 : Float contiguous) -> (%2 : Float single)
# ERROR:   fold mean(
def error(x, y):
    return torch.mse_loss(x + 1, y * 2)

# Losses of several steps are one kernel; their dtype is that of the operands, not of the weights.
# LOGITS:     kernel({{.*}}) -> (%3 : Float single)
# LOGITS:       fold mean(
# LOGITS:       Aten_log_sigmoid
# LOGITS-NOT: kernel(
# LOGITS:     (tensor(0.1269), 6)
# WIDE:       (tensor(0.1269), 6)
def logits(x, t, w):
    loss = torch.binary_cross_entropy_with_logits(x * 2, t, w, w, 1)
    return loss, loss.dtype

# A few elements are folded where their result is needed, and columns that all rows read are packed first.
# DISTANCES:     kernel({{.*}}) -> (%{{[0-9]+}} : Float contiguous)
# DISTANCES:       = sum(
# DISTANCES:       = sum(
# DISTANCES:       Aten_sqrt
# DISTANCES-NOT: kernel(
# DISTANCES:     tensor(
def distances(a, b):
    return (a.unsqueeze(1) - b.unsqueeze(0)).pow(2).sum(-1).sqrt()

# Short folds of what short folds were taken of are not all computed anew for each element.
# BALANCED: tensor(25.)
def balanced(x):
    x = x + 1
    x = x / x.sum(-1, True)
    x = x / x.sum(-2, True)
    x = x / x.sum(-1, True)
    x = x / x.sum(-2, True)
    x = x / x.sum(-1, True)
    x = x / x.sum(-2, True)
    x = x / x.sum(-1, True)
    x = x / x.sum(-2, True)
    x = x / x.sum(-1, True)
    x = x / x.sum(-2, True)
    return x.sum() / 16

# A block of 1024 rows at a time, side by side; what reads the sums runs after.
# COLUMNS:       kernel(%0 : Float contiguous, %1 : Float contiguous) -> (%2 : Float contiguous) folding columns
# COLUMNS:         fold sum(%{{.*}}) -> %2
# COLUMNS:         Aten_mul
# COLUMNS:       kernel(%0 : Float contiguous) -> (%1 : Float contiguous)
# COLUMNS:         Aten_sqrt
# COLUMNS-NOT:   kernel(
def columns(x, w):
    return torch.sqrt((x * w).sum(0))

# Statistics of a channel: rows that go on from one sample to the next, their mean, then what is left of it.
# CHANNELS:      kernel(%0 : Float contiguous) -> (%1 : Float contiguous) folding blocks
# CHANNELS:      kernel(%0 : Float contiguous, %1 : Float single) -> (%2 : Float contiguous) folding blocks
# CHANNELS:      kernel(%0 : Float contiguous, %1 : Float repeated, %2 : Float repeated) -> (%3 : Float contiguous)
# CHANNELS-NOT:  kernel(
def channels(x):
    d = x - x.mean([0, 2, 3], keepdim=True)
    return d / (d * d).mean([0, 2, 3], keepdim=True)

# Folds of other shapes than the rows' own.
# UNLIKE:        folding columns
# UNLIKE:        fold max(
# UNLIKE-NOT:    kernel(
def unlike(x):
    y = x * 2
    return (y - y.amax(1, keepdim=True)) / y.sum(0)

# The divisor is a number of the call: other sizes are the same kernel.
# SPREAD:      once:
# SPREAD:        = number 0 : Float
# SPREAD:        fold mean(
# SPREAD:        fold sum(
# SPREAD:        Aten_div
# SPREAD:        Aten_sqrt
def spread(x):
    return torch.std(x * 2, [1])

# In evaluation there are no statistics to take: one walk.
# EVALUATED:     kernel(%0 : Float contiguous, %1 : Float repeated, %2 : Float repeated) -> (%3 : Float contiguous)
# EVALUATED:       Aten_rsqrt
# EVALUATED:       Aten_relu
# EVALUATED-NOT: kernel(
def evaluated(x, m, w):
    return torch.relu(torch.batch_norm(x, w, None, m, m, False, 0.1, 1e-5, False))

# Statistics of the channels, then all of the rest in one walk.
# BATCH:         folding blocks
# BATCH:         folding blocks
# BATCH:       kernel(
# BATCH:         Aten_rsqrt
# BATCH:         Aten_relu
# BATCH-NOT:   kernel(
def batch(x, w):
    return torch.relu(torch.batch_norm(x, w, None, None, None, True, 0.1, 1e-5, False))

# Groups of channels are a dimension of all that is computed, also of what reads the result.
# GROUPED:       folding blocks
# GROUPED:       folding blocks
# GROUPED:     kernel(%0 : Float contiguous, %1 : Float repeated, %2 : Float repeated, %3 : Float repeated) -> (%4 : Float contiguous)
# GROUPED:       Aten_rsqrt
# GROUPED:       Aten_add_Tensor
# GROUPED:       Aten_relu
# GROUPED-NOT: kernel(
def grouped(x, w):
    return torch.relu(torch.group_norm(x, 2, w) + x)

# The bits of the kernels that run the operators one by one: here nothing stands before or behind, so that no group is made.
def alone(x, w):
    m = x.mean([0, 2], keepdim=True)
    return (torch.softmax(x, -1), torch.log_softmax(x, -1), torch.layer_norm(x, [x.size(-1)], w, None, 1e-5, False), x.sum(-1), x.amax(-1),
            x.sum(0), x.amin(1), m, x - m, x.sum())

def fused(x, w):
    y = x * 1
    m = y.mean([0, 2], keepdim=True)
    return (torch.softmax(y, -1), torch.log_softmax(y, -1), torch.layer_norm(y, [x.size(-1)], w, None, 1e-5, False), y.sum(-1), y.amax(-1),
            y.sum(0), y.amin(1), m, y - m, y.sum())

def statistics_alone(x, w, c):
    return (torch.var(x, [0, 2], False), torch.std(x), torch.logsumexp(x, [1]), torch.norm(x, 2, [2], True), torch.norm(x, 1),
            torch.batch_norm(x, c, c, c, c, False, 0.1, 1e-5, False), torch.batch_norm(x, None, c, None, None, True, 0.1, 1e-5, False),
            torch.group_norm(x, 3, c, c), torch.group_norm(x, 1), torch.relu(torch.group_norm(x, 1, c) + x))

def statistics_fused(x, w, c):
    y = x * 1
    return (torch.var(y, [0, 2], False), torch.std(y), torch.logsumexp(y, [1]), torch.norm(y, 2, [2], True), torch.norm(y, 1),
            torch.batch_norm(y, c, c, c, c, False, 0.1, 1e-5, False), torch.batch_norm(y, None, c, None, None, True, 0.1, 1e-5, False),
            torch.group_norm(y, 3, c, c), torch.group_norm(y, 1), torch.relu(torch.group_norm(y, 1, c) + y))

# Two vectors' extrema are found side by side. Which zero is returned shows in 1 / it.
def extrema(x):
    return torch.stack([x.amax(-1), x.amin(-1)])

def moved_extrema(x):
    y = x * 1
    return torch.stack([y.amax(-1), y.amin(-1)])

def check_extrema():
    for n in [33, 64, 70]:
        x = torch.zeros([8, n])
        x[0, 1::2] = -0.0
        x[1, :20] = -0.0
        x[2, 5] = float('nan')
        x[3, 20] = float('nan')
        x[4, n - 1] = float('nan')
        x[5] = float('inf')
        x[6] = -float('inf')
        x[7] = torch.randn([n])
        for call in range(3):
            a, b = extrema(x), moved_extrema(x)
            assert torch.equal(torch.isnan(a), torch.isnan(b))
            assert torch.equal(torch.nan_to_num(1 / a), torch.nan_to_num(1 / b))
            whole = (x * 100).nan_to_num().to(torch.int)
            assert torch.equal(extrema(whole), moved_extrema(whole))

# CHECK: equal
def main():
    torch.manual_seed(1)
    check_extrema()
    for n in [1, 15, 16, 257, 1025, 3000]:
        for dtype in [torch.float, torch.double, torch.half]:
            x = torch.randn([1100 if n < 20 else 70, 3, n]).to(dtype)
            w = torch.randn([n]).to(dtype)
            c = torch.rand([3]).to(dtype)
            for call in range(3):
                s0, s1, s2, s3, s4, s5, s6, s7, s8, s9 = statistics_alone(x, w, c)
                t0, t1, t2, t3, t4, t5, t6, t7, t8, t9 = statistics_fused(x, w, c)
                assert torch.equal(s0, t0) and torch.equal(s1, t1) and torch.equal(s2, t2) and torch.equal(s3, t3)
                assert torch.equal(s4, t4) and torch.equal(s5, t5) and torch.equal(s6, t6)
                assert torch.equal(s7, t7) and torch.equal(s8, t8) and torch.equal(s9, t9)
                a0, a1, a2, a3, a4, a5, a6, a7, a8, a9 = alone(x, w)
                b0, b1, b2, b3, b4, b5, b6, b7, b8, b9 = fused(x, w)
                assert torch.equal(a0, b0) and torch.equal(a1, b1) and torch.equal(a2, b2)
                assert torch.equal(a3, b3) and torch.equal(a4, b4) and torch.equal(a5, b5)
                assert torch.equal(a6, b6) and torch.equal(a7, b7) and torch.equal(a8, b8) and torch.equal(a9, b9)
    print("equal")
