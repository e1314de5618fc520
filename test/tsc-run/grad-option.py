# RUN: %all_modes tsc-run %s --entry f --grad 0,1 --args 'torch.tensor([1., 2.]), torch.tensor(3.)' | FileCheck %s
# RUN: %all_modes tsc-run %s --entry pair --grad 0 --args 'torch.tensor([1., 2.]), 2' | FileCheck %s --check-prefix=PAIR
# RUN: tsc-run %s --entry f --grad 1 --bench 3 --args 'torch.tensor([1., 2.]), torch.tensor(3.)' | FileCheck %s --check-prefix=TIMES
# RUN: %exits 2 tsc-run %s --entry f --grad 2 --args 'torch.ones(2), torch.ones(2)' 2>&1 | FileCheck %s --check-prefix=MANY
# RUN: %exits 2 tsc-run %s --entry pair --grad 1 --args 'torch.ones(2), 2' 2>&1 | FileCheck %s --check-prefix=INT
# RUN: %exits 2 tsc-run %s --entry pair --grad x --args 'torch.ones(2), 2' 2>&1 | FileCheck %s --check-prefix=LIST
# RUN: %exits 2 tsc-run %s --entry text --grad 0 --args 'torch.ones(2)' 2>&1 | FileCheck %s --check-prefix=NONE
# RUN: %exits 2 tsc-run %s --entry several --grad 0 --args 'torch.ones(2)' 2>&1 | FileCheck %s --check-prefix=SEVERAL
# RUN: %exits 1 tsc-run %s --entry apart --grad 0 --args 'torch.ones(2)' 2>&1 | FileCheck %s --check-prefix=APART
import torch
from torch import Tensor
from typing import List, Tuple

# CHECK: [tensor([3., 3.]), tensor(3.)]
# TIMES: "median_us":
# MANY: error: there is no argument 2 to differentiate by: 'f' takes 2
def f(x: Tensor, y: Tensor) -> Tensor:
    return x * y

# The sum of both results.
# PAIR: [tensor([4., 6.])]
# INT: error: argument 1 of 'pair', 'n', is no tensor but int
# LIST: error: option '--grad' takes LIST, not 'x'
def pair(x: Tensor, n: int) -> Tuple[Tensor, Tuple[Tensor, int]]:
    return x * n, (x * x, n)

# NONE: error: 'text' returns no tensor to differentiate
def text(x: Tensor) -> str:
    return "x"

# SEVERAL: error: gradients of 'several', which returns List[Tensor]
def several(x: Tensor) -> List[Tensor]:
    return [x, x]

# APART: does not require grad
def apart(x: Tensor) -> Tensor:
    return torch.ones([2])
