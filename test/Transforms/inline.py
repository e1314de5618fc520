# Bodies come in the place of calls.
# RUN: tsc-run %s --entry twice --args 'torch.ones([2])' --print-ir optimized 2>&1 | FileCheck %s --check-prefix=TWICE
# RUN: tsc-run %s --entry method --args 'torch.ones([2])' --compile off --print-ir optimized 2>&1 | FileCheck %s --check-prefix=METHOD
# RUN: tsc-run %s --entry recursive --args 3 --pass-remarks inline --pass-remarks-missed inline 2>&1 | FileCheck %s --check-prefix=RECURSIVE

# Where nothing is known of the callee, as in text, the call stays.
# RUN: tsc-opt -passes=inline -pass-remarks-missed=inline %S/Inputs/calls.ir 2>&1 | FileCheck %s --check-prefix=TEXT
# TEXT: remark: 'prim::CallMethod' not inlined: which function it runs is not known before it runs [inline, missed]
# TEXT: prim::CallMethod[name="forward"](%self, %x)
import torch


def half(x: torch.Tensor) -> torch.Tensor:
    return x.cos()


# A function that calls another one twice; the calls go, and what named the function.
# TWICE-LABEL: graph(%x
# TWICE-NOT:     prim::CallFunction
# TWICE-COUNT-2: aten::cos
# TWICE-NOT:     prim::CallFunction
# TWICE:         return
def twice(x: torch.Tensor) -> torch.Tensor:
    return half(half(x)).sort()[0]


class Scale:
    def __init__(self, by: float):
        self.by = by

    def apply(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.by


# METHOD-NOT: prim::CallMethod
# METHOD:     aten::mul
# METHOD-NOT: prim::CallMethod
# METHOD:     tensor([3., 3.])
def method(x: torch.Tensor) -> torch.Tensor:
    return Scale(3.0).apply(x)


# A function that calls itself stays a call.
# RECURSIVE-DAG: not inlined: it calls itself [inline, missed]
# RECURSIVE:     {{^}}6
def recursive(n: int) -> int:
    if n < 2:
        return 1
    return n * recursive(n - 1)
