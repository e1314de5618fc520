# --all-overloads: where a call fits no overload, all of them, and why each does not take it.
# RUN: %exits 2 tsc-run --all-overloads %s 2>&1 | FileCheck --strict-whitespace --match-full-lines %s
# CHECK:{{.*}}all-overloads.py:[[# @LINE+17]]:12: error: 'matmul' takes a Tensor as 'other', and a List[int] was given
# CHECK-NEXT:Arguments for call are not valid.
# CHECK-NEXT:The following variants are available:
# CHECK-NEXT:{{ +}}
# CHECK-NEXT:  aten::matmul(Tensor self, Tensor other) -> Tensor:
# CHECK-NEXT:  Expected a value of type 'Tensor' for argument 'other' but instead found type 'List[int]'.
# CHECK-NEXT:{{ +}}
# CHECK-NEXT:  aten::matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!):
# CHECK-NEXT:  Expected a value of type 'Tensor' for argument 'other' but instead found type 'List[int]'.
# CHECK-EMPTY:
# CHECK-NEXT:The original call is
# CHECK-NEXT:    return torch.matmul(x, [1, 2])
# CHECK-NEXT:           ^~~~~~~~~~~~~~~~~~~~~~~
import torch


def f(x):
    return torch.matmul(x, [1, 2])
