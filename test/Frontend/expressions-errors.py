# Expressions that do not fit together.
# RUN: not tsc-run --check-only --split-input-file %s 2>&1 | FileCheck --strict-whitespace --match-full-lines %s

# MisplacedStarred
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+4]]:12: error: Unexpected starred expansion: '*' stands before arguments of a call, and elements of a tuple or list
# CHECK-NEXT:    return *x
# CHECK-NEXT:           ^~
def f(x: int):
    return *x

# -----

# MisplacedEllipsis
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+4]]:9: error: ellipsis is only supported in a subscript
# CHECK-NEXT:    y = ...
# CHECK-NEXT:        ^~~
def f(x: int):
    y = ...
    return y

# -----

# SliceKeyword
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+4]]:14: error: Slice does not accept any keyword arguments
# CHECK-NEXT:    return x[slice(1, stop=2)]
# CHECK-NEXT:             ^~~~~~~~~~~~~~~~
def f(x: list[int]):
    return x[slice(1, stop=2)]

# -----

# FStringConversion
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+4]]:14: error: Don't support conversion in JoinedStr: '!a' is none of '!r' and '!s'
# CHECK-NEXT:    return f"{x!a}"
# CHECK-NEXT:             ^~~~~
def f(x: int):
    return f"{x!a}"

# -----

# FormatNames
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+4]]:12: error: 'format' takes named values only where its text is a literal
# CHECK-NEXT:    return s.format(x=1)
# CHECK-NEXT:           ^~~~~~~~~~~~~
def f(s: str):
    return s.format(x=1)

# -----

# FormatUnknownName
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+4]]:12: error: the text to format names a value 'y', which is not given
# CHECK-NEXT:    return "{y}".format(x=1)
# CHECK-NEXT:           ^~~~~~~~~~~~~~~~~
def f(s: str):
    return "{y}".format(x=1)

# -----

# LogicalTypes
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+4]]:12: error: the value of 'or' would be of type 'str' or 'int': both sides must have one type
# CHECK-NEXT:    return s or 1
# CHECK-NEXT:           ^~~~~~
def f(s: str):
    return s or 1

# -----

# ListElementType
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+5]]:20: error: List type annotation `List[int]` did not match the types of the given list elements: expected int but found str
# CHECK-NEXT:    y: List[int] = [x, "two"]
# CHECK-NEXT:                   ^~~~~~~~~~
from typing import List
def f(x: int):
    y: List[int] = [x, "two"]
    return y

# -----

# MixedList
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+4]]:12: error: List type annotation `List[int]` did not match the types of the given list elements, which were unified to Union[int, str]
# CHECK-NEXT:    return list((x, "a"))
# CHECK-NEXT:           ^~~~~~~~~~~~~~
def f(x: int):
    return list((x, "a"))

# -----

# DictKeyType
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+4]]:12: error: Dict keys must be int, float, complex, Tensor, device or string, but found List[int]
# CHECK-NEXT:    return {[x]: 1}
# CHECK-NEXT:           ^~~~~~~~
def f(x: int):
    return {[x]: 1}

# -----

# DictEntryType
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+5]]:25: error: Type annotation was inferred to be `Dict[str, int]`, but the type of values given by the dict literal is str
# CHECK-NEXT:    y: Dict[str, int] = {"a": x, "b": "two"}
# CHECK-NEXT:                        ^~~~~~~~~~~~~~~~~~~~
from typing import Dict
def f(x: int):
    y: Dict[str, int] = {"a": x, "b": "two"}
    return y

# -----

# DictEntryType: and keys.
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+5]]:25: error: Type annotation was inferred to be `Dict[str, int]`, but the type of keys given by the dict literal is int
# CHECK-NEXT:    y: Dict[str, int] = {1: x}
# CHECK-NEXT:                        ^~~~~~
from typing import Dict
def f(x: int):
    y: Dict[str, int] = {1: x}
    return y

# -----

# ListCompHint
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+4]]:14: error: Expected an annotation of type List for this list comprehension but got int
# CHECK-NEXT:    y: int = [i for i in range(x)]
# CHECK-NEXT:             ^~~~~~~~~~~~~~~~~~~~~
def f(x: int):
    y: int = [i for i in range(x)]
    return y

# -----

# NotABool
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+4]]:5: error: Could not cast value of type Tuple[int, int] to bool
# CHECK-NEXT:    if x:
# CHECK-NEXT:    ^~~~~
def f(x: Tuple[int, int]):
    if x:
        return 1
    return 2

# -----

# TernaryTypes
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+4]]:9: error: if-expression's true branch has type int but false branch has type str
# CHECK-NEXT:    y = x if x > 0 else "none"
# CHECK-NEXT:        ^~~~~~~~~~~~~~~~~~~~~~
def f(x: int):
    y = x if x > 0 else "none"
    return y

# -----

# TupleIndexNotConstant: elements of several types need a known index.
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+5]]:14: error: tuple index must be a compile time constant, because we cannot resolve the output type of another one
# CHECK-NEXT:    return y[x]
# CHECK-NEXT:             ^
def f(x: int):
    y = (1, "a", x)
    return y[x]

# -----

# TupleIndexNotInteger
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+4]]:19: error: tuple index must be an integer, and not a value of type float
# CHECK-NEXT:    return (1, 2)[0.5]
# CHECK-NEXT:                  ^~~
def f():
    return (1, 2)[0.5]

# -----

# GetItemArguments
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+4]]:12: error: __getitem__() expected exactly 1 argument, an int or a tensor, got 0
# CHECK-NEXT:    return x.__getitem__()
# CHECK-NEXT:           ^~~~~~~~~~~~~~~
def f(x):
    return x.__getitem__()

# -----

# ConditionNotBool
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+7]]:5: error: expected a bool expression for condition, but __bool__ returns a value of type Tuple[int, int]
# CHECK-NEXT:    if x:
# CHECK-NEXT:    ^~~~~
class P:
    def __bool__(self):
        return (1, 2)
def f(x: P):
    if x:
        return 1
    return 2

# -----

# TupleIndexNotConstant: and so does a slice.
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+5]]:16: error: tuple index must be a compile time constant, because we cannot resolve the output type of another one
# CHECK-NEXT:    return y[0:x]
# CHECK-NEXT:               ^
def f(x: int):
    y = (1, "a", x)
    return y[0:x]

# -----

# ZeroSliceStep
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+5]]:12: error: slice step cannot be zero
# CHECK-NEXT:    return y[::0]
# CHECK-NEXT:           ^~~~~~
def f(x: int):
    y = (1, "a", x)
    return y[::0]

# -----

# SeveralEllipses
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+4]]:22: error: An index can only have a single ellipsis ('...')
# CHECK-NEXT:    return x[..., 0, ...]
# CHECK-NEXT:                     ^~~
def f(x):
    return x[..., 0, ...]

# -----

# UnsupportedIndexType
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+4]]:14: error: Unsupported operation: indexing tensor with unsupported index type 'str'. Only ints, slices, lists and tensors are supported
# CHECK-NEXT:    return x["a"]
# CHECK-NEXT:             ^~~
def f(x):
    return x["a"]

# -----

# UnsupportedSubscript
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+6]]:12: error: function object is not subscriptable
# CHECK-NEXT:    return g[0]
# CHECK-NEXT:           ^~~~
def g(x: int):
    return x
def f(x: int):
    return g[0]

# -----

# UnsupportedSubscript: a number has no elements.
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+4]]:12: error: 'int' object is not subscriptable
# CHECK-NEXT:    return x[0]
# CHECK-NEXT:           ^~~~
def f(x: int):
    return x[0]

# -----

# MultipleSubscripts
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+5]]:12: error: Only tensors take several subscripts, and this is of type 'List[int]'
# CHECK-NEXT:    return x[0, 1]
# CHECK-NEXT:           ^~~~~~~
from typing import List
def f(x: List[int]):
    return x[0, 1]

# -----

# TupleIndexRange
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+5]]:14: error: index 2 is out of range for a tuple of 2 elements
# CHECK-NEXT:    return y[2]
# CHECK-NEXT:             ^
def f(x: int):
    y = (1, x)
    return y[2]

# -----

# UnsupportedSubscriptAssign
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+5]]:5: error: Sliced expression not yet supported for subscripted assignment. File a bug if you want this
# CHECK-NEXT:    x[0:1] = 1
# CHECK-NEXT:    ^~~~~~
from typing import Dict
def f(x: Dict[int, int]):
    x[0:1] = 1
    return x

# -----

# NoMagicMethod
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+7]]:12: error: '__torch__.P' object has no attribute or method '__add__'. Class does not define __add__
# CHECK-NEXT:    return P(x) + P(x)
# CHECK-NEXT:           ^~~~~~~~~~~
class P:
    def __init__(self, x: int):
        self.x = x
def f(x: int):
    return P(x) + P(x)

# -----

# Bytes are no str.
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+4]]:12: error: bytes literals aren't supported
# CHECK-NEXT:    return b"a" == "a"
# CHECK-NEXT:           ^~~~
def f():
    return b"a" == "a"

# -----

# NotADict
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+5]]:21: error: 'List[int]' object is not a mapping
# CHECK-NEXT:    return {"a": 1, **values}
# CHECK-NEXT:                    ^~~~~~~~
from typing import Dict, List
def f(values: List[int]) -> Dict[str, int]:
    return {"a": 1, **values}

# -----

# A misspelled name, method or attribute of one that is known: the hint is below the caret.
# CHECK:{{.*}}expressions-errors.py:[[# @LINE+5]]:12: error: undefined value widht
# CHECK-NEXT:    return widht + 1
# CHECK-NEXT:           ^~~~~
# CHECK-NEXT:           width
def f(width: int) -> int:
    return widht + 1

# -----

# CHECK:{{.*}}expressions-errors.py:[[# @LINE+6]]:12: error: 'Tensor' object has no attribute or method 'unsqeeze'.
# CHECK-NEXT:    return x.unsqeeze(0)
# CHECK-NEXT:           ^~~~~~~~~~
# CHECK-NEXT:           x.unsqueeze
from torch import Tensor
def f(x: Tensor) -> Tensor:
    return x.unsqeeze(0)
