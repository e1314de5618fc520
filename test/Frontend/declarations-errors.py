# Definitions that cannot be.
# RUN: not tsc-run --check-only --split-input-file %s 2>&1 | FileCheck --strict-whitespace --match-full-lines %s

# -----

# DefaultNotConstant
# CHECK:{{.*}}declarations-errors.py:[[# @LINE+3]]:16: error: default value of parameter 'x' is not a constant of type int: Expected a default value of type int on parameter "x"
# CHECK-NEXT:def f(x: int = "one"):
# CHECK-NEXT:               ^~~~~
def f(x: int = "one"):
    return x

# -----

# Nor are bytes a constant of type str.
# CHECK:{{.*}}declarations-errors.py:[[# @LINE+3]]:16: error: default value of parameter 'x' is not a constant of type str: Expected a default value of type str on parameter "x"
# CHECK-NEXT:def f(x: str = b"one"):
# CHECK-NEXT:               ^~~~~~
def f(x: str = b"one"):
    return x

# -----

# UnsupportedBase
# CHECK:{{.*}}declarations-errors.py:[[# @LINE+7]]:9: error: class 'P': base class 'Q' isn't supported
# CHECK-NEXT:class P(Q):
# CHECK-NEXT:        ^
# CHECK-NEXT:{{.*}}declarations-errors.py:[[# @LINE+6]]:10: error: Unknown type name 'P'
# CHECK-NEXT:def f(p: P):
# CHECK-NEXT:         ^
import torch
class P(Q):
    x: int
def f(p: P):
    return p

# -----

# ClassBody
# CHECK:{{.*}}declarations-errors.py:[[# @LINE+8]]:5: error: class bodies hold attributes and methods only
# CHECK-NEXT:    print("no")
# CHECK-NEXT:    ^~~~~~~~~~~
# CHECK-NEXT:{{.*}}declarations-errors.py:[[# @LINE+6]]:10: error: Unknown type name 'P'
# CHECK-NEXT:def f(p: P):
# CHECK-NEXT:         ^
class P:
    x: int
    print("no")
def f(p: P):
    return p

# -----

# CHECK:{{.*}}declarations-errors.py:[[# @LINE+4]]:5: error: class bodies hold attributes and methods only
# CHECK-NEXT:    box[0] = 9
# CHECK-NEXT:    ^~~~~~
class Box:
    box[0] = 9

# -----

# AttributeDefault
# CHECK:{{.*}}declarations-errors.py:[[# @LINE+5]]:17: error: the default of 'w' is no constant of type 'Tensor': set the attribute in __init__()
# CHECK-NEXT:    w: Tensor = torch.ones([3])
# CHECK-NEXT:                ^~~~~~~~~~~~~~~
import torch
class Box:
    w: Tensor = torch.ones([3])

# -----

# CHECK:{{.*}}declarations-errors.py:[[# @LINE+4]]:17: error: the default of 'name' is no constant of type 'str': set the attribute in __init__()
# CHECK-NEXT:    name: str = 5
# CHECK-NEXT:                ^
class Box:
    name: str = 5

# -----

# MissingAnnotation
# CHECK:{{.*}}declarations-errors.py:[[# @LINE+8]]:5: error: 'x = 1' needs a type annotation
# CHECK-NEXT:    x = 1
# CHECK-NEXT:    ^~~~~
# CHECK-NEXT:{{.*}}declarations-errors.py:[[# @LINE+6]]:10: error: Unknown type name 'P'
# CHECK-NEXT:def f(p: P):
# CHECK-NEXT:         ^
from typing import NamedTuple
class P(NamedTuple):
    x = 1
def f(p: P):
    return p

# -----

# EnumValues
# CHECK:{{.*}}declarations-errors.py:[[# @LINE+9]]:5: error: enum 'E' must have members whose values are constants of one type
# CHECK-NEXT:    B = "two"
# CHECK-NEXT:    ^~~~~~~~~
# CHECK-NEXT:{{.*}}declarations-errors.py:[[# @LINE+7]]:10: error: Unknown type name 'E'
# CHECK-NEXT:def f(e: E):
# CHECK-NEXT:         ^
from enum import Enum
class E(Enum):
    A = 1
    B = "two"
def f(e: E):
    return e

# -----

# MethodWithoutSelf
# CHECK:{{.*}}declarations-errors.py:[[# @LINE+7]]:5: error: methods must have a self argument, and 'm' takes none
# CHECK-NEXT:    def m():
# CHECK-NEXT:    ^~~~~~~~
# CHECK-NEXT:{{.*}}declarations-errors.py:[[# @LINE+6]]:10: error: Unknown type name 'P'
# CHECK-NEXT:def f(p: P):
# CHECK-NEXT:         ^
class P:
    def m():
        return 1
def f(p: P):
    return p

# -----

# DuplicateDefinition
# CHECK:{{.*}}declarations-errors.py:[[# @LINE+9]]:5: error: 'm' is already defined
# CHECK-NEXT:    def m(self):
# CHECK-NEXT:    ^~~~~~~~~~~~
# CHECK-NEXT:{{.*}}declarations-errors.py:[[# @LINE+8]]:10: error: Unknown type name 'P'
# CHECK-NEXT:def f(p: P):
# CHECK-NEXT:         ^
class P:
    def m(self):
        return 1
    def m(self):
        return 2
def f(p: P):
    return p
