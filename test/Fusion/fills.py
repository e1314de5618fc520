# RUN: tsc-run %s --entry cut --compile eager --print-kernels loops --args 'torch.tensor([1., 2., 4.])' | FileCheck %s --check-prefix=CUT
# RUN: tsc-run %s --entry special --compile eager --args "torch.tensor([[1., 2.]])" | FileCheck %s --check-prefix=SPECIAL
# RUN: tsc-run %s --entry special -O0 --args "torch.tensor([[1., 2.]])" | FileCheck %s --check-prefix=SPECIAL
# RUN: tsc-run %s --entry layouts --compile eager --explain --args 'torch.tensor([[1., 2.], [3., 4.]])' 2>&1 | FileCheck %s --check-prefix=LAYOUTS
# RUN: tsc-run %s --entry refused --compile eager --explain --args 'torch.tensor([1., 2., 4.]), 7.0' 2>&1 | FileCheck %s --check-prefix=REFUSED
# RUN: not tsc-run %s --entry overflow --compile eager --args 'torch.tensor([1, 2])' 2>&1 | FileCheck %s --check-prefix=OVERFLOW
import torch
from torch import Tensor

# The zeros are a number of the kernel, and what they have the shape of is not stored.
# CUT:     kernel(%0 : Float contiguous) -> (%1 : Float single)
# CUT:       = 0 : Float
# CUT:       Aten_where
# CUT-NOT: kernel(
# CUT:     tensor(
def cut(r):
    e = (1.0 / r).pow(3) * 4.0
    return torch.where(r < 3.0, e, torch.zeros_like(e)).sum()

# Numbers of all kinds and dtypes, converted as the operator does.
# SPECIAL: (tensor({{\[\[}}nan, nan]]), tensor({{\[\[}}-inf, -inf]]), tensor({{\[\[}}4., 5.]]), tensor({{\[\[}}1.0995e+12, 1.0995e+12]]), tensor({{\[\[}}True, True]]), [1, 33])
def special(x):
    y = x + 1
    z = torch.full_like(x.expand([33, 2]).t(), 2) * y.t()
    return (y * torch.full_like(y, float("nan")), y - torch.full_like(y, float("inf")), y + torch.full_like(y, 2.7, dtype=torch.int32),
            y + torch.full_like(y, 2**40, dtype=torch.int64), torch.ones_like(y, dtype=torch.bool) & (y > 0), z.t().stride())

# Layouts too.
# LAYOUTS: fusion group:
# LAYOUTS: 0 calls left to the plain nodes
# LAYOUTS: (tensor({{\[\[}}3., 5.],
# LAYOUTS: [2, 1], [1, 2])
def layouts(x):
    y = x * 2
    z = y + torch.ones_like(y.t(), memory_format=torch.contiguous_format).t()
    return z, (torch.ones_like(y.t(), memory_format=torch.contiguous_format) * 2).stride(), (torch.ones_like(y.t()) * 2).stride()

# A number that is not known when the group is made is left to the operator.
# REFUSED: fusion group: {{.*}}aten::mul
# REFUSED: 1 fusion groups; 1 operators beside them
# REFUSED: tensor([21., 28., 42.])
def refused(x: Tensor, v: float):
    y = x * 2 + 4
    return (y - 1 + 1) * torch.full_like(x, v) * 0.5

# OVERFLOW: error: {{.*}}value cannot be converted to type uint8_t without overflow
def overflow(x):
    return x * torch.full_like(x, 300, dtype=torch.uint8) + 1
