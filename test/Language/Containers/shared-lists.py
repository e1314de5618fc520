# A global list, or a default that is one, is a fresh value wherever it is used: no call sees what an earlier one did.
# RUN: tsc-run %s --entry read --args '' -O0 | FileCheck --check-prefix=READ %s
# RUN: tsc-run %s --entry read --args '' -O1 | FileCheck --check-prefix=READ %s
# RUN: tsc-run %s --entry read --args '' -O2 | FileCheck --check-prefix=READ %s
# RUN: tsc-run %s --entry read --args '' -O3 | FileCheck --check-prefix=READ %s
# RUN: tsc-run %s --entry read --args '' --compile=eager | FileCheck --check-prefix=READ %s
# READ: ([1, 2], 6, 2, [2], (1, [2, 3]), [1, 2], [], 3, [1, 2, 5])
# RUN: tsc-run %s --entry given --args '' -O0 | FileCheck --check-prefix=GIVEN %s
# RUN: tsc-run %s --entry given --args '' -O1 | FileCheck --check-prefix=GIVEN %s
# RUN: tsc-run %s --entry given --args '' -O2 | FileCheck --check-prefix=GIVEN %s
# RUN: tsc-run %s --entry given --args '' -O3 | FileCheck --check-prefix=GIVEN %s
# RUN: tsc-run %s --entry given --args '' --compile=eager | FileCheck --check-prefix=GIVEN %s
# GIVEN: (([1, 2, 7], [1, 2]), ([1, 5], [1]), ([1], [1]), [2])
# RUN: tsc-run %s --entry defaults --args '' -O0 | FileCheck --check-prefix=DEFAULTS %s
# RUN: tsc-run %s --entry defaults --args '' -O1 | FileCheck --check-prefix=DEFAULTS %s
# RUN: tsc-run %s --entry defaults --args '' -O2 | FileCheck --check-prefix=DEFAULTS %s
# RUN: tsc-run %s --entry defaults --args '' -O3 | FileCheck --check-prefix=DEFAULTS %s
# RUN: tsc-run %s --entry defaults --args '' --compile=eager | FileCheck --check-prefix=DEFAULTS %s
# DEFAULTS: (3, 9, 1, [4])
# RUN: tsc-run %s --entry given --args '' --validate 3 | FileCheck --check-prefix=GIVEN %s
from typing import List, Optional, Tuple

L = [1, 2]
PAIR = (1, [2, 3])
NESTED = [[1], [2, 3]]
EMPTY: List[int] = []
WORD = "abc"


def read():
    s = 0
    for x in L:
        s += x
    for l in NESTED:
        s += len(l)
    copy = list(L)
    copy.append(5)
    one, other = PAIR
    return L, s, len(L), L[1:], (one, other), [len(l) for l in NESTED], EMPTY, len(WORD), copy


def give():
    return L


def give_default(a: List[int] = [1]):
    return a


class Holder:
    def __init__(self, l: List[int] = []):
        self.l = l


def change(l: List[int], x: int):
    l.append(x)
    return l


def given():
    first, second = Holder(), Holder()
    first.l.append(1)
    second.l.append(1)
    return (change(give(), 7), give()), (change(give_default(), 5), give_default()), (first.l, second.l), give_pair()


def give_pair(a: Tuple[int, List[int]] = (1, [2])):
    return a[1]


def total(a: List[int] = [1, 2]):
    s = 0
    for x in a:
        s += x
    return s


def maybe(a: Optional[List[int]] = [5]):
    return len(a) if a is not None else 0


def local(a: List[int] = [1, 2]):
    t = (a, [len(a) + 2])
    t[1].append(len(a))
    t[1].pop()
    return t[1]


def defaults():
    return total(), total([4, 5]), maybe(), local()
