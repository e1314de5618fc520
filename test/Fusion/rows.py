# RUN: tsc-run %s --entry softmax --compile eager --print-kernels loops --args 'torch.ones([3, 8])' | FileCheck %s --check-prefix=SOFTMAX
# RUN: tsc-run %s --entry statistics --compile eager --print-kernels loops --args 'torch.ones([3, 8])' | FileCheck %s --check-prefix=STATISTICS
import torch

# Three walks over a row: its maximum, the sum of what is kept of the exponentials, their products with its inverse.
# SOFTMAX:      kernel(%0 : Float contiguous) -> (%1 : Float contiguous) keeping (%2 : Float contiguous)
# SOFTMAX:        row:
# SOFTMAX-NEXT:     %[[MAX:[0-9]+]] = fold max(%{{[0-9]+}})
# SOFTMAX-NEXT:     %[[SUM:[0-9]+]] = fold sum(%[[KEPT:[0-9]+]])
# SOFTMAX-NEXT:     %[[FACTOR:[0-9]+]] = Aten_reciprocal.Float(%[[SUM]])
# SOFTMAX:        element:
# SOFTMAX:          %[[EXP:[0-9]+]] = Aten_exp.Float
# SOFTMAX-NEXT:     %[[KEPT]] = keep %[[EXP]] in %2
# SOFTMAX-NEXT:     %{{[0-9]+}} = Aten_mul_Tensor.Float(%[[KEPT]], %[[FACTOR]])
# SOFTMAX:      0.1250
def softmax(x):
    return torch.softmax(x * 0.5, -1)

# A difference is computed anew in each walk: that is cheaper than memory.
# STATISTICS-NOT: keep
# STATISTICS:     fold mean
# STATISTICS:     fold mean
# STATISTICS-NOT: keep
# STATISTICS:     tensor
def statistics(x):
    d = x - x.mean(-1, keepdim=True)
    return d * torch.rsqrt((d * d).mean(-1, keepdim=True) + 1e-5)
