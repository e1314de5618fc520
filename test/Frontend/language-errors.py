# What goes beyond TorchScript, used wrongly. One error a file, in each the text and the caret.
# RUN: not tsc-run --check-only --split-input-file %s 2>&1 | FileCheck --strict-whitespace --match-full-lines %s

# NoUnaryOperator
# CHECK:{{.*}}language-errors.py:[[# @LINE+4]]:12: error: bad operand type for unary +: 'str'
# CHECK-NEXT:    return +x
# CHECK-NEXT:           ^~
def f(x: str):
    return +x

# -----

# ClosureArgument
# CHECK:{{.*}}language-errors.py:[[# @LINE+6]]:14: error: g() expects a value of type 'int' for argument 'n' but got one of type 'str'
# CHECK-NEXT:    return g("a")
# CHECK-NEXT:             ^~~
def f():
    def g(n: int):
        return n
    return g("a")

# -----

# TooManyArguments
# CHECK:{{.*}}language-errors.py:[[# @LINE+5]]:17: error: lambda() takes 1 arguments, and more are given
# CHECK-NEXT:    return g(x, x)
# CHECK-NEXT:                ^
def f(x: int):
    g = lambda n: n
    return g(x, x)

# -----

# SetElement
# CHECK:{{.*}}language-errors.py:[[# @LINE+4]]:12: error: sets and counters hold numbers, strings and tuples of them of one type, but not values of type 'Tensor'
# CHECK-NEXT:    return {x}
# CHECK-NEXT:           ^~~
def f(x):
    return {x}

# -----

# EmptySetHint
# CHECK:{{.*}}language-errors.py:[[# @LINE+4]]:9: error: the type of an empty set cannot be told; annotate the variable: 'x: Set[int] = set()'
# CHECK-NEXT:    s = set()
# CHECK-NEXT:        ^~~~~
def f():
    s = set()
    return 1

# -----

# AssertNever
# CHECK:{{.*}}language-errors.py:[[# @LINE+8]]:9: error: assert_never is reached: its argument may be of type 'str'
# CHECK-NEXT:        assert_never(x)
# CHECK-NEXT:        ^~~~~~~~~~~~~~~
from typing import Union, assert_never
def f(x: Union[int, str]):
    if isinstance(x, int):
        return x
    else:
        assert_never(x)
    return 1

# -----

# NoExceptionClass
# CHECK:{{.*}}language-errors.py:[[# @LINE+6]]:12: error: 'Problem' is no class of exceptions
# CHECK-NEXT:    except Problem:
# CHECK-NEXT:           ^~~~~~~
def f(x: int):
    try:
        return x
    except Problem:
        return 1

# -----

# GlobalNotConstant
# CHECK:{{.*}}language-errors.py:[[# @LINE+6]]:12: error: global variable 'W' cannot be used as a value: its value is not known while compiling. Pass it as an argument
# CHECK-NEXT:    return W
# CHECK-NEXT:           ^
import torch
W = torch.ones(3)
def f():
    return W
