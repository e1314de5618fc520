# RUN: tsc-run %s --entry known --compile eager --args "torch.tensor([-float('inf'), -2., -0., 0., 3., float('inf')])" | FileCheck %s --check-prefix=KNOWN
# RUN: tsc-run %s --entry known -O0 --args "torch.tensor([-float('inf'), -2., -0., 0., 3., float('inf')])" | FileCheck %s --check-prefix=KNOWN
# RUN: tsc-run %s --entry changing --compile eager --args "torch.tensor([1., 4.])" | FileCheck %s --check-prefix=CHANGING
# RUN: tsc-run %s --entry known --compile eager --print-kernels loops --args "torch.tensor([2.])" | FileCheck %s --check-prefix=BODIES
# RUN: tsc-run %s --entry by_tensors --compile eager --args "torch.full([2], -float('inf'))" | FileCheck %s --check-prefix=TENSORS
# RUN: tsc-run %s --entry known_half --compile eager --args "torch.full([2], -float('inf')).half()" | FileCheck %s --check-prefix=HALF
# RUN: env XDG_CACHE_HOME=/dev/null tsc-run %s --entry cube --compile eager --print-kernels llvm --args 'torch.tensor([2.])' | FileCheck %s --check-prefix=CUBE
import torch
from typing import List

# What PyTorch gives (2.15; a root of -inf is NaN there, where C's pow is infinite). A number of few operations has a body
# of its own.
# KNOWN:      [tensor([inf, 4., 0., 0., 9., inf]),
# KNOWN-SAME: tensor([-inf, -8., -0.,  0., 27., inf]),
# KNOWN-SAME: tensor([0.0000, 0.2500,    inf,    inf, 0.1111, 0.0000]),
# KNOWN-SAME: tensor([-0.0000, -0.5000,    -inf,     inf,  0.3333,  0.0000]),
# KNOWN-SAME: tensor([   nan,    nan, -0.0000, 0.0000, 1.7321,    inf]),
# KNOWN-SAME: tensor([   nan,    nan,   -inf,    inf, 0.5774, 0.0000]),
# KNOWN-SAME: tensor([    inf,     nan,  0.0000,  0.0000, 15.5885,     inf])]
# BODIES-DAG: Aten_pow_Tensor_Scalar_is_2.Float
# BODIES-DAG: Aten_pow_Tensor_Scalar_is_m0p5.Float
# BODIES-DAG: Aten_pow_Tensor_Scalar.Float
def known(x):
    y = torch.minimum(x, x)
    return [y.pow(2), y.pow(3), y.pow(-2), y.pow(-1), y.pow(0.5), y.pow(-0.5), y.pow(2.5)]

# The exponent is a number of the call, and decides which body computes it.
# CHANGING: [tensor([ 2., 17.]), tensor([ 2., 33.]), tensor([2., 3.]), tensor([ 2., 65.]), tensor([ 2., 17.])]
def changing(x):
    out: List[torch.Tensor] = []
    for exponent in [2.0, 2.5, 0.5, 3.0, 2.0]:
        out.append(torch.relu(x).pow(exponent) + 1)
    return out

# Two products, and nothing of what other exponents take.
# CUBE-NOT:  {{fdiv|sqrt|call void %}}
# CUBE:      fmul
# CUBE-NEXT: fmul
# CUBE-NOT:  {{fdiv|sqrt|call void %}}
# CUBE:      ret void
def cube(x):
    return torch.relu(x).pow(3)

# Exponents that are tensors, and half types, take no roots.
# TENSORS: [tensor([inf, inf]), tensor([0., 0.]), tensor([-inf, -inf]), tensor([nan, nan])]
def by_tensors(x):
    y = torch.minimum(x, x)
    return [y.pow(torch.full([2], 0.5)), y.pow(torch.full([2], -2.5)), y.pow(torch.tensor(3.0)), y.pow(0.5)]

# HALF: [tensor([inf, inf], dtype=torch.float16), tensor([0., 0.], dtype=torch.float16), tensor([inf, inf], dtype=torch.float16)]
def known_half(x):
    y = torch.minimum(x, x)
    return [y.pow(0.5), y.pow(-0.5), y.pow(2)]
