# What a method writes decides nothing in a trace, wherever the write stands: behind an interface, in a function that is
# given the list, or where a name stands for one list or another.
# RUN: %exits 1 tsc-run %s --entry Through --args 'torch.ones([2])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=THROUGH
# RUN: %exits 1 tsc-run %s --entry Made --args 'torch.ones([2])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=MADE
# RUN: %exits 1 tsc-run %s --entry Filled --args 'torch.ones([2])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=FILLED
# RUN: %exits 1 tsc-run %s --entry Chosen --args 'torch.ones([2])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=CHOSEN
# RUN: %exits 1 tsc-run %s --entry Nested --args 'torch.ones([2])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=NESTED
# RUN: %exits 1 tsc-run %s --entry Tupled --args 'torch.ones([2])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=TUPLED
# RUN: %exits 1 tsc-run %s --entry Shared --args 'torch.ones([2])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=SHARED
# RUN: tsc-run %s --entry Local --args 'torch.ones([2])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=LOCAL --implicit-check-not=error
# RUN: tsc-run %s --entry Assigning --args 'torch.ones([2])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=ASSIGNING --implicit-check-not=error
import torch
import torch.nn as nn
from torch import Tensor
from typing import List


@torch.jit.interface
class Numbered:
    def number(self) -> int:
        pass


class Counter:
    def __init__(self, n: int):
        self.n = n

    def number(self) -> int:
        self.n += 1
        return self.n


class Through(nn.Module):
    def __init__(self):
        super().__init__()
        self.counter = Counter(5)

    def forward(self, x: Tensor) -> Tensor:
        items: List[Numbered] = [self.counter]
        y = x * items[0].number()
        # THROUGH: written-attributes.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs
        if self.counter.n > 2:
            return y * 2
        return y


# The object behind the interface is made by the code.
class Made(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 5

    def forward(self, x: Tensor) -> Tensor:
        items: List[Numbered] = [Counter(1)]
        y = x * items[0].number()
        # MADE: written-attributes.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs
        if self.n > 2:
            return y * 2
        return y


class Filled(nn.Module):
    def __init__(self):
        super().__init__()
        self.items = [0, 3]

    def fill(self, items: List[int], x: Tensor) -> None:
        items.append(int(x.sum()))

    def forward(self, x: Tensor) -> Tensor:
        n = len(self.items)
        self.fill(self.items, x)
        # FILLED: written-attributes.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs
        if n > 1:
            return x * 2
        return x


class Chosen(nn.Module):
    def __init__(self):
        super().__init__()
        self.items = [0, 3]
        self.others = [0, 3]

    def forward(self, x: Tensor) -> Tensor:
        # CHOSEN: written-attributes.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs
        if len(self.items) > 1:
            x = x * 2
        if x.dim() > 1:
            chosen = self.items
        else:
            chosen = self.others
        for i in range(2):
            chosen.append(i)
        return x


class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = [[0], [3]]

    def forward(self, x: Tensor) -> Tensor:
        # NESTED: written-attributes.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs
        if len(self.rows[1]) > 1:
            x = x * 2
        self.rows[1].append(1)
        return x


class Tupled(nn.Module):
    def __init__(self):
        super().__init__()
        self.pair = ([0], 3)

    def forward(self, x: Tensor) -> Tensor:
        items, n = self.pair
        # TUPLED: written-attributes.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs
        if len(items) > 1:
            x = x * 2
        items.append(1)
        return x


# Two attributes have one list, which is written by the name of the other.
class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.items = [0, 3]
        self.others = [0, 3]

    def forward(self, x: Tensor) -> Tensor:
        # SHARED: written-attributes.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs
        if len(self.items) > 2:
            x = x * 2
        self.others = self.items
        self.others.append(1)
        return x


# A list that the code makes is none of the module's, though it is of the type of one.
class Local(nn.Module):
    def __init__(self):
        super().__init__()
        self.items = [0, 3]

    def forward(self, x: Tensor) -> Tensor:
        mine: List[int] = []
        for i in range(2):
            mine.append(i)
        # LOCAL: note: {{.*}}written-attributes.py:[[#@LINE+1]]:{{[0-9]+}}: this branch asks for a rank, dtype, device or attribute
        if len(self.items) > 1:
            x = x * len(mine)
        return x


# A caller that assigns what a method within reads: the method stays as it is written.
class Flagged(nn.Module):
    def __init__(self):
        super().__init__()
        self.flag = True

    def forward(self, x: Tensor) -> Tensor:
        # ASSIGNING: note: {{.*}}written-attributes.py:[[#@LINE+1]]:{{[0-9]+}}: 'Flagged.forward' stays as it is written: this branch depends on values that are known only when the trace runs
        if self.flag:
            return x * 2
        return x


class Assigning(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Flagged()

    def forward(self, x: Tensor) -> Tensor:
        self.inner.flag = bool(x.sum() > 5)
        return self.inner(x)


model = Local()
