# Modules within are traced, too: their methods have the traces as bodies. What a trace could not hold stays as it is
# written, and a note says so.
# RUN: tsc-run %s --args 'torch.ones([2, 3])' --trace-to %t.pt --check-trace 2>%t.err | FileCheck %s --check-prefix=RESULT
# RUN: FileCheck %s --check-prefix=NOTE --implicit-check-not=warning --implicit-check-not=error <%t.err
# RUN: tsc-translate %t.pt --to ir | FileCheck %s --check-prefix=IR
# RUN: tsc-translate %t.pt --to py | FileCheck %s --check-prefix=PY
# RUN: tsc-run %t.pt --args 'torch.ones([4, 3])' | FileCheck %s --check-prefix=OTHER
import torch
import torch.nn as nn
from torch import Tensor
from typing import Optional


# Two modules of one class, whose traces are equal, share the method.
# PY-LABEL: class Scale(Module):
# PY:         def forward(self
# PY-NOT:     {{^ +for }}
# PY:         torch.mul(torch.mul(
# PY-NOT:     def forward1(
class Scale(nn.Module):
    def __init__(self, by: float):
        super().__init__()
        self.by = by

    def forward(self, x: Tensor) -> Tensor:
        for i in range(2):
            x = x * self.by
        return x


# Calls that ran other nodes have methods of their own.
# PY-LABEL: class Cell(Module):
# PY:         def forward(self
# PY:         def forward1(self
# PY:         torch.add(
# PY-NOT:     def forward2(
class Cell(nn.Module):
    def forward(self, x: Tensor, state: Optional[Tensor]) -> Tensor:
        # NOTE-DAG: note: {{.*}}children.py:[[#@LINE+1]]:{{[0-9]+}}: this branch asks for a rank, dtype, device or attribute, or whether an argument is None
        if state is None:
            return x
        return x + state


# PY-LABEL: class Recurrent(Module):
# PY:         {{^ +for .* in range\(}}
class Recurrent(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        y = torch.zeros([3])
        # NOTE-DAG: note: {{.*}}children.py:[[#@LINE+1]]:{{[0-9]+}}: 'Recurrent.forward' stays as it is written: this loop depends on the sizes of tensors{{$}}
        for i in range(x.size(0)):
            y = y + x[i]
        return y


# RESULT: tensor([80., 80., 80.])
# OTHER: tensor([160., 160., 160.])
# IR-LABEL: graph @forward(
# IR:         prim::CallMethod[name="forward"](%scale
# IR:         prim::CallMethod[name="forward"](%other
# IR:         prim::CallMethod[name="forward"](%cell
# IR:         prim::CallMethod[name="forward1"](%cell
# IR:         prim::CallMethod[name="forward1"](%cell
# IR-DAG:     prim::CallMethod[name="shift"](%self
# IR-DAG:     prim::CallMethod[name="forward"](%recurrent
# IR-LABEL: graph @shift(
# IR-NOT:     prim::Loop
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = Scale(2.0)
        self.other = Scale(3.0)
        self.cell = Cell()
        self.recurrent = Recurrent()

    def shift(self, x: Tensor) -> Tensor:
        for i in range(2):
            x = x + i
        return x

    def forward(self, x: Tensor) -> Tensor:
        x = self.scale(x) + self.other(x)
        state = self.cell(x, None)
        state = self.cell(x, state)
        state = self.cell(x, state)
        return self.recurrent(self.shift(state))


# A method that others call as it is written stays there, and its trace is another one.
# RUN: tsc-run %s --entry Kept --args 'torch.ones([2])' --trace-to %t.kept.pt
# RUN: tsc-translate %t.kept.pt --to ir | FileCheck %s --check-prefix=KEPT
# RUN: tsc-translate %t.kept.pt --to py | FileCheck %s --check-prefix=KEPT-PY
# RUN: tsc-run %t.kept.pt --args 'torch.ones([3])' | FileCheck %s --check-prefix=KEPT-RESULT
# KEPT-RESULT: tensor([4., 4., 4.])
# KEPT-DAG: prim::CallMethod[name="forward1"](%scale{{[.0-9]*}}, %x)
# KEPT-DAG: prim::CallMethod[name="forward"](%scale{{[.0-9]*}}, %x)
# KEPT-PY-LABEL: class Scale(Module):
# KEPT-PY:         def forward(self
# KEPT-PY:         {{^ +for .* in range\(2\)}}
# KEPT-PY:         def forward1(self
# KEPT-PY-NOT:     {{^ +for }}
class Kept(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = Scale(2.0)

    @torch.jit.export
    def twice(self, x: Tensor) -> Tensor:
        return self.scale(self.scale(x))

    def forward(self, x: Tensor) -> Tensor:
        return self.scale(x)


# A method that stayed written in one call stays so in those to come, and is called no less often.
# RUN: tsc-run %s --entry Printing --args 'torch.ones([2])' --trace-to %t.print.pt 2>%t.err | FileCheck %s --check-prefix=PRINTED
# RUN: FileCheck %s --check-prefix=PRINT-NOTE <%t.err
# RUN: tsc-run %t.print.pt --args 'torch.zeros([3])' | FileCheck %s --check-prefix=PRINTED-AGAIN
# PRINTED:      begun
# PRINTED-NEXT: positive
# PRINTED-NEXT: begun
# PRINTED-NEXT: positive
# PRINTED-NEXT: tensor([4., 4.])
# PRINTED-AGAIN:      begun
# PRINTED-AGAIN-NEXT: begun
# PRINTED-AGAIN-NEXT: tensor([0., 0., 0.])
# PRINT-NOTE-COUNT-1: 'Doubler.forward' stays as it is written: this branch depends on values that are known only when the trace runs
# PRINT-NOTE-NOT: stays as it is written
class Doubler(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        print("begun")
        if x.sum() > 0:
            print("positive")
            return x * 2
        return x


class Printing(nn.Module):
    def __init__(self):
        super().__init__()
        self.doubler = Doubler()

    def forward(self, x: Tensor) -> Tensor:
        for i in range(2):
            x = self.doubler(x)
        return x


# A call whose None depends on data decides nothing in the method that it is given to.
# RUN: tsc-run %s --entry Given --args 'torch.ones([2])' --trace-to %t.given.pt --check-trace 2>&1 | FileCheck %s --check-prefix=GIVEN
# RUN: tsc-run %t.given.pt --args 'torch.zeros([2])' | FileCheck %s --check-prefix=GIVEN-AGAIN
# GIVEN: 'Cell.forward' stays as it is written: this branch depends on values that are known only when the trace runs
# GIVEN-AGAIN: tensor([1., 1.])
def positive(x: Tensor) -> Optional[Tensor]:
    if x.sum() > 0:
        return x
    return None


class Given(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = Cell()

    def forward(self, x: Tensor) -> Tensor:
        return self.cell(x + 1, positive(x))


# What a method within raises has the stack that the call has without a trace.
# RUN: %exits 1 tsc-run %s --entry Outer --args 'torch.ones([2])' --trace-to %t.no.pt 2>&1 | FileCheck %s --check-prefix=RAISED
# RAISED:      error: builtins.ValueError: as written
# RAISED-NEXT: The following operation failed in the TorchScript interpreter.
# RAISED-NEXT: Traceback of TorchScript (most recent call last):
# RAISED-NEXT: File "{{.*}}children.py", line [[#@LINE+19]], in forward
# RAISED-NEXT: return self.inner(x)
# RAISED-NEXT: HERE
# RAISED-NEXT: File "{{.*}}children.py", line [[#@LINE+6]], in forward
# RAISED-NEXT: raise ValueError("as written")
class Inner(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        if x.dim() == 1:
            # The place that the stack ends with.
            raise ValueError("as written")
        return x


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x)


# Modules of one class that ran different nodes: the method stays what it is for who calls one of them alone.
# RUN: tsc-run %s --entry Both --args 'torch.ones([2])' --trace-to %t.both.pt
# RUN: tsc-translate %t.both.pt --to py | FileCheck %s --check-prefix=BOTH
# RUN: tsc-run %t.both.pt --args 'torch.ones([3])' | FileCheck %s --check-prefix=BOTH-RESULT
# BOTH-RESULT: tensor([3., 3., 3.])
# BOTH-LABEL: class Ranked(Module):
# BOTH:         def forward(self
# BOTH:         {{^ +if }}
# BOTH:         def forward1(self
# BOTH-NOT:     {{^ +if }}
# BOTH:         def forward2(self
# BOTH-NOT:     {{^ +if }}
class Ranked(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        if x.dim() > 1:
            return x.sum(0)
        return x * 2


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Ranked()
        self.second = Ranked()

    def forward(self, x: Tensor) -> Tensor:
        return self.first(x) + self.second(x.view(1, -1))


# A method that calls itself as it is written does not get the trace as its body.
# RUN: %exits 2 tsc-run %s --entry Recursive --args 'torch.ones([2, 2, 2, 2])' --trace-to %t.no.pt 2>&1 | FileCheck %s --check-prefix=RECURSIVE
# RECURSIVE: error: the trace calls '{{.*}}Recursive.forward' as it is written, and cannot become its body
class Recursive(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        if x.dim() > 1:
            return self.forward(x[0])
        return x


model = Net()
