# A file whose top level does something is run as Python runs it, where no function is named and no arguments are given.
# RUN: tsc-run %s | FileCheck %s
# RUN: tsc-run -O0 %s | FileCheck %s
# RUN: tsc-run %s --args 'torch.ones([2])' | FileCheck %s --check-prefix=CALL
# RUN: not tsc-run --entry other %s 2>&1 | FileCheck %s --check-prefix=OTHER
"""Prints as it goes."""
import torch


def doubled(x: torch.Tensor) -> torch.Tensor:
    return x * 2


torch.manual_seed(0)
x = torch.arange(3.0).requires_grad_()
y = (doubled(x) * x).sum()
y.backward()
# CHECK: tensor([0., 4., 8.])
print(x.grad)
for i in range(2):
    # CHECK-NEXT: 0 tensor(5.)
    # CHECK-NEXT: 1 tensor(6.)
    print(i, x.detach().sum() + i + 2)
# CHECK-NOT: {{.}}
# CALL-NOT: {{[0-9]}}
# CALL: tensor([2., 2.])
# CALL-NOT: {{[0-9]}}
# OTHER: error: there is no function 'other'
