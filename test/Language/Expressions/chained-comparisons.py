# What stands between two comparisons is worked out once, and what stands behind a false one not at all.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s --match-full-lines
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s --match-full-lines
# RUN: tsc-run %S/Inputs/chained-comparisons.py | FileCheck %s --match-full-lines --check-prefix=LOADED
from typing import List, Optional


class Log:
    def __init__(self) -> None:
        self.seen: List[int] = []

    def __call__(self, n: int) -> int:
        self.seen.append(n)
        return n

    def take(self) -> List[int]:
        seen = self.seen
        self.seen = []
        return seen


def between(log: Log, a: int, b: int, c: int, d: int) -> bool:
    return log(a) < log(b) <= log(c) != log(d)


def loops(log: Log) -> int:
    n = 0
    while 0 <= log(n) < 3:
        n += 1
    for i in (1, 2.5):
        if 1 < i * 2 < 3:
            n += 10
    return n + len([i for i in range(6) if 1 < log(i) * 2 < 8])


def kinds(x: Optional[int], l: List[int]) -> str:
    if x is not None and 0 < x < 10 > 3:
        return "inside"
    if 1 == len(l) in [1, 2]:
        return "one"
    if l[:1] == l[1:2] == [7]:
        return "sevens"
    if "a" < "b" < "c" and not (1 < 2 > 3):
        return "letters"
    return "none"


def main() -> None:
    log = Log()
    print(between(log, 1, 2, 2, 4), log.take())
    print(between(log, 2, 1, 2, 4), log.take())
    print(between(log, 1, 3, 2, 4), log.take())
    print(between(log, 1, 2, 3, 3), log.take())
    print(loops(log), log.take())
    print(kinds(5, []), kinds(11, [4]), kinds(None, [7, 7]), kinds(None, []))
    print(1 < log(3) < 2 or 5 > log(4) > 3, log.take(), (1 if 0 < log(5) < 9 else 2), log.take())


# What Python prints:
# CHECK: True [1, 2, 2, 4]
# CHECK-NEXT: False [2, 1]
# CHECK-NEXT: False [1, 3, 2]
# CHECK-NEXT: False [1, 2, 3, 3]
# CHECK-NEXT: 16 [0, 1, 2, 3, 0, 1, 2, 3, 4, 5]
# CHECK-NEXT: inside one sevens letters
# CHECK-NEXT: True [3, 4] 1 [5]

# In code that a file runs:
# LOADED: False [1, 2, 3, 3]
# LOADED-NEXT: False [5, 4]
# LOADED-NEXT: [1, 2] [0, 1, 2, 3, 4]
