# What modules and code that runs while a file is loaded are refused for.
# RUN: not tsc-run --check-only --split-input-file %s 2>&1 | FileCheck --strict-whitespace --match-full-lines %s

# PythonError: what Python would raise, and who called.
# CHECK:{{.*}}modules-errors.py:{{[0-9]+}}:24: error: AttributeError: 'Net' object has no attribute 'hiden'. Did you mean 'hidden'?
# CHECK-NEXT:        return width * self.hiden
# CHECK-NEXT:                       ^~~~~~~~~~
# CHECK-NEXT:{{.*}}modules-errors.py:{{[0-9]+}}:18: note: called from here
# CHECK-NEXT:        self.b = self.twice(3)
# CHECK-NEXT:                 ^~~~~~~~~~~~~
from torch import nn
class Net(nn.Module):
    def twice(self, width):
        return width * self.hiden

    def __init__(self):
        super().__init__()
        self.hidden = 2
        self.a = 3
        self.b = self.twice(3)

# -----

# CHECK:{{.*}}modules-errors.py:{{[0-9]+}}:9: error: AttributeError: module 'torch.nn' has no attribute 'Linaer'. Did you mean 'Linear'?
# CHECK-NEXT:model = nn.Linaer(3, 4)
# CHECK-NEXT:        ^~~~~~~~~
from torch import nn
model = nn.Linaer(3, 4)
other = nn.Linear(3, 4)

# -----

# UnsupportedWhileLoading
# CHECK:{{.*}}modules-errors.py:{{[0-9]+}}:9: error: calls of 'itertools.product' aren't supported in code that runs while the program is loaded; Python runs it: python3 {{.*}}modules-errors.py
# CHECK-NEXT:pairs = itertools.product("ab", "cd")
# CHECK-NEXT:        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
import itertools
from torch import nn
pairs = itertools.product("ab", "cd")
model = nn.Identity()

# -----

# CHECK:{{.*}}modules-errors.py:{{[0-9]+}}:5: error: operands of '+' like 'Counter' and 'Counter' aren't supported in code that runs while the program is loaded; Python runs it: python3 {{.*}}modules-errors.py
# CHECK-NEXT:x = Counter("ab") + Counter("b")
# CHECK-NEXT:    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
from collections import Counter
from torch import nn
x = Counter("ab") + Counter("b")
model = nn.Identity()

# -----

# Exceptions that no handler catches are reported where they were raised.
# CHECK:{{.*}}modules-errors.py:{{[0-9]+}}:5: error: KeyError: 'width'
# CHECK-NEXT:    options["width"]
# CHECK-NEXT:    ^~~~~~~~~~~~~~~~
from torch import nn
options = {}
try:
    options["width"]
except ValueError:
    pass
model = nn.Identity()

# -----

# TooManySteps
# CHECK:{{.*}}modules-errors.py:{{.*}}: error: code that runs while the program is loaded takes more than 20000000 steps
from torch import nn
while True: pass
model = nn.Identity()

# -----

# FailedWhileLoading: what an operator raised.
# CHECK:{{.*}}modules-errors.py:{{[0-9]+}}:5: error: RuntimeError: shape '[7]' is invalid for input of size 6
# CHECK-NEXT:x = torch.ones(2, 3).view(7)
# CHECK-NEXT:    ^~~~~~~~~~~~~~~~~~~~~~~~
import torch
x = torch.ones(2, 3).view(7)
model = torch.nn.Identity()

# -----

# AnnotatedAttribute
# CHECK:{{.*}}modules-errors.py:{{[0-9]+}}:12: error: attribute 'width' is annotated with type int but holds a value of type 'str'
# CHECK-NEXT:    width: int
# CHECK-NEXT:           ^~~
import torch
from torch import nn
class Net(nn.Module):
    width: int

    def __init__(self):
        super().__init__()
        self.width = "three"

    def forward(self, x):
        return x

# -----

# NoModuleAttribute
# CHECK:{{.*}}modules-errors.py:{{[0-9]+}}:16: error: Module 'Net' has no attribute 'frist'. Did you mean 'first'?
# CHECK-NEXT:        return self.frist(x)
# CHECK-NEXT:               ^~~~~~~~~~
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.ReLU()
        self.seen = []

    def forward(self, x):
        return self.frist(x)

# -----

# CHECK:{{.*}}modules-errors.py:{{[0-9]+}}:20: error: Module 'Net' has no attribute 'seen' that compiled code can use: it holds an empty list, whose type is known only from an annotation in the class
# CHECK-NEXT:        return len(self.seen)
# CHECK-NEXT:                   ^~~~~~~~~
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = []

    def forward(self, x):
        return len(self.seen)

# -----

# ModuleIndex
# CHECK:{{.*}}modules-errors.py:{{[0-9]+}}:16: error: Index 3 out of range: Module 'ModuleList' holds 2
# CHECK-NEXT:        return self.parts[3](x)
# CHECK-NEXT:               ^~~~~~~~~~~~~
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([nn.Tanh(), nn.ReLU()])

    def forward(self, x):
        return self.parts[3](x)

# -----

# ModuleIndexNotConstant
# CHECK:{{.*}}modules-errors.py:{{[0-9]+}}:31: error: elements of Module 'ModuleList' differ in type: their index must be a compile time constant
# CHECK-NEXT:        return len(self.parts[i:])
# CHECK-NEXT:                              ^
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([nn.Tanh(), nn.ReLU()])

    def forward(self, x, i: int):
        return len(self.parts[i:])

# -----

# CHECK:{{.*}}modules-errors.py:{{[0-9]+}}:25: error: Attribute 1 is not of annotated type __torch__.Changes: Method 'forward' of '__torch__.Counts' is not compatible with interface '__torch__.Changes': it has another signature
# CHECK-NEXT:        part: Changes = self.parts[i]
# CHECK-NEXT:                        ^~~~~~~~~~~~~
import torch
from torch import Tensor, nn
@torch.jit.interface
class Changes:
    def forward(self, x: Tensor) -> Tensor:
        pass

class Keeps(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x

class Counts(nn.Module):
    def forward(self, x: Tensor) -> int:
        return x.numel()

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([Keeps(), Counts()])

    def forward(self, x: Tensor, i: int) -> Tensor:
        part: Changes = self.parts[i]
        return part.forward(x)

# -----

# ModuleInCompiledCode
# CHECK:{{.*}}modules-errors.py:{{[0-9]+}}:7: error: 'Part' is a class of modules: these are made by __init__ or at the top level of a file, and not in code that is compiled
# CHECK-NEXT:class Part(nn.Module):
# CHECK-NEXT:      ^~~~
from torch import nn
class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.width = 3

class Net(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        part = Part()
        return x

# -----

# A container that holds itself is neither compared nor printed for ever.
# CHECK:{{.*}}modules-errors.py:{{[0-9]+}}:7: error: RecursionError: a container holds itself, or is nested too deeply or too large
# CHECK-NEXT:print(a == b)
# CHECK-NEXT:      ^~~~~~
from torch import nn
a = [1]
a.append(a)
b = [1]
b.append(b)
print(a == b)
model = nn.Identity()

# -----

# CHECK:{{.*}}modules-errors.py:{{[0-9]+}}:{{[0-9]+}}: error: RecursionError: a container holds itself, or is nested too deeply or too large
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        a = []
        for i in range(100000):
            a = [a]
        self.a = a
model = Net()

# -----

# CHECK:{{.*}}modules-errors.py:{{[0-9]+}}:5: error: MemoryError: containers of more than 20000000 elements in all
# CHECK-NEXT:a = [0] * 10000000000
# CHECK-NEXT:    ^~~~~~~~~~~~~~~~~
from torch import nn
a = [0] * 10000000000
model = nn.Identity()

# -----

# CHECK:{{.*}}modules-errors.py:{{[0-9]+}}:9: error: MemoryError: containers of more than 20000000 elements in all
# CHECK-NEXT:    a = a + a
# CHECK-NEXT:        ^~~~~
from torch import nn
a = "x"
for i in range(60):
    a = a + a
model = nn.Identity()

# -----

# LayerMadeHere: an error in the library's text tells whose layer it is about.
# CHECK:nn/module.py:{{[0-9]+}}:{{[0-9]+}}: error: forward(__torch__.torch.nn.ReLU self, Tensor input) -> Tensor:
# CHECK-NEXT:Expected a value of type 'Tensor' for argument 'input' but instead found type 'Tuple[Tensor, Tensor]'.
# CHECK-NEXT:            input = module(input)
# CHECK-NEXT:                    ^~~~~~~~~~~~~
# CHECK-NEXT:{{.*}}modules-errors.py:{{[0-9]+}}:21: note: the layer that this is about is made here
# CHECK-NEXT:        self.body = nn.Sequential(nn.MaxPool2d(2, return_indices=True), nn.ReLU())
# CHECK-NEXT:                    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.MaxPool2d(2, return_indices=True), nn.ReLU())
    def forward(self, x):
        return self.body(x)
model = Net()
