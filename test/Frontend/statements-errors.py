# Statements that do not fit together.
# RUN: not tsc-run --check-only --split-input-file %s 2>&1 | FileCheck --strict-whitespace --match-full-lines %s

# NotFirstClass
# CHECK:{{.*}}statements-errors.py:[[# @LINE+8]]:9: error: Cannot re-assign 'h' to a value of type 'Tensor' because it is not a first-class value. Only reassignments to first-class values are allowed
# CHECK-NEXT:        h = x
# CHECK-NEXT:        ^
def g(x):
    return x
def f(x):
    h = g
    if bool(x):
        h = x
    return h

# -----

# RedeclaredType
# CHECK:{{.*}}statements-errors.py:[[# @LINE+6]]:9: error: Attempting to declare and annotate the type of variable 'y' that is already defined in an outer block
# CHECK-NEXT:        y: int = 2
# CHECK-NEXT:        ^
def f(x: int):
    y = 1
    if x > 0:
        y: int = 2
    return y

# -----

# VariableType
# CHECK:{{.*}}statements-errors.py:[[# @LINE+6]]:9: error: Variable 'y' previously had type int but is now being assigned to a value of type str
# CHECK-NEXT:        y = "two"
# CHECK-NEXT:        ^
def f(x: int):
    y = 1
    if x > 0:
        y = "two"
    return y

# -----

# AnnotatedType
# CHECK:{{.*}}statements-errors.py:[[# @LINE+4]]:5: error: Variable 'y' is annotated with type str but is being assigned to a value of type int
# CHECK-NEXT:    y: str = x
# CHECK-NEXT:    ^
def f(x: int):
    y: str = x
    return y

# -----

# UndefinedOnPath
# CHECK:{{.*}}statements-errors.py:[[# @LINE+7]]:5: error: y is set to type int in the true branch and type str in the false branch
# CHECK-NEXT:    if x > 0:
# CHECK-NEXT:    ^~~~~~~~~
# CHECK-NEXT:{{.*}}statements-errors.py:[[# @LINE+8]]:12: note: and is used here
# CHECK-NEXT:    return y
# CHECK-NEXT:           ^
def f(x: int):
    if x > 0:
        y = 1
    else:
        y = "two"
    return y

# -----

# CannotUnpack
# CHECK:{{.*}}statements-errors.py:[[# @LINE+4]]:5: error: value of type 'int' cannot be used as a tuple
# CHECK-NEXT:    a, b = x
# CHECK-NEXT:    ^~~~~~~~
def f(x: int):
    a, b = x
    return a

# -----

# UnknownLength
# CHECK:{{.*}}statements-errors.py:[[# @LINE+5]]:16: error: Provided list cannot be used as a tuple: its length is not known
# CHECK-NEXT:    return max(*x)
# CHECK-NEXT:               ^~
from typing import List
def f(x: List[int]):
    return max(*x)

# -----

# TwoStarred
# CHECK:{{.*}}statements-errors.py:[[# @LINE+4]]:9: error: Only one starred expression is allowed on the lhs
# CHECK-NEXT:    *a, *b = (x, x)
# CHECK-NEXT:        ^~
def f(x: int):
    *a, *b = (x, x)
    return a

# -----

# NotEnoughValues
# CHECK:{{.*}}statements-errors.py:[[# @LINE+4]]:5: error: need 3 values to unpack but found only 2
# CHECK-NEXT:    a, b, c = (x, x)
# CHECK-NEXT:    ^~~~~~~~~~~~~~~~
def f(x: int):
    a, b, c = (x, x)
    return a

# -----

# TooManyValues
# CHECK:{{.*}}statements-errors.py:[[# @LINE+4]]:5: error: too many values to unpack: need 2 but found 3
# CHECK-NEXT:    a, b = (x, x, x)
# CHECK-NEXT:    ^~~~~~~~~~~~~~~~
def f(x: int):
    a, b = (x, x, x)
    return a

# -----

# InvalidDelete
# CHECK:{{.*}}statements-errors.py:[[# @LINE+4]]:9: error: 'del' statements are only supported for deleting variables and elements of lists and dicts
# CHECK-NEXT:    del x.y
# CHECK-NEXT:        ^~~
def f(x: int):
    del x.y
    return x

# -----

# OutsideLoop
# CHECK:{{.*}}statements-errors.py:[[# @LINE+4]]:5: error: SyntaxError: 'break' outside loop
# CHECK-NEXT:    break
# CHECK-NEXT:    ^~~~~
def f(x: int):
    break
    return x

# -----

# OutsideLoop: a function within a loop has none, called or not.
# CHECK:{{.*}}statements-errors.py:[[# @LINE+6]]:13: error: SyntaxError: 'break' outside loop
# CHECK-NEXT:            break
# CHECK-NEXT:            ^~~~~
def f(x: int):
    for i in range(x):
        def g():
            break
        for j in range(i):
            break
    return x

# -----

# OutsideLoop
# CHECK:{{.*}}statements-errors.py:[[# @LINE+5]]:9: error: SyntaxError: 'continue' outside loop
# CHECK-NEXT:        continue
# CHECK-NEXT:        ^~~~~~~~
def f(x: int):
    if x > 0:
        continue
    return x

# -----

# InsideUnrolledLoop
# CHECK:{{.*}}statements-errors.py:[[# @LINE+5]]:9: error: Because we emit iteration over Modulelists or Tuples as unrolled loops, we do not support break or continue inside the body of these loops: 'break'
# CHECK-NEXT:        break
# CHECK-NEXT:        ^~~~~
def f(x: int):
    for i in (x, "a"):
        break
    return x

# -----

# NotIterable
# CHECK:{{.*}}statements-errors.py:[[# @LINE+4]]:14: error: 'int' object is not iterable
# CHECK-NEXT:    for i in x:
# CHECK-NEXT:             ^
def f(x: int):
    for i in x:
        print(i)
    return x

# -----

# NotIterable: nor is a module.
# CHECK:{{.*}}statements-errors.py:[[# @LINE+5]]:24: error: module 'torch' object is not iterable
# CHECK-NEXT:    return [a for a in torch]
# CHECK-NEXT:                       ^~~~~
import torch
def f(x: int):
    return [a for a in torch]

# -----

# ReturnType
# CHECK:{{.*}}statements-errors.py:[[# @LINE+4]]:5: error: Return value was annotated as having type str but is actually of type int
# CHECK-NEXT:    return x
# CHECK-NEXT:    ^~~~~~~~
def f(x: int) -> str:
    return x

# -----

# ReturnMismatch
# CHECK:{{.*}}statements-errors.py:[[# @LINE+9]]:5: error: Previous return statement returned a value of type int but this return statement returns a value of type str
# CHECK-NEXT:    return "none"
# CHECK-NEXT:    ^~~~~~~~~~~~~
# CHECK-NEXT:{{.*}}statements-errors.py:[[# @LINE+5]]:9: note: the previous return statement is here
# CHECK-NEXT:        return x
# CHECK-NEXT:        ^~~~~~~~
def f(x: int):
    if x > 0:
        return x
    return "none"

# -----

# NoReturn
# CHECK:{{.*}}statements-errors.py:[[# @LINE+6]]:1: error: Function was not annotated as having type None, but does not return along all paths
# CHECK-NEXT:def f(x: int) -> int:
# CHECK-NEXT:^~~~~~~~~~~~~~~~~~~~~
# CHECK-NEXT:{{.*}}statements-errors.py:[[# @LINE+4]]:8: note: nothing is returned where this condition is false
# CHECK-NEXT:    if x > 0:
# CHECK-NEXT:       ^~~~~
def f(x: int) -> int:
    if x > 0:
        return x

# -----

# NotAContextManager
# CHECK:{{.*}}statements-errors.py:[[# @LINE+4]]:10: error: with item of type int must return an object: it does not define __enter__ and __exit__ methods
# CHECK-NEXT:    with x:
# CHECK-NEXT:         ^
def f(x: int):
    with x:
        return x

# -----

# BadContextManager
# CHECK:{{.*}}statements-errors.py:[[# @LINE+11]]:10: error: __enter__ must have only one argument and one return value: with item of type __torch__.P
# CHECK-NEXT:    with P(x):
# CHECK-NEXT:         ^~~~
class P:
    def __init__(self, x: int):
        self.x = x
    def __enter__(self, y: int):
        return self
    def __exit__(self, type: int):
        return 1
def f(x: int):
    with P(x):
        y = x
    return y

# -----

# BadContextManager: what is left in a body was entered, and is told of an exception by four arguments.
# CHECK:{{.*}}statements-errors.py:[[# @LINE+11]]:10: error: __exit__ must have four arguments: with item of type __torch__.P
# CHECK-NEXT:    with P(x):
# CHECK-NEXT:         ^~~~
class P:
    def __init__(self, x: int):
        self.x = x
    def __enter__(self):
        return self
    def __exit__(self, type: int):
        return 1
def f(x: int):
    with P(x):
        y = x
    return y

# -----

# BadContextManager: the arguments are None.
# CHECK:{{.*}}statements-errors.py:[[# @LINE+11]]:10: error: argument 2 of __exit__ must have Any type: with item of type __torch__.P
# CHECK-NEXT:    with P(x):
# CHECK-NEXT:         ^~~~
class P:
    def __init__(self, x: int):
        self.x = x
    def __enter__(self):
        return self
    def __exit__(self, type: Any, value: int, tb: Any):
        return 1
def f(x: int):
    with P(x):
        y = x
    return y

# -----

# AnnotatedType: none of the lists that a Union allows.
# CHECK:{{.*}}statements-errors.py:[[# @LINE+4]]:5: error: Variable 'y' is annotated with type Union[List[int], List[str]] but is being assigned to a value of type List[Union[int, str]]. The Union type annotation can hold multiple inner List types, but none of those types match the types of the given list elements
# CHECK-NEXT:    y: Union[List[str], List[int]] = ["a", 1]
# CHECK-NEXT:    ^
def f():
    y: Union[List[str], List[int]] = ["a", 1]
    return y

# -----

# AnnotatedType: no list at all.
# CHECK:{{.*}}statements-errors.py:[[# @LINE+4]]:5: error: Variable 'y' is annotated with type Union[int, str] but is being assigned to a value of type List[int]. Expected an Union type annotation with an inner List type
# CHECK-NEXT:    y: Union[str, int] = [1]
# CHECK-NEXT:    ^
def f():
    y: Union[str, int] = [1]
    return y

# -----

# UndefinedOnPath, LoopHere
# CHECK:{{.*}}statements-errors.py:[[# @LINE+9]]:12: error: y is not defined when the loop is not run
# CHECK-NEXT:    return y
# CHECK-NEXT:           ^
# CHECK-NEXT:{{.*}}statements-errors.py:[[# @LINE+4]]:5: note: the loop is here
# CHECK-NEXT:    for i in range(x):
# CHECK-NEXT:    ^~~~~~~~~~~~~~~~~~
def f(x: int):
    for i in range(x):
        y = i
    return y

# -----

# A variable that one path deletes is gone behind it, and is there on the other.
# CHECK:{{.*}}statements-errors.py:[[# @LINE+9]]:12: error: undefined value y
# CHECK-NEXT:    return y
# CHECK-NEXT:           ^
def f(x: int):
    y = x
    if x > 0:
        del y
    else:
        x = y
    return y

# -----

# ImmutableElements
# CHECK:{{.*}}statements-errors.py:[[# @LINE+5]]:5: error: elements of Tuple[int, int] cannot be assigned, changed in place or deleted: 'Tuple[int, int]' object does not support augmented assignment; make a new value of its parts
# CHECK-NEXT:    a[0] += 1
# CHECK-NEXT:    ^~~~
from typing import Tuple
def f(a: Tuple[int, int]):
    a[0] += 1
    return a

# -----

# CHECK:{{.*}}statements-errors.py:[[# @LINE+5]]:5: error: elements of Tuple[int, int] cannot be assigned, changed in place or deleted: 'Tuple[int, int]' object does not support subscripted assignment; make a new value of its parts
# CHECK-NEXT:    a[0] = 1
# CHECK-NEXT:    ^~~~
from typing import Tuple
def f(a: Tuple[int, int]):
    a[0] = 1
    return a

# -----

# RaiseNoException
# CHECK:{{.*}}statements-errors.py:[[# @LINE+4]]:11: error: exceptions must derive from BaseException; found a value of type int
# CHECK-NEXT:    raise 3 + 4
# CHECK-NEXT:          ^~~~~
def f():
    raise 3 + 4

# -----

# AmbiguousEmptyList
# CHECK:{{.*}}statements-errors.py:[[# @LINE+5]]:41: error: there are multiple possible List type candidates in the Union annotation Union[List[Tensor], List[str]]: an empty list fits several; write torch.jit.annotate(List[T], [])
# CHECK-NEXT:    x: Union[List[str], List[Tensor]] = []
# CHECK-NEXT:                                        ^~
from typing import List, Union
def f():
    x: Union[List[str], List[Tensor]] = []
    return x

# -----

# UndefinedValue
# CHECK:{{.*}}statements-errors.py:[[# @LINE+4]]:11: error: undefined value Unknown
# CHECK-NEXT:    raise Unknown("zero")
# CHECK-NEXT:          ^~~~~~~
def f(n: int):
    raise Unknown("zero")

# -----

# NoExceptionClass
# CHECK:{{.*}}statements-errors.py:[[# @LINE+8]]:11: error: 'Plain' is no class of exceptions
# CHECK-NEXT:    raise Plain("zero")
# CHECK-NEXT:          ^~~~~
class Plain:
    def __init__(self, text: str):
        self.text = text

def f(n: int):
    raise Plain("zero")

# -----

# StarredTarget
# CHECK:{{.*}}statements-errors.py:[[# @LINE+4]]:9: error: Cannot pack a tuple into a non-variable: '1'
# CHECK-NEXT:    a, *1 = x
# CHECK-NEXT:        ^
def f(x: Tuple[int, int, int]):
    a, *1 = x
    return a

# -----

# LoneStarred
# CHECK:{{.*}}statements-errors.py:[[# @LINE+5]]:9: error: A Starred expression may only appear on the lhs within the presence of another non-starred expression
# CHECK-NEXT:    for *a in x:
# CHECK-NEXT:        ^~
def f(x: List[List[int]]):
    n = 0
    for *a in x:
        n += 1
    return n

# -----

# ReassignedModule
# CHECK:{{.*}}statements-errors.py:[[# @LINE+8]]:13: error: Cannot re-assign 'self' because it holds a module, which is no first-class value. Only reassignments to first-class values are allowed
# CHECK-NEXT:            self = x
# CHECK-NEXT:            ^~~~
import torch
from torch import nn
class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        for _ in range(2):
            self = x
        return x
net = Net()

# -----

# ListHint
# CHECK:{{.*}}statements-errors.py:[[# @LINE+4]]:14: error: Expected an annotation of type List for this list but got int
# CHECK-NEXT:    b: int = [2, 3]
# CHECK-NEXT:             ^~~~~~
def f():
    b: int = [2, 3]
    return b

# -----

# DictHint
# CHECK:{{.*}}statements-errors.py:[[# @LINE+5]]:29: error: Dict type annotation `Dict[str, int]` did not match the type of an actual value type `Union[int, str]`
# CHECK-NEXT:    d: Dict[str, int] = {k: v for k, v in zip(["a", "b"], [1, "c"])}
# CHECK-NEXT:                            ^
from typing import Dict
def f():
    d: Dict[str, int] = {k: v for k, v in zip(["a", "b"], [1, "c"])}
    return d

# -----

# NoInPlaceOperator
# CHECK:{{.*}}statements-errors.py:[[# @LINE+9]]:5: error: Cannot emit inplace op on __torch__.Plain since it does not define an __iadd__ or __add__ method
# CHECK-NEXT:    a += Plain()
# CHECK-NEXT:    ^~~~~~~~~~~~
class Plain:
    def __init__(self):
        self.number = 1

def f():
    a = Plain()
    a += Plain()
    return a.number

# -----

# BuiltinAsValue
# CHECK:{{.*}}statements-errors.py:[[# @LINE+5]]:12: error: builtin cannot be used as a value: 'unsqueeze' can only be called
# CHECK-NEXT:    return x.unsqueeze
# CHECK-NEXT:           ^~~~~~~~~~~
import torch
def f(x: torch.Tensor):
    return x.unsqueeze

# -----

# SeveralAugmented
# CHECK:{{.*}}statements-errors.py:[[# @LINE+4]]:5: error: augmented assignment can only have one LHS expression
# CHECK-NEXT:    a, b += 1
# CHECK-NEXT:    ^~~~
def f(a: int, b: int):
    a, b += 1
    return a
