# A method of a module: the archive has the module with its parameters, and methods of modules in it as they are.
# RUN: tsc-run %s --args 'torch.ones([2, 2])' --trace-to %t.pt --check-trace 2>%t.err | FileCheck %s --check-prefix=RESULT
# RUN: tsc-translate %t.pt --to py | FileCheck %s
# RUN: tsc-run %t.pt --args 'torch.ones([3, 2])' | FileCheck %s --check-prefix=OTHER
import torch
import torch.nn as nn
from torch import Tensor


class Block(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        if x.sum() > 0:
            return x * 2
        return x


# RESULT: tensor([
# RESULT-SAME: 9., 9.],
# OTHER: tensor([
# OTHER-SAME: 9., 9.],
# CHECK: class Net(Module):
# CHECK: def forward(self
# CHECK-NOT: for i in
# CHECK: block.forward(
# CHECK-NOT: for i in
# CHECK: def forward(self
# CHECK: if
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()
        self.scale = nn.Parameter(torch.full([2], 3.0))

    def forward(self, x: Tensor) -> Tensor:
        for i in range(2):
            x = x + i
        return self.block(x) * self.scale - 3


# What a module remembers from call to call decides nothing in a trace.
# RUN: %exits 1 tsc-run %s --entry Counter --args 'torch.ones([2])' --trace-to %t.no.pt 2>&1 | FileCheck %s --check-prefix=COUNTED
class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 0

    def forward(self, x: Tensor) -> Tensor:
        self.n += 1
        # COUNTED: modules.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs
        if self.n > 2:
            return x * 2
        return x


# RUN: %exits 1 tsc-run %s --entry Stepper --args 'torch.ones([2])' --trace-to %t.no.pt 2>&1 | FileCheck %s --check-prefix=STEPPED
class Stepper(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 0

    def step(self) -> None:
        self.n += 1

    def forward(self, x: Tensor) -> Tensor:
        self.step()
        # STEPPED: modules.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs
        if self.n > 2:
            return x * 2
        return x


# RUN: %exits 1 tsc-run %s --entry Buffered --args 'torch.ones([2])' --trace-to %t.no.pt 2>&1 | FileCheck %s --check-prefix=BUFFERED
class Buffered(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros([1]))

    def forward(self, x: Tensor) -> Tensor:
        self.count += 1
        # BUFFERED: modules.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs
        if self.count.item() > 2:
            return x * 2
        return x


# What a method appends to a list of the module depends on the argument.
# RUN: %exits 1 tsc-run %s --entry Collector --args 'torch.ones([2])' --trace-to %t.no.pt 2>&1 | FileCheck %s --check-prefix=COLLECTED
class Collector(nn.Module):
    def __init__(self):
        super().__init__()
        self.items = [0]

    def collect(self, x: Tensor) -> None:
        self.items.append(int(x.sum()))

    def forward(self, x: Tensor) -> Tensor:
        self.collect(x)
        # COLLECTED: modules.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs
        if self.items[1] > 2:
            return x * 2
        return x


# Whether the module is in training is assumed, and said.
# RUN: tsc-run %s --entry Trained --args 'torch.ones([2])' --trace-to %t.trained.pt 2>&1 | FileCheck %s --check-prefix=TRAINED
class Trained(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        # TRAINED: note: {{.*}}modules.py:[[#@LINE+1]]:{{[0-9]+}}: this branch asks for a rank, dtype, device or attribute
        if self.training:
            return x * 2
        return x


model = Net()
