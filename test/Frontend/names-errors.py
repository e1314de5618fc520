# Names, attributes and types that are not there.
# RUN: not tsc-run --check-only --split-input-file %s 2>&1 | FileCheck --strict-whitespace --match-full-lines %s

# UndefinedValue
# CHECK:{{.*}}names-errors.py:[[# @LINE+4]]:12: error: undefined value y
# CHECK-NEXT:    return y
# CHECK-NEXT:           ^
def f(x: int):
    return y

# -----

# UndefinedOnPath, UsedHere: the note shows where it is wanted.
# CHECK:{{.*}}names-errors.py:[[# @LINE+7]]:5: error: y is not defined in the false branch
# CHECK-NEXT:    if x > 0:
# CHECK-NEXT:    ^~~~~~~~~
# CHECK-NEXT:{{.*}}names-errors.py:[[# @LINE+6]]:12: note: and is used here
# CHECK-NEXT:    return y
# CHECK-NEXT:           ^
def f(x: int):
    if x > 0:
        y = 1
    return y

# -----

# UndefinedMember
# CHECK:{{.*}}names-errors.py:[[# @LINE+5]]:12: error: module 'torch' has no attribute 'no_such_thing'
# CHECK-NEXT:    return torch.no_such_thing(x)
# CHECK-NEXT:           ^~~~~~~~~~~~~~~~~~~
import torch
def f(x):
    return torch.no_such_thing(x)

# -----

# UndefinedMember: a name is near when one letter in three is another.
# CHECK:{{.*}}names-errors.py:[[# @LINE+5]]:12: error: module 'torch' has no attribute 'sotfmax', did you mean 'torch.softmax'?
# CHECK-NEXT:    return torch.sotfmax(x)
# CHECK-NEXT:           ^~~~~~~~~~~~~
import torch
def f(x):
    return torch.sotfmax(x)

# -----

# CHECK:{{.*}}names-errors.py:[[# @LINE+5]]:12: error: module 'torch' has no attribute 'foo'
# CHECK-NEXT:    return torch.foo(x)
# CHECK-NEXT:           ^~~~~~~~~
import torch
def f(x):
    return torch.foo(x)

# -----

# NotAValue
# CHECK:{{.*}}names-errors.py:[[# @LINE+5]]:12: error: module 'torch' cannot be used as a value
# CHECK-NEXT:    return torch
# CHECK-NEXT:           ^~~~~
import torch
def f(x):
    return torch

# -----

# NoAttribute
# CHECK:{{.*}}names-errors.py:[[# @LINE+6]]:12: error: attribute lookup is not defined on function, which has no attribute 'name'
# CHECK-NEXT:    return g.name
# CHECK-NEXT:           ^~~~~~
def g(x):
    return x
def f(x):
    return g.name

# -----

# NoValueAttribute
# CHECK:{{.*}}names-errors.py:[[# @LINE+4]]:12: error: 'int' object has no attribute or method 'bit'.
# CHECK-NEXT:    return x.bit
# CHECK-NEXT:           ^~~~~
def f(x: int):
    return x.bit

# -----

# NoValueAttribute: says what it guessed of a parameter without a type.
# CHECK:{{.*}}names-errors.py:[[# @LINE+4]]:12: error: 'Tensor (inferred)' object has no attribute or method 'bit'.
# CHECK-NEXT:    return x.bit
# CHECK-NEXT:           ^~~~~
def f(x):
    return x.bit

# -----

# NoClassAttribute
# CHECK:{{.*}}names-errors.py:[[# @LINE+7]]:12: error: '__torch__.P' object has no attribute or method 'y'. Did you forget to initialize an attribute in __init__()?
# CHECK-NEXT:    return P(x).y
# CHECK-NEXT:           ^~~~~~
class P:
    def __init__(self, x: int):
        self.x = x
def f(x: int):
    return P(x).y

# -----

# NoAttributeOnOptional
# CHECK:{{.*}}names-errors.py:[[# @LINE+8]]:12: error: 'Optional[__torch__.P]' object has no attribute or method 'x'. Did you mean to check for None first (if x is not None)?
# CHECK-NEXT:    return p.x
# CHECK-NEXT:           ^~~
from typing import Optional
class P:
    def __init__(self, x: int):
        self.x = x
def f(p: Optional[P]):
    return p.x

# -----

# CannotSetAttribute
# CHECK:{{.*}}names-errors.py:[[# @LINE+4]]:5: error: attribute assignment is not defined on value of type 'int': 'y'
# CHECK-NEXT:    x.y = 1
# CHECK-NEXT:    ^~~~~~~
def f(x: int):
    x.y = 1
    return x

# -----

# NoSetter
# CHECK:{{.*}}names-errors.py:[[# @LINE+11]]:5: error: Tried to set read-only attribute: x
# CHECK-NEXT:    p.x = 2
# CHECK-NEXT:    ^~~~~~~
class P:
    def __init__(self, x: int):
        self._x = x
    @property
    def x(self) -> int:
        return self._x
def f(x: int):
    p = P(x)
    p.x = 2
    return p

# -----

# NoSuchAttributeToSet
# CHECK:{{.*}}names-errors.py:[[# @LINE+8]]:5: error: Tried to set nonexistent attribute: y. Did you forget to initialize it in __init__()?
# CHECK-NEXT:    p.y = 2
# CHECK-NEXT:    ^~~~~~~
class P:
    def __init__(self, x: int):
        self.x = x
def f(x: int):
    p = P(x)
    p.y = 2
    return p

# -----

# AttributeType
# CHECK:{{.*}}names-errors.py:[[# @LINE+8]]:5: error: Wrong type for attribute assignment of 'x'. Expected int but got str
# CHECK-NEXT:    p.x = "no"
# CHECK-NEXT:    ^~~~~~~~~~
class P:
    def __init__(self, x: int):
        self.x = x
def f(x: int):
    p = P(x)
    p.x = "no"
    return p

# -----

# BadType: a name that is no type.
# CHECK:{{.*}}names-errors.py:[[# @LINE+3]]:10: error: Unknown type name 'Lisst'
# CHECK-NEXT:def f(x: Lisst):
# CHECK-NEXT:         ^~~~~
def f(x: Lisst):
    return x

# -----

# BadType: a tuple in the place of types.
# CHECK:{{.*}}names-errors.py:[[# @LINE+4]]:16: error: Tuple literal in Tuple type annotation must not have any elements
# CHECK-NEXT:def f(x: Tuple[(int,)]):
# CHECK-NEXT:               ^~~~~~
from typing import Tuple
def f(x: Tuple[(int,)]):
    return x

# -----

# UndefinedValue: the target of a comprehension is known in it alone.
# CHECK:{{.*}}names-errors.py:[[# @LINE+5]]:12: error: undefined value i
# CHECK-NEXT:    return i
# CHECK-NEXT:           ^
def f(x: int):
    y = [i for i in range(x)]
    return i

# -----

# NoValueAttribute: numbers have the methods that operators have for a number as `self`.
# CHECK:{{.*}}names-errors.py:[[# @LINE+4]]:12: error: 'int' object has no attribute or method 'add'.
# CHECK-NEXT:    return x.add(1)
# CHECK-NEXT:           ^~~~~
def f(x: int):
    return x.add(1)

# -----

# BadType: a type with too few parts.
# CHECK:{{.*}}names-errors.py:[[# @LINE+4]]:10: error: Dict type must have exactly 2 element types
# CHECK-NEXT:def f(x: Dict[str]):
# CHECK-NEXT:         ^~~~~~~~~
from typing import Dict
def f(x: Dict[str]):
    return x
