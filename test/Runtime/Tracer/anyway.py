# With --trace-anyway what a trace cannot hold is a warning, and --check-trace shows the first node that differs.
# RUN: %exits 1 tsc-run %s --entry rows --args 'torch.ones([2])' --trace-to %t.pt --trace-anyway --check-trace 2>%t.err | FileCheck %s --check-prefix=RESULT
# RUN: FileCheck %s --check-prefix=ERROR <%t.err
# RUN: tsc-run %t.pt --args 'torch.ones([3])' | FileCheck %s --check-prefix=OTHER
import torch
from torch import Tensor
from typing import Optional


# RESULT: tensor([2., 2.])
# OTHER: tensor([2., 2., 2.])
def rows(x: Tensor) -> Tensor:
    # ERROR: warning: {{.*}}anyway.py:[[#@LINE+2]]:{{[0-9]+}}: this branch depends on the sizes of tensors; the trace does what the traced call did
    # ERROR: error: the trace differs from the program with one row more: {{.*}}; {{.*}}anyway.py:[[#@LINE+3]]:{{[0-9]+}}: 'aten::add' differs in a second trace, which has {{.*}}anyway.py:[[#@LINE+2]]:{{[0-9]+}}: 'aten::mul'
    if x.size(0) > 2:
        return x * 5
    return x + 1


# An argument whose value decides is not used by the trace.
# RUN: tsc-run %s --entry flag --args 'torch.ones([2]), True' --trace-to %t.flag.pt --trace-anyway --check-trace 2>&1 | FileCheck %s --check-prefix=UNUSED
# UNUSED: warning: {{.*}}: this branch depends on values that are known only when the trace runs
# UNUSED: note: input 'doubles' is not used: what was computed of it has become constants
def flag(x: Tensor, doubles: bool) -> Tensor:
    if doubles:
        return x * 2
    return x


# What the program raises is raised, and no file is written.
# RUN: rm -f %t.raised.pt
# RUN: %exits 1 tsc-run %s --entry raised --args 'torch.ones([2])' --trace-to %t.raised.pt 2>&1 | FileCheck %s --check-prefix=RAISED
# RUN: not ls %t.raised.pt
# RAISED: tsc-run: error: builtins.ValueError: as written
def raised(x: Tensor) -> Tensor:
    if x.dim() == 1:
        raise ValueError("as written")
    return x


# The block of a `with` statement is left, also one that always raises and so has no end in the graph.
# RUN: %exits 1 tsc-run %s --entry raises_within --args 'torch.ones([2])' --trace-to %t.raised.pt 2>&1 | FileCheck %s --check-prefix=LEFT
# LEFT-DAG: left after 1
# LEFT-DAG: builtins.ValueError: as written
class Counted:
    def __init__(self, n: int):
        self.n = n

    def __enter__(self) -> None:
        self.n += 1

    def __exit__(self, kind: Optional[int], value: Optional[int], traceback: Optional[int]) -> None:
        print("left after", self.n)


def raises_within(x: Tensor) -> Tensor:
    counted = Counted(0)
    with counted:
        raise ValueError("as written")
    return x


# RUN: %exits 2 tsc-run %s --check-trace 2>&1 | FileCheck %s --check-prefix=ALONE
# ALONE: error: --check-trace needs --trace-to, which makes a trace
# RUN: %exits 2 tsc-run %s --trace-anyway 2>&1 | FileCheck %s --check-prefix=ANYWAY
# ANYWAY: error: --trace-anyway needs --trace-to, which makes a trace
# RUN: %exits 2 tsc-run %s --trace-to %t.pt --bench 3 2>&1 | FileCheck %s --check-prefix=BENCH
# BENCH: error: --trace-to makes one call, of the program as it is written: it excludes --bench
