# The elements of a list in an Any have no type here: a pattern that looks at them is refused in words of its own.
# RUN: %exits 2 tsc-run %s 2>&1 | FileCheck %s
from typing import Any


def f(x: Any) -> str:
    match x:
        case int(n):
            return "int"
        # CHECK: patterns-of-any.py:[[# @LINE + 2]]:14: error: patterns of parts of a value of type Any, whose elements have no type here, aren't supported
        # CHECK-NEXT: case [a, b]:
        case [a, b]:
            return "two"
        case list():
            return "list"
        case _:
            return "other"
