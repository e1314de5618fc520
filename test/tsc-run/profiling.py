# --executor profiling: the first call is observed, and later ones run code that relies on what it saw. With --force-bailout each
# call is made once before, unseen, and one guard of its code fails: whichever it is, the program does what it does.

# RUN: tsc-run %s --entry grow --args 'torch.ones([2]), 3' | FileCheck --check-prefix=GROW %s
# RUN: tsc-run %s --entry grow --args 'torch.ones([2]), 3' --executor profiling | FileCheck --check-prefix=GROW %s
# RUN: tsc-run %s --entry grow --args 'torch.ones([2]), 3' --executor profiling --force-bailout 0 --explain 2>%t.err | FileCheck --check-prefix=GROW %s
# RUN: FileCheck --check-prefix=FORCED %s < %t.err
# RUN: tsc-run %s --entry grow --args 'torch.ones([2]), 3' --executor profiling --force-bailout 1 | FileCheck --check-prefix=GROW %s
# RUN: tsc-run %s --entry grow --args 'torch.ones([2]), 3' --executor profiling --force-bailout 2 | FileCheck --check-prefix=GROW %s
# RUN: tsc-run %s --entry grow --args 'torch.ones([2]), 3' --executor profiling --force-bailout 99 | FileCheck --check-prefix=GROW %s
# GROW:      {{^}}0{{$}}
# GROW-NEXT: {{^}}1{{$}}
# GROW-NEXT: {{^}}2{{$}}
# GROW-NEXT: {{^}}16{{$}}
# GROW-NOT:  {{.}}
# FORCED: profiling: 1 calls observed, 1 guarded, 0 others; code made 1 times for one profile and 0 times for all, with {{[0-9]+}} guards; 0 guards failed, and 1 were made to

# In a branch.
# RUN: tsc-run %s --entry choose --args 'torch.ones([2, 2]), True' --executor profiling --force-bailout 0 | FileCheck --check-prefix=CHOOSE %s
# RUN: tsc-run %s --entry choose --args 'torch.ones([2, 2]), True' --executor profiling --force-bailout 1 | FileCheck --check-prefix=CHOOSE %s
# CHOOSE: {{^}}-8.0{{$}}

# After an in-place change and a print.
# RUN: tsc-run %s --entry change --args 'torch.ones([2])' --executor profiling --force-bailout 0 | FileCheck --check-prefix=CHANGE %s
# RUN: tsc-run %s --entry change --args 'torch.ones([2])' --executor profiling --force-bailout 1 | FileCheck --check-prefix=CHANGE %s
# CHANGE:      {{^}}changed{{$}}
# CHANGE-NEXT: tensor([6., 6.])
# CHANGE-NOT:  {{.}}

# In a `with`, whose end runs once.
# RUN: tsc-run %s --entry manage --args 'torch.ones([2])' --executor profiling --force-bailout 0 | FileCheck --check-prefix=MANAGE %s
# RUN: tsc-run %s --entry manage --args 'torch.ones([2])' --executor profiling --force-bailout 1 | FileCheck --check-prefix=MANAGE %s
# MANAGE:      {{^}}in{{$}}
# MANAGE-NEXT: {{^}}body{{$}}
# MANAGE-NEXT: {{^}}out{{$}}
# MANAGE-NEXT: tensor([4., 4.])
# MANAGE-NOT:  {{.}}

# With an error after it, which names the line of the program.
# RUN: not tsc-run %s --entry fail --args 'torch.ones([2]), 0' > %t.plain 2>&1
# RUN: not tsc-run %s --entry fail --args 'torch.ones([2]), 0' --executor profiling --force-bailout 0 > %t.forced 2>&1
# RUN: diff %t.plain %t.forced
# RUN: FileCheck --check-prefix=FAIL %s < %t.forced
# FAIL-DAG: before
# FAIL-DAG: profiling.py", line [[@LINE+42]], in fail

# Many calls: one is observed.
# RUN: tsc-run %s --entry choose --args 'torch.ones([2, 2]), True' --executor profiling --bench 3 --explain 2>&1 | FileCheck --check-prefix=BENCH %s
# BENCH: profiling: 1 calls observed, {{[0-9]+}} guarded, 0 others; code made 1 times for one profile

import torch
from torch import Tensor


def grow(x: Tensor, n: int) -> int:
    for i in range(n):
        print(i)
        x = torch.cat([x, x])
    return x.numel()


def choose(x: Tensor, which: bool) -> float:
    y = x + x
    if which:
        y = -(y.matmul(x).t())
    else:
        y = y.abs()
    return float(y.sum() / 2)


def change(x: Tensor) -> Tensor:
    y = x.add_(1)
    print("changed")
    y = y * 3
    return y


def twice(x: Tensor) -> Tensor:
    return x + x


def fail(x: Tensor, n: int) -> Tensor:
    y = twice(x)
    print("before")
    z = y * y
    if n == 0:
        raise ValueError("no " + str(n))
    return z


@torch.jit.script
class Noted:
    def __init__(self, n: int):
        self.n = n

    def __enter__(self):
        print("in")

    def __exit__(self, kind, value, trace):
        print("out")


def manage(x: Tensor) -> Tensor:
    with Noted(1):
        y = x.t() + x
        print("body")
        y = y * y
    return y
