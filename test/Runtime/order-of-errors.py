# Of several errors the first one is raised, after all that the program does before it and before all that comes later,
# wherever fusion and loop-invariant code motion would compute the operators.
# RUN: %all_modes --status 1 tsc-run %s --entry before_print --args 'torch.ones([4])' | FileCheck --check-prefix=BEFORE %s
# RUN: %all_modes --status 1 tsc-run %s --entry after_print --args 'torch.ones([4])' | FileCheck --check-prefix=AFTER %s
# RUN: %all_modes --status 1 tsc-run %s --entry after_random --args 'torch.ones([4])' | FileCheck --check-prefix=RANDOM %s
# RUN: %all_modes --status 1 tsc-run %s --entry in_loop --args 'torch.ones([4]), 3' | FileCheck --check-prefix=LOOP %s
# RUN: %all_modes --status 1 tsc-run %s --entry products --args 'torch.ones([4, 4])' | FileCheck --check-prefix=PRODUCTS %s
# RUN: %all_modes --status 1 tsc-run %s --entry unused_after_write --args 'torch.ones([4])' | FileCheck --check-prefix=UNUSED %s
# RUN: %all_modes --status 1 tsc-run %s --entry draws_and_writes --args 'torch.full([2], -1.0)' | FileCheck --check-prefix=DRAWS %s
import torch
from torch import Tensor


# BEFORE-NOT: seen
# BEFORE: error: RuntimeError: The size of tensor a (4) must match the size of tensor b (3)
def before_print(x: Tensor) -> Tensor:
    y = x + torch.ones(3)
    print("seen")
    z = x.view(3)
    return y * 2 + z


# AFTER: {{^}}seen{{$}}
# AFTER: error: RuntimeError: shape '[3]' is invalid for input of size 4
def after_print(x: Tensor) -> Tensor:
    print("seen")
    y = x * 2
    z = x.view(3)
    w = y + torch.ones(3)
    return w.sigmoid() + z.sum()


# RANDOM: error: RuntimeError: shape '[3]' is invalid for input of size 4
def after_random(x: Tensor) -> Tensor:
    y = x * torch.rand([4])
    z = x.view(3)
    w = y + torch.ones(3)
    return w.sigmoid() + z.sum()


# LOOP: {{^}}seen{{$}}
# LOOP: error: RuntimeError: shape '[3]' is invalid for input of size 4
def in_loop(x: Tensor, n: int) -> Tensor:
    print("seen")
    for i in range(n):
        x = x.view(3 + i) * 2
        x = x + torch.mm(torch.ones(2, 3), torch.ones(2, 3)).sum()
    return x


# PRODUCTS: {{^}}seen{{$}}
# PRODUCTS: error: RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x4 and 2x4)
def products(x: Tensor) -> Tensor:
    print("seen")
    y = x.sigmoid() * 2
    a = torch.mm(x, torch.ones(2, 4))
    b = torch.mm(x, torch.ones(3, 4))
    return torch.tanh(y + torch.ones(3)) + a + b


# The size of a result is used, and the result is not.
# UNUSED: error: RuntimeError: The size of tensor a (4) must match the size of tensor b (3)
# UNUSED: smaller = torch.where
def unused_after_write(x: Tensor) -> Tensor:
    x.clamp_(-1.0, 1.0)
    smaller = torch.where(x > 0, x, x) < torch.zeros(3)
    assert smaller.dim() < 9
    return torch.where(x > 0, x, torch.zeros(2))


# The call cannot be repeated: it would take the other branch.
# DRAWS: error: builtins.RuntimeError: late
def draws_and_writes(x: Tensor) -> int:
    if bool(x.sum() > 0):
        raise ValueError("early")
    x.uniform_()
    raise RuntimeError("late")
