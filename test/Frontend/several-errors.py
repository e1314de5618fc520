# A function is compiled to its end, whatever is wrong in it: what a refused statement would have set, or narrowed, is unknown
# from there on, and nothing is said of it again.
# RUN: not tsc-run --check-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
import torch
from typing import List, Optional


# CHECK: several-errors.py:[[# @LINE+2]]:9: error: 'Tensor' object has no attribute or method 'foo'.
def names(x: torch.Tensor, n: int):
    y = x.foo()
    # CHECK: several-errors.py:[[# @LINE+1]]:9: error: undefined value nowhere
    z = nowhere + 1
    w = y + z + 3
    if n > 2:
        # CHECK: several-errors.py:[[# @LINE+1]]:13: error: '+' is not defined for a str and an int
        q = "a" + n
        r = 3
    else:
        q = "b"
        # CHECK: several-errors.py:[[# @LINE+1]]:13: error: undefined value none_such
        r = none_such
    print(q, r, w)
    for i in range(n):
        # CHECK: several-errors.py:[[# @LINE+1]]:17: error: undefined value offset
        t = i + offset
        print(t)
    # CHECK: several-errors.py:[[# @LINE+1]]:12: error: 'sum' has no argument 'dimm'. Did you mean 'dim'?
    return torch.sum(x, dimm=1)


def narrowed(a: Optional[int], sizes: List[int]) -> int:
    # CHECK: several-errors.py:[[# @LINE+1]]:34: error: undefined value limit
    assert a is not None and a < limit
    b = a + 1
    if len(sizes) > 3:
        # CHECK: several-errors.py:[[# @LINE+1]]:16: error: undefined value unknown
        return unknown(b)
    # CHECK: several-errors.py:[[# @LINE+1]]:9: error: '+' is not defined for a List[int] and an int; [2] makes a list of it
    c = sizes + 2
    return c


# Names of builtins are variables where they are set.
def builtin(x: int) -> int:
    # CHECK: several-errors.py:[[# @LINE+1]]:11: error: undefined value missing
    sum = missing(x)
    return sum + 1


# A function that does not compile is reported once.
def calls(x: torch.Tensor):
    # CHECK-NOT: error:
    return names(x, 3).bar
