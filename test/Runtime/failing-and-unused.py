# What a program as written does not use is left out at every level, and does not fail; what it uses raises what it
# raises, also where an optimizer finds out that the value does not matter.
# RUN: %all_modes tsc-run %s --entry unused --args "torch.ones([4]), {'a': 1}, [1, 2], 'abc'" | FileCheck --check-prefix=UNUSED %s
# RUN: %all_modes --status 1 tsc-run %s --entry used_by_callee --args 'torch.ones([4])' | FileCheck --check-prefix=CALLEE %s
# RUN: %all_modes --status 1 tsc-run %s --entry used_in_list --args 'torch.ones([4])' | FileCheck --check-prefix=LIST %s
# RUN: %all_modes --status 1 tsc-run %s --entry used_in_branch --args 'torch.ones([4])' | FileCheck --check-prefix=BRANCH %s
# RUN: %all_modes --status 1 tsc-run %s --entry used_in_loop --args 'torch.ones([4])' | FileCheck --check-prefix=LOOP %s
# RUN: %all_modes --status 1 tsc-run %s --entry written --args 'torch.ones([4])' | FileCheck --check-prefix=WRITTEN %s
# RUN: %all_modes --status 1 tsc-run %s --entry used_by_size_in_group --args 'torch.ones([4])' | FileCheck --check-prefix=GROUP %s
import torch
from torch import Tensor
from typing import Dict, List


# UNUSED: {{^}}1{{$}}
def unused(x: Tensor, d: Dict[str, int], l: List[int], s: str) -> int:
    y = x.view(3)
    z = torch.mm(y, x)
    d["k"]
    l[5]
    int(s)
    if x.dim() == 1:
        y = x.view(7)
    return 1


def reshaped(x: Tensor) -> Tensor:
    return x.view(3)


# CALLEE: error: RuntimeError: shape '[3]' is invalid for input of size 4
# CALLEE: line [[@LINE+3]], in used_by_callee
# CALLEE: line [[@LINE-5]], in reshaped
def used_by_callee(x: Tensor) -> int:
    y = reshaped(x)
    return 1


# LIST: error: RuntimeError: shape '[3]' is invalid for input of size 4
def used_in_list(x: Tensor) -> int:
    l = [x.view(3)]
    return len(l)


# BRANCH: error: RuntimeError: shape '[3]' is invalid for input of size 4
def used_in_branch(x: Tensor) -> int:
    y = x.view(3)
    if x.dim() == 7:
        return y.size(0)
    return 2


# LOOP: error: RuntimeError: The size of tensor a (4) must match the size of tensor b (3)
def used_in_loop(x: Tensor) -> int:
    n = 0
    for i in range(3):
        n += (x + torch.ones(3)).dim()
    return n


# WRITTEN: error: RuntimeError: The size of tensor a (4) must match the size of tensor b (3)
def written(x: Tensor) -> int:
    y = x.clone()
    y.add_(torch.ones(3))
    return 1


# GROUP: error: RuntimeError: The size of tensor a (4) must match the size of tensor b (3)
def used_by_size_in_group(x: Tensor) -> Tensor:
    y = x + torch.ones(3)
    return x * y.size(0) + 1


def ignoring(x: Tensor) -> int:
    y = x.view(3)
    z = x[:, 1].contiguous()
    return 2


# A function that is called leaves out what it does not use, wherever its body runs.
# RUN: %all_modes tsc-run %s --entry unused_in_callee --args 'torch.ones([4])' | FileCheck --check-prefix=IN-CALLEE %s
# IN-CALLEE: {{^}}3{{$}}
def unused_in_callee(x: Tensor) -> int:
    return ignoring(x) + 1


def writing(x: Tensor) -> int:
    x.add_(torch.ones(2))
    return -1


# Neither is a write left out, whoever sees it.
# RUN: %all_modes --status 1 tsc-run %s --entry written_in_callee --args 'torch.ones([4])' | FileCheck --check-prefix=WRITTEN-IN-CALLEE %s
# WRITTEN-IN-CALLEE: error: RuntimeError: output with shape [1] doesn't match the broadcast shape [2]
def written_in_callee(x: Tensor) -> int:
    writing(torch.zeros(1))
    return 3
