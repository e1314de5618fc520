# Calls that match nothing.
# RUN: not tsc-run --check-only --split-input-file %s 2>&1 | FileCheck --strict-whitespace --match-full-lines %s

# A call that no overload takes: a sentence about the nearest, and all of them where that is asked for.
# CHECK:{{.*}}calls-errors.py:[[# @LINE+6]]:12: error: 'matmul' takes a Tensor as 'other', and a List[int] was given
# CHECK-NEXT:(none of 2 overloads fits; --all-overloads lists them)
# CHECK-NEXT:    return torch.matmul(x, [1, 2])
# CHECK-NEXT:           ^~~~~~~~~~~~~~~~~~~~~~~
import torch
def f(x):
    return torch.matmul(x, [1, 2])

# -----

# CannotCall
# CHECK:{{.*}}calls-errors.py:[[# @LINE+5]]:12: error: cannot call a module 'torch.nn'
# CHECK-NEXT:    return torch.nn(x)
# CHECK-NEXT:           ^~~~~~~~~~~
import torch
def f(x):
    return torch.nn(x)

# -----

# CannotCall: a value.
# CHECK:{{.*}}calls-errors.py:[[# @LINE+4]]:12: error: cannot call a value of type 'int'
# CHECK-NEXT:    return x(1)
# CHECK-NEXT:           ^~~~
def f(x: int):
    return x(1)

# -----

# NoAttribute: of what super() is outside of a class.
# CHECK:{{.*}}calls-errors.py:[[# @LINE+4]]:12: error: attribute lookup is not defined on super, which has no attribute 'f'
# CHECK-NEXT:    return super().f(x)
# CHECK-NEXT:           ^~~~~~~~~
def f(x: int):
    return super().f(x)

# -----

# RecursiveCall: of a function within one.
# CHECK:{{.*}}calls-errors.py:[[# @LINE+5]]:16: error: function 'g' is called recursively. Recursive calls are not supported
# CHECK-NEXT:        return g(y - 1)
# CHECK-NEXT:               ^~~~~~~~
def f(x: int):
    def g(y: int) -> int:
        return g(y - 1)
    return g(x)

# -----

# UnannotatedRecursion: where no annotation says what the function returns.
# CHECK:{{.*}}calls-errors.py:[[# @LINE+4]]:12: error: function 'f' is called recursively. Recursive calls are not supported where nothing says what the function returns: annotate it, as in 'def f(...) -> int:'
# CHECK-NEXT:    return f(x)
# CHECK-NEXT:           ^~~~
def f(x: int):
    return f(x)

# -----

# MissingArgument
# CHECK:{{.*}}calls-errors.py:[[# @LINE+7]]:12: error: missing value for argument 'b'
# CHECK-NEXT:    return torch.jit.fork(g, x)
# CHECK-NEXT:           ^~~~~~~~~~~~~~~~~~~~
import torch
def f(x: int):
    def g(a: int, b: int):
        return a + b
    return torch.jit.fork(g, x)

# -----

# MixedLengths
# CHECK:{{.*}}calls-errors.py:[[# @LINE+5]]:17: error: Can not iterate over a module list or tuple with a value that does not have a statically determinable length
# CHECK-NEXT:    for a, b in zip((1, "a"), x):
# CHECK-NEXT:                ^~~~~~~~~~~~~~~~
from typing import List
def f(x: List[int]):
    for a, b in zip((1, "a"), x):
        print(a)
    return x

# -----

# NoConstructor
# CHECK:{{.*}}calls-errors.py:[[# @LINE+6]]:12: error: class __torch__.P does not define an __init__ that takes arguments
# CHECK-NEXT:    return P(x)
# CHECK-NEXT:           ^~~~
class P:
    x: int
def f(x: int):
    return P(x)

# -----

# FormArity
# CHECK:{{.*}}calls-errors.py:[[# @LINE+4]]:12: error: isinstance expected exactly 2 arguments, got 1
# CHECK-NEXT:    return isinstance(x)
# CHECK-NEXT:           ^~~~~~~~~~~~~
def f(x: int):
    return isinstance(x)

# -----

# FormArity
# CHECK:{{.*}}calls-errors.py:[[# @LINE+4]]:14: error: zip expected at least 1 arguments, got 0
# CHECK-NEXT:    for a in zip():
# CHECK-NEXT:             ^~~~~
def f(x: int):
    for a in zip():
        x = a
    return x

# -----

# PrintKeyword
# CHECK:{{.*}}calls-errors.py:[[# @LINE+4]]:14: error: print() takes 'sep', 'end' and 'flush' here, but has no 'file'
# CHECK-NEXT:    print(x, file=None)
# CHECK-NEXT:             ^~~~~~~~~
def f(x: int):
    print(x, file=None)

# -----

# PrintText
# CHECK:{{.*}}calls-errors.py:[[# @LINE+4]]:14: error: 'sep' of print() has to be None or a string, but is of type 'int'
# CHECK-NEXT:    print(x, sep=x)
# CHECK-NEXT:             ^~~~~
def f(x: int):
    print(x, sep=x)

# -----

# AnnotateType
# CHECK:{{.*}}calls-errors.py:[[# @LINE+6]]:12: error: expected an expression of type List[int] but found int
# CHECK-NEXT:    return torch.jit.annotate(List[int], x)
# CHECK-NEXT:           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
import torch
from typing import List
def f(x: int):
    return torch.jit.annotate(List[int], x)

# -----

# AttributeNameLiteral
# CHECK:{{.*}}calls-errors.py:[[# @LINE+7]]:23: error: getattr's second argument must be a string literal
# CHECK-NEXT:    return getattr(p, name)
# CHECK-NEXT:                      ^~~~
class P:
    def __init__(self, x: int):
        self.x = x
def f(p: P, name: str):
    return getattr(p, name)

# -----

# AttributeNameLiteral
# CHECK:{{.*}}calls-errors.py:[[# @LINE+7]]:23: error: hasattr's second argument must be a string literal
# CHECK-NEXT:    return hasattr(p, name)
# CHECK-NEXT:                      ^~~~
class P:
    def __init__(self, x: int):
        self.x = x
def f(p: P, name: str):
    return hasattr(p, name)

# -----

# RangeArgument
# CHECK:{{.*}}calls-errors.py:[[# @LINE+4]]:14: error: range expects integers, but found str
# CHECK-NEXT:    for i in range(x):
# CHECK-NEXT:             ^~~~~~~~
def f(x: str):
    for i in range(x):
        print(i)

# -----

# CastArguments
# CHECK:{{.*}}calls-errors.py:[[# @LINE+4]]:12: error: a conversion method of a tensor takes no arguments
# CHECK-NEXT:    return x.int(1)
# CHECK-NEXT:           ^~~~~~~~
def f(x):
    return x.int(1)

# -----

# ToListHint
# CHECK:{{.*}}calls-errors.py:[[# @LINE+4]]:14: error: Expected type hint for result of tolist()
# CHECK-NEXT:    y: str = x.tolist()
# CHECK-NEXT:             ^~~~~~~~~~
def f(x):
    y: str = x.tolist()
    return y

# -----

# FlagNotConstant
# CHECK:{{.*}}calls-errors.py:[[# @LINE+4]]:12: error: argument 'return_indices' decides on the type of the result: it has to be True or False
# CHECK-NEXT:    return torch.nn.functional.max_pool2d(x, 2, return_indices=b)
# CHECK-NEXT:           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
def f(x, b: bool):
    return torch.nn.functional.max_pool2d(x, 2, return_indices=b)

# -----

# Special forms take the keywords that they name, and no others.
# CHECK:{{.*}}calls-errors.py:[[# @LINE+4]]:14: error: range doesn't accept any keyword arguments
# CHECK-NEXT:    for i in range(5, step=2):
# CHECK-NEXT:             ^~~~~~~~~~~~~~~~
def f(x: int):
    for i in range(5, step=2):
        x += i
    return x

# -----

# UnknownKeyword
# CHECK:{{.*}}calls-errors.py:[[# @LINE+5]]:31: error: enumerate got an unexpected keyword argument 'begin'
# CHECK-NEXT:    for i, y in enumerate(xs, begin=5):
# CHECK-NEXT:                              ^~~~~~~
from typing import List
def f(xs: List[int]):
    for i, y in enumerate(xs, begin=5):
        print(i, y)

# -----

# A start that is given twice.
# CHECK:{{.*}}calls-errors.py:[[# @LINE+5]]:34: error: enumerate got an unexpected keyword argument 'start'
# CHECK-NEXT:    for i, y in enumerate(xs, 1, start=5):
# CHECK-NEXT:                                 ^~~~~~~
from typing import List
def f(xs: List[int]):
    for i, y in enumerate(xs, 1, start=5):
        print(i, y)

# -----

# CHECK:{{.*}}calls-errors.py:[[# @LINE+5]]:17: error: zip doesn't accept any keyword arguments
# CHECK-NEXT:    for x, y in zip(xs, xs, strict=True):
# CHECK-NEXT:                ^~~~~~~~~~~~~~~~~~~~~~~~
from typing import List
def f(xs: List[int]):
    for x, y in zip(xs, xs, strict=True):
        print(x, y)

# -----

# CHECK:{{.*}}calls-errors.py:[[# @LINE+5]]:12: error: len doesn't accept any keyword arguments
# CHECK-NEXT:    return len(xs, foo=3)
# CHECK-NEXT:           ^~~~~~~~~~~~~~
from typing import List
def f(xs: List[int]):
    return len(xs, foo=3)

# -----

# CHECK:{{.*}}calls-errors.py:[[# @LINE+5]]:12: error: reversed doesn't accept any keyword arguments
# CHECK-NEXT:    return reversed(xs, foo=3)
# CHECK-NEXT:           ^~~~~~~~~~~~~~~~~~~
from typing import List
def f(xs: List[int]):
    return reversed(xs, foo=3)

# -----

# CHECK:{{.*}}calls-errors.py:[[# @LINE+5]]:12: error: list doesn't accept any keyword arguments
# CHECK-NEXT:    return list(xs, foo=3)
# CHECK-NEXT:           ^~~~~~~~~~~~~~~
from typing import List
def f(xs: List[int]):
    return list(xs, foo=3)

# -----

# CHECK:{{.*}}calls-errors.py:[[# @LINE+4]]:12: error: tuple doesn't accept any keyword arguments
# CHECK-NEXT:    return tuple((x, x), foo=3)
# CHECK-NEXT:           ^~~~~~~~~~~~~~~~~~~~
def f(x: int):
    return tuple((x, x), foo=3)

# -----

# CHECK:{{.*}}calls-errors.py:[[# @LINE+4]]:12: error: getattr doesn't accept any keyword arguments
# CHECK-NEXT:    return getattr(x, "shape", default=3)
# CHECK-NEXT:           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
def f(x):
    return getattr(x, "shape", default=3)

# -----

# CHECK:{{.*}}calls-errors.py:[[# @LINE+4]]:12: error: hasattr doesn't accept any keyword arguments
# CHECK-NEXT:    return hasattr(x, "shape", default=3)
# CHECK-NEXT:           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
def f(x):
    return hasattr(x, "shape", default=3)

# -----

# CHECK:{{.*}}calls-errors.py:[[# @LINE+4]]:12: error: isinstance doesn't accept any keyword arguments
# CHECK-NEXT:    return isinstance(x, int, foo=3)
# CHECK-NEXT:           ^~~~~~~~~~~~~~~~~~~~~~~~~
def f(x: int):
    return isinstance(x, int, foo=3)

# -----

# CHECK:{{.*}}calls-errors.py:[[# @LINE+5]]:12: error: annotate doesn't accept any keyword arguments
# CHECK-NEXT:    return torch.jit.annotate(int, x, foo=3)
# CHECK-NEXT:           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
import torch
def f(x: int):
    return torch.jit.annotate(int, x, foo=3)

# -----

# CHECK:{{.*}}calls-errors.py:[[# @LINE+5]]:12: error: cast doesn't accept any keyword arguments
# CHECK-NEXT:    return cast(int, x, foo=3)
# CHECK-NEXT:           ^~~~~~~~~~~~~~~~~~~
from typing import cast
def f(x: int):
    return cast(int, x, foo=3)

# -----

# dict() keeps its keywords, and they have to fit.
# CHECK:{{.*}}calls-errors.py:[[# @LINE+5]]:25: error: Type annotation was inferred to be `Dict[str, str]`, but the type of values given by the dict literal is int
# CHECK-NEXT:    d: Dict[str, str] = dict(a=1)
# CHECK-NEXT:                        ^~~~~~~~~
from typing import Dict
def f():
    d: Dict[str, str] = dict(a=1)
    return d

# -----

# CHECK:{{.*}}calls-errors.py:[[# @LINE+5]]:12: error: dict expected at most 1 arguments, got 2
# CHECK-NEXT:    return dict(d, d)
# CHECK-NEXT:           ^~~~~~~~~~
from typing import Dict
def f(d: Dict[str, int]):
    return dict(d, d)

# -----

# A starred argument may be more than it looks.
# CHECK:{{.*}}calls-errors.py:[[# @LINE+4]]:14: error: range expected at most 3 arguments, got 4
# CHECK-NEXT:    for i in range(*(1, 2, 3, 4)):
# CHECK-NEXT:             ^~~~~~~~~~~~~~~~~~~~
def f(x: int):
    for i in range(*(1, 2, 3, 4)):
        x += i
    return x

# -----

# PositionalOnly
# CHECK:{{.*}}calls-errors.py:[[# @LINE+6]]:12: error: g() got some positional-only arguments passed as keyword arguments: 'a'
# CHECK-NEXT:    return g(b=1, a=x)
# CHECK-NEXT:           ^~~~~~~~~~~
def g(a: int, /, b: int):
    return a + b
def f(x: int):
    return g(b=1, a=x)

# -----

# UnknownKeywords
# CHECK:{{.*}}calls-errors.py:[[# @LINE+8]]:14: error: a dict whose keys are not known while compiling cannot be taken apart into keyword arguments of a function without '**'
# CHECK-NEXT:    return g(**options)
# CHECK-NEXT:             ^~~~~~~~~
from typing import Dict
def g(a: int) -> int:
    return a

def f(options: Dict[str, int]) -> int:
    return g(**options)
