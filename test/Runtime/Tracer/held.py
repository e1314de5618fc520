# What a trace holds: loops are unrolled, sizes are computed when it runs, writes happen as they did, and a call of another
# function stays a call, with the loop in it.
# RUN: tsc-run %s --entry f --args 'torch.ones([2, 3])' --trace-to %t.pt --check-trace 2>%t.err | FileCheck %s --check-prefix=RESULT
# RUN: FileCheck %s --check-prefix=NOTE --implicit-check-not=warning --implicit-check-not=error <%t.err
# RUN: tsc-translate %t.pt --to ir | FileCheck %s --implicit-check-not=prim::Loop
# RUN: tsc-translate %t.pt --to py | FileCheck %s --check-prefix=CALLEE
# RUN: tsc-run %t.pt --args 'torch.ones([3, 3])' | FileCheck %s --check-prefix=OTHER
import torch
from torch import Tensor
from typing import Dict, List, Optional, Tuple


# CALLEE: def steps(
# CALLEE: for i in range(n):
def steps(x: Tensor, n: int) -> Tensor:
    for i in range(n):
        x = x * 2
    return x


# RESULT: tensor([
# RESULT-SAME: 4., 4., 4.],
# RESULT-NEXT: 16., 16., 16.]])
# OTHER: tensor([
# OTHER-SAME: 4., 4., 4.],
# OTHER-NEXT: 24., 24., 24.],
# OTHER-NEXT: 24., 24., 24.]])
# NOTE: note: {{.*}}held.py:[[#@LINE+16]]:{{[0-9]+}}: 'prim::CallFunction' has effects, or calls what may have some
# CHECK: graph @forward(
# CHECK: aten::size(
# CHECK: aten::reshape(
# CHECK-COUNT-2: aten::add(
# CHECK: aten::size(
# CHECK: aten::mul(
# CHECK: aten::copy_(
# CHECK: prim::CallFunction(
def f(x: Tensor) -> Tensor:
    y = x.reshape(x.size(0), -1)
    for i in range(2):
        y = y + i
    z = y * y.size(0)
    z[0] = 1
    # How many steps there are is a constant here, and would be an argument otherwise.
    return steps(z, 2)


# Lists, tuples and dicts as they were made and written, and an element that becomes a number.
# RUN: tsc-run %s --entry containers --args 'torch.ones([2]), {"a": torch.ones([2])}, [torch.ones([2])]' --trace-to %t.containers.pt --check-trace 2>&1 | FileCheck %s --check-prefix=MADE
# RUN: tsc-run %t.containers.pt --args 'torch.full([3], 2.0), {"a": torch.ones([3])}, [torch.ones([3])]' | FileCheck %s --check-prefix=MADE-AGAIN
# MADE: ([tensor([1., 1.]), tensor([2., 2.]), tensor([3., 3.])], {'k': tensor([2., 2.])}, 2.0)
# MADE-AGAIN: ([tensor([2., 2., 2.]), tensor([3., 3., 3.]), tensor([4., 4., 4.])], {'k': tensor([3., 3., 3.])}, 6.0)
def containers(x: Tensor, d: Dict[str, Tensor], xs: List[Tensor]) -> Tuple[List[Tensor], Dict[str, Tensor], float]:
    made: List[Tensor] = []
    for i in range(3):
        made.append(x + i)
    xs.append(x)
    if len(made) > 2:
        return made, {"k": d["a"] + xs[1]}, float(x.sum().item())
    return [], {}, 0.0


# A write to an argument is one in the trace, too; numbers are drawn from the same generator.
# RUN: tsc-run %s --entry writes --args 'torch.ones([2])' --seed 3 --trace-to %t.writes.pt --check-trace 2>%t.err >%t.1.out
# RUN: FileCheck %s --check-prefix=DRAWS <%t.err
# RUN: tsc-run %t.writes.pt --args 'torch.ones([2])' --seed 3 >%t.2.out
# RUN: cmp %t.1.out %t.2.out
# DRAWS: note: {{.*}}held.py:[[#@LINE+3]]:{{[0-9]+}}: 'aten::rand' draws random numbers
def writes(x: Tensor) -> Tuple[Tensor, Tensor]:
    x.add_(1)
    y = x[0:1] + torch.rand([1])
    x[0] = 5
    return x, y


# A `with` statement, a fork, and an argument that is None, which the trace takes for granted.
# RUN: tsc-run %s --entry more --args 'torch.ones([2])' --trace-to %t.more.pt --check-trace 2>%t.err | FileCheck %s --check-prefix=MORE
# RUN: FileCheck %s --check-prefix=ASSUMED <%t.err
# RUN: tsc-run %t.more.pt --args 'torch.full([3], 2.0)' | FileCheck %s --check-prefix=MORE-AGAIN
# MORE: tensor([6., 6.])
# MORE-AGAIN: tensor([12., 12., 12.])
def more(x: Tensor, scale: Optional[Tensor] = None) -> Tensor:
    with torch.no_grad():
        y = x * 2
    later = torch.jit.fork(steps, x, 2)
    # ASSUMED: note: {{.*}}held.py:[[#@LINE+1]]:{{[0-9]+}}: this branch asks for a rank, dtype, device or attribute, or whether an argument is None
    if scale is not None:
        y = y * scale
    return y + torch.jit.wait(later)
