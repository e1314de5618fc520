# RUN: tsc-run %s --entry fib --args 20 | FileCheck --check-prefix=FIB %s
# FIB: 6765
# RUN: tsc-run %s --args '[3, 1, 2], "abc"' | FileCheck --check-prefix=MAIN %s
# MAIN: ([1, 2, 3], 'abc!', 6)
# RUN: not tsc-run %s --entry fails --args 3 2>&1 | FileCheck --check-prefix=FAILS %s
# FAILS:      tsc-run: error: builtins.ValueError: bad 3
# FAILS:      The following operation failed in the TorchScript interpreter.
# FAILS:      Traceback of TorchScript (most recent call last):
# FAILS:        File "{{.*}}functions.py", line [[# @LINE+23]], in fails
# FAILS-NEXT:     return inner(n)
# FAILS-NEXT:            ~~~~~{{.*}} <--- HERE
# FAILS:        in inner
# FAILS:      builtins.ValueError: bad 3
# RUN: not tsc-run %s --args '1, "x"' 2>&1 | FileCheck --check-prefix=TYPE %s
# TYPE: error: main() Expected a value of type 'List[int]' for argument 'l' but instead found type 'int'.
# RUN: not tsc-run %s --args '[1]' 2>&1 | FileCheck --check-prefix=MISSING %s
# MISSING: error: main() is missing value for argument 's'. Declaration: main(int[] l, str s) -> {{.*}}
from typing import List


def fib(n: int) -> int:
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def inner(n: int) -> int:
    raise ValueError("bad " + str(n))


def fails(n: int) -> int:
    return inner(n)


def main(l: List[int], s: str):
    total = 0
    for x in l:
        total += x
    l.sort()
    return l, s + "!", total
