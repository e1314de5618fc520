# What a loop keeps for its way back grows by what its formulas read, and by nothing else: here 4,000 bytes a step, which
# are the result of tanh and the operand of the next product in one. 1,000 steps fit into 5 MB, and 2,000 into 10.
#
# RUN: %all_modes tsc-run --max-memory 5M %s --entry in_sight --args 1000 | FileCheck %s
# RUN: %all_modes tsc-run --max-memory 10M %s --entry in_sight --args 2000 | FileCheck %s
# RUN: %all_modes tsc-run --max-memory 5M %s --entry on_tape --args 1000 | FileCheck %s
# RUN: %all_modes tsc-run --max-memory 10M %s --entry on_tape --args 2000 | FileCheck %s
# CHECK: True
#
# They are kept: less would not do.
# RUN: not tsc-run --max-memory 3M %s --entry in_sight --args 1000 2>&1 | FileCheck %s --check-prefix=LESS
# LESS: memory
import torch


def in_sight(steps: int):
    w = torch.ones([1000]).requires_grad_()
    y = torch.ones([1000])
    for step in range(steps):
        y = torch.tanh(y * w)
    gradient = torch.autograd.grad([y.sum()], [w])[0]
    assert gradient is not None
    return bool(gradient.sum() > 0)


def on_tape(steps: int):
    w = torch.ones([1000]).requires_grad_()
    y = torch.ones([1000])
    for step in range(steps):
        y = torch.tanh(y * w)
    y.sum().backward()
    gradient = w.grad
    assert gradient is not None
    return bool(gradient.sum() > 0)
