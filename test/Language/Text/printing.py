# print() with separators and ends: None is the usual one, and any number of values may come from a list.
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines --strict-whitespace
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s --match-full-lines --strict-whitespace
# RUN: %all_modes tsc-run %S/Inputs/printing.py | FileCheck %s --match-full-lines --strict-whitespace --check-prefix=BLOCK
# RUN: %all_modes --status 1 tsc-run --entry fails %s | FileCheck %s --strict-whitespace --check-prefix=FAILS
from typing import List, Optional


class Box:
    def __init__(self, n: int):
        self.n = n

    def __str__(self) -> str:
        return f"<{self.n}>"


def between(values: List[float], sep: Optional[str], end: Optional[str] = None) -> None:
    print(*values, sep=sep, end=end)


def count(n: int) -> int:
    for i in range(n):
        print(i, end=" " if i < n - 1 else "\n")
    return n


# What was written stays written, also where the call fails afterwards.
# FAILS: 0 1 2
# FAILS: half a line0
# FAILS: list index out of range
def fails() -> int:
    count(3)
    print("half a line", end="")
    return [0][count(1)]


def main() -> None:
    sep = ", "
    print(1, 2, sep=None)
    print(1, 2, end=None)
    print(1, 2.5, "a", [1.0], end="")
    print("x", end="\n\n")
    print(end="z")
    print()
    print(sep="q")
    print("a", "b", sep="", end="!")
    print(*[1, 2, 3], sep="|")
    print("first", *[0.5], *(1, "a"), *[True], sep=sep, end="\n")
    print(*["a", "b"])
    count(3)
    print(Box(1), Box(2), None, sep=sep, flush=True)
    print("a\n", end="")
    print([["a"]], ("x", 1.0), {"k": 2.0}, sep=";", end=";\n")
    between([1.0, 2.0], None)
    between([1.0, 2.0], "/", ".\n")
    between([], "/", "end\n")


#      CHECK:1 2
# CHECK-NEXT:1 2
# CHECK-NEXT:1 2.5 a [1.0]x
#CHECK-EMPTY:
# CHECK-NEXT:z
#CHECK-EMPTY:
# CHECK-NEXT:ab!1|2|3
# CHECK-NEXT:first, 0.5, 1, a, True
# CHECK-NEXT:a b
# CHECK-NEXT:0 1 2
# CHECK-NEXT:<1>, <2>, None
# CHECK-NEXT:a
# CHECK-NEXT:{{\[\[}}'a']];('x', 1.0);{'k': 2.0};
# CHECK-NEXT:1.0 2.0
# CHECK-NEXT:1.0/2.0.
# CHECK-NEXT:end

# In the code of a file that is run.
#      BLOCK:1 2
# BLOCK-NEXT:1 2!
# BLOCK-NEXT:1-2
# BLOCK-NEXT:sep must be None or a string, not int
