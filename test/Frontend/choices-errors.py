# What is no value cannot be chosen when the program runs; what interfaces, decorators and constructors are told.
# RUN: not tsc-run --check-only --split-input-file %s 2>&1 | FileCheck --strict-whitespace --match-full-lines %s

# BranchHere: a module that a branch chooses.
# CHECK:{{.*}}choices-errors.py:[[# @LINE+18]]:16: error: m is no value, and what it stands for depends on a condition: only values can be chosen when the program runs
# CHECK-NEXT:        return m(x)
# CHECK-NEXT:               ^
# CHECK-NEXT:{{.*}}choices-errors.py:[[# @LINE+11]]:9: note: the branch is here
# CHECK-NEXT:        if c:
# CHECK-NEXT:        ^~~~~
import torch
import torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Tanh()
        self.b = nn.ReLU()
    def forward(self, x, c: bool):
        if c:
            m = self.a
        else:
            m = self.b
        return m(x)

# -----

# NotFirstClass: a module that a branch puts in the place of another one.
# CHECK:{{.*}}choices-errors.py:[[# @LINE+13]]:13: error: Cannot re-assign 'm' to a value of type module '__torch__.torch.nn.ReLU' because it is not a first-class value. Only reassignments to first-class values are allowed
# CHECK-NEXT:            m = self.b
# CHECK-NEXT:            ^
import torch
import torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Tanh()
        self.b = nn.ReLU()
    def forward(self, x, c: bool):
        m = self.a
        if c:
            m = self.b
        return m(x)

# -----

# A function that a branch chooses.
# CHECK:{{.*}}choices-errors.py:[[# @LINE+12]]:12: error: act is no value, and what it stands for depends on a condition: only values can be chosen when the program runs
# CHECK-NEXT:    return act(x)
# CHECK-NEXT:           ^~~
# CHECK-NEXT:{{.*}}choices-errors.py:[[# @LINE+5]]:5: note: the branch is here
# CHECK-NEXT:    if c:
# CHECK-NEXT:    ^~~~~
import torch
def f(x, c: bool):
    if c:
        act = torch.relu
    else:
        act = torch.tanh
    return act(x)

# -----

# InterfaceBody
# CHECK:{{.*}}choices-errors.py:[[# @LINE+10]]:9: error: methods of interfaces hold 'pass' alone: what they do is up to the classes
# CHECK-NEXT:        return 2 * x
# CHECK-NEXT:        ^~~~~~~~~~~~
# CHECK-NEXT:{{.*}}choices-errors.py:[[# @LINE+8]]:10: error: Unknown type name 'Doubles'
# CHECK-NEXT:def f(d: Doubles) -> int:
# CHECK-NEXT:         ^~~~~~~
import torch
@torch.jit.interface
class Doubles:
    def double(self, x: int) -> int:
        return 2 * x
def f(d: Doubles) -> int:
    return d.double(1)

# -----

# InterfaceReturn
# CHECK:{{.*}}choices-errors.py:[[# @LINE+9]]:5: error: methods of interfaces must say what they return: 'def double(…) -> T'
# CHECK-NEXT:    def double(self, x: int):
# CHECK-NEXT:    ^~~~~~~~~~~~~~~~~~~~~~~~~
# CHECK-NEXT:{{.*}}choices-errors.py:[[# @LINE+8]]:10: error: Unknown type name 'Doubles'
# CHECK-NEXT:def f(d: Doubles):
# CHECK-NEXT:         ^~~~~~~
import torch
@torch.jit.interface
class Doubles:
    def double(self, x: int):
        pass
def f(d: Doubles):
    return d.double(1)

# -----

# A decorator that nobody defines.
# CHECK:{{.*}}choices-errors.py:[[# @LINE+3]]:2: error: undefined value cached
# CHECK-NEXT:@cached
# CHECK-NEXT: ^~~~~~
@cached
def f(x: int) -> int:
    return x

# -----

# LegacyConstructor
# CHECK:{{.*}}choices-errors.py:[[# @LINE+5]]:12: error: torch.LongTensor takes sizes, or one list or number that it makes a tensor of; and there are multiple positional arguments that were not all integers
# CHECK-NEXT:    return torch.LongTensor(1, [2])
# CHECK-NEXT:           ^~~~~~~~~~~~~~~~~~~~~~~~
import torch
def f():
    return torch.LongTensor(1, [2])

# -----

# LegacyConstructor: a keyword.
# CHECK:{{.*}}choices-errors.py:[[# @LINE+5]]:12: error: torch.FloatTensor takes sizes, or one list or number that it makes a tensor of; 'size' is none of its arguments
# CHECK-NEXT:    return torch.FloatTensor(size=3)
# CHECK-NEXT:           ^~~~~~~~~~~~~~~~~~~~~~~~~
import torch
def f():
    return torch.FloatTensor(size=3)

# -----

# EmptyCounterHint
# CHECK:{{.*}}choices-errors.py:[[# @LINE+5]]:9: error: the type of an empty counter cannot be told; annotate the variable: 'x: Counter[str] = Counter()'
# CHECK-NEXT:    c = Counter()
# CHECK-NEXT:        ^~~~~~~~~
from collections import Counter
def f() -> int:
    c = Counter()
    return len(c)

# -----

# CounterOfDict
# CHECK:{{.*}}choices-errors.py:[[# @LINE+5]]:16: error: a counter's counts are of type int, but the values of this dict are of type 'float'
# CHECK-NEXT:    return len(Counter({"a": 1.5}))
# CHECK-NEXT:               ^~~~~~~~~~~~~~~~~~~
from collections import Counter
def f() -> int:
    return len(Counter({"a": 1.5}))

# -----

# A library that a branch chooses.
# CHECK:{{.*}}choices-errors.py:[[# @LINE+13]]:12: error: m is no value, and what it stands for depends on a condition: only values can be chosen when the program runs
# CHECK-NEXT:    return m.sqrt(x)
# CHECK-NEXT:           ^
# CHECK-NEXT:{{.*}}choices-errors.py:[[# @LINE+6]]:5: note: the branch is here
# CHECK-NEXT:    if c:
# CHECK-NEXT:    ^~~~~
import cmath
import math
def f(x: float, c: bool):
    if c:
        m = math
    else:
        m = cmath
    return m.sqrt(x)

# -----

# A library that a loop puts in the place of another one.
# CHECK:{{.*}}choices-errors.py:[[# @LINE+10]]:12: error: m is no value, and what it stands for depends on a loop: only values can be chosen when the program runs
# CHECK-NEXT:    return m.sqrt(x)
# CHECK-NEXT:           ^
# CHECK-NEXT:{{.*}}choices-errors.py:[[# @LINE+5]]:5: note: the loop is here
# CHECK-NEXT:    for i in range(n):
# CHECK-NEXT:    ^~~~~~~~~~~~~~~~~~
def g(x: float, n: int):
    import math as m
    for i in range(n):
        import cmath as m
    return m.sqrt(x)

# -----

# CannotCall: what is given for a Callable.
# CHECK:{{.*}}choices-errors.py:[[# @LINE+7]]:18: error: cannot call a value of type 'int'
# CHECK-NEXT:    return apply(3, 4)
# CHECK-NEXT:                 ^
from typing import Callable
def apply(f: Callable[[int], int], x: int) -> int:
    return f(x)
def g() -> int:
    return apply(3, 4)

# -----

# A method that is exported, which nobody calls.
# CHECK:{{.*}}choices-errors.py:[[# @LINE+10]]:16: error: 'Tensor (inferred)' object has no attribute or method 'no_such'.
# CHECK-NEXT:        return x.no_such()
# CHECK-NEXT:               ^~~~~~~~~
import torch
import torch.nn as nn
class Net(nn.Module):
    def forward(self, x):
        return x
    @torch.jit.export
    def other(self, x):
        return x.no_such()

# -----

# AnnotatedType: what an annotation without a value has said.
# CHECK:{{.*}}choices-errors.py:[[# @LINE+5]]:5: error: Variable 'a' is annotated with type int but is being assigned to a value of type str
# CHECK-NEXT:    a = "b"
# CHECK-NEXT:    ^
def f() -> int:
    a: int
    a = "b"
    return a
