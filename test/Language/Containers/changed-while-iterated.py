# Python's rule for lists that are changed while a loop goes over them, at every level: before each trip the list is
# asked how long it is. Enumerations, zips and comprehensions ask as well. The numbers are those of Python.
# RUN: tsc-run %s --entry pop --args '[1,2,3,4]' -O0 | FileCheck --check-prefix=POP %s
# RUN: tsc-run %s --entry pop --args '[1,2,3,4]' -O1 | FileCheck --check-prefix=POP %s
# RUN: tsc-run %s --entry pop --args '[1,2,3,4]' -O2 | FileCheck --check-prefix=POP %s
# RUN: tsc-run %s --entry pop --args '[1,2,3,4]' -O3 | FileCheck --check-prefix=POP %s
# RUN: tsc-run %s --entry pop --args '[1,2,3,4]' --compile=eager | FileCheck --check-prefix=POP %s
# POP: ([1, 2], [1, 2])
# RUN: tsc-run %s --entry enumerated --args '[1,2,3,4,5,6]' -O0 | FileCheck --check-prefix=ENUMERATED %s
# RUN: tsc-run %s --entry enumerated --args '[1,2,3,4,5,6]' -O1 | FileCheck --check-prefix=ENUMERATED %s
# RUN: tsc-run %s --entry enumerated --args '[1,2,3,4,5,6]' -O2 | FileCheck --check-prefix=ENUMERATED %s
# RUN: tsc-run %s --entry enumerated --args '[1,2,3,4,5,6]' -O3 | FileCheck --check-prefix=ENUMERATED %s
# RUN: tsc-run %s --entry enumerated --args '[1,2,3,4,5,6]' --compile=eager | FileCheck --check-prefix=ENUMERATED %s
# ENUMERATED: ([10, 42, 63], [4, 5, 6])
# RUN: tsc-run %s --entry append --args '[5,1,2]' -O0 | FileCheck --check-prefix=APPEND %s
# RUN: tsc-run %s --entry append --args '[5,1,2]' -O1 | FileCheck --check-prefix=APPEND %s
# RUN: tsc-run %s --entry append --args '[5,1,2]' -O2 | FileCheck --check-prefix=APPEND %s
# RUN: tsc-run %s --entry append --args '[5,1,2]' -O3 | FileCheck --check-prefix=APPEND %s
# RUN: tsc-run %s --entry append --args '[5,1,2]' --compile=eager | FileCheck --check-prefix=APPEND %s
# APPEND: ([5, 1, 2, 4, 3], 5)
# RUN: tsc-run %s --entry alias --args '[1,2,3]' -O0 | FileCheck --check-prefix=ALIAS %s
# RUN: tsc-run %s --entry alias --args '[1,2,3]' -O1 | FileCheck --check-prefix=ALIAS %s
# RUN: tsc-run %s --entry alias --args '[1,2,3]' -O2 | FileCheck --check-prefix=ALIAS %s
# RUN: tsc-run %s --entry alias --args '[1,2,3]' -O3 | FileCheck --check-prefix=ALIAS %s
# RUN: tsc-run %s --entry alias --args '[1,2,3]' --compile=eager | FileCheck --check-prefix=ALIAS %s
# ALIAS: [1, 2, 3, 1, 1, 2, 1, 3, 1]
# RUN: tsc-run %s --entry zipped --args '[1,2,3],[4,5,6,7]' -O0 | FileCheck --check-prefix=ZIPPED %s
# RUN: tsc-run %s --entry zipped --args '[1,2,3],[4,5,6,7]' -O1 | FileCheck --check-prefix=ZIPPED %s
# RUN: tsc-run %s --entry zipped --args '[1,2,3],[4,5,6,7]' -O2 | FileCheck --check-prefix=ZIPPED %s
# RUN: tsc-run %s --entry zipped --args '[1,2,3],[4,5,6,7]' -O3 | FileCheck --check-prefix=ZIPPED %s
# RUN: tsc-run %s --entry zipped --args '[1,2,3],[4,5,6,7]' --compile=eager | FileCheck --check-prefix=ZIPPED %s
# ZIPPED: ([4, 6], [5, 7])
# RUN: tsc-run %s --entry comprehension --args '[1,2,3,4,5]' -O0 | FileCheck --check-prefix=COMPREHENSION %s
# RUN: tsc-run %s --entry comprehension --args '[1,2,3,4,5]' -O1 | FileCheck --check-prefix=COMPREHENSION %s
# RUN: tsc-run %s --entry comprehension --args '[1,2,3,4,5]' -O2 | FileCheck --check-prefix=COMPREHENSION %s
# RUN: tsc-run %s --entry comprehension --args '[1,2,3,4,5]' -O3 | FileCheck --check-prefix=COMPREHENSION %s
# RUN: tsc-run %s --entry comprehension --args '[1,2,3,4,5]' --compile=eager | FileCheck --check-prefix=COMPREHENSION %s
# COMPREHENSION: ([6, 6, 6], [1, 2])
# RUN: tsc-run %s --entry called --args '[1,2,3,4,5,6]' -O0 | FileCheck --check-prefix=CALLED %s
# RUN: tsc-run %s --entry called --args '[1,2,3,4,5,6]' -O1 | FileCheck --check-prefix=CALLED %s
# RUN: tsc-run %s --entry called --args '[1,2,3,4,5,6]' -O2 | FileCheck --check-prefix=CALLED %s
# RUN: tsc-run %s --entry called --args '[1,2,3,4,5,6]' -O3 | FileCheck --check-prefix=CALLED %s
# RUN: tsc-run %s --entry called --args '[1,2,3,4,5,6]' --compile=eager | FileCheck --check-prefix=CALLED %s
# CALLED: [1, 2, 3, 4]
# RUN: tsc-run %s --entry read_only --args '[1,2,3]' -O0 | FileCheck --check-prefix=READ-ONLY %s
# RUN: tsc-run %s --entry read_only --args '[1,2,3]' -O1 | FileCheck --check-prefix=READ-ONLY %s
# RUN: tsc-run %s --entry read_only --args '[1,2,3]' -O2 | FileCheck --check-prefix=READ-ONLY %s
# RUN: tsc-run %s --entry read_only --args '[1,2,3]' -O3 | FileCheck --check-prefix=READ-ONLY %s
# RUN: tsc-run %s --entry read_only --args '[1,2,3]' --compile=eager | FileCheck --check-prefix=READ-ONLY %s
# READ-ONLY: [4, 5, 6]
# RUN: tsc-run %s --entry objects --args '[1,2,3,4]' -O0 | FileCheck --check-prefix=OBJECTS %s
# RUN: tsc-run %s --entry objects --args '[1,2,3,4]' -O1 | FileCheck --check-prefix=OBJECTS %s
# RUN: tsc-run %s --entry objects --args '[1,2,3,4]' -O2 | FileCheck --check-prefix=OBJECTS %s
# RUN: tsc-run %s --entry objects --args '[1,2,3,4]' -O3 | FileCheck --check-prefix=OBJECTS %s
# RUN: tsc-run %s --entry objects --args '[1,2,3,4]' --compile=eager | FileCheck --check-prefix=OBJECTS %s
# OBJECTS: (103, [])
# RUN: tsc-run %s --entry own --args '5' -O0 | FileCheck --check-prefix=OWN %s
# RUN: tsc-run %s --entry own --args '5' -O1 | FileCheck --check-prefix=OWN %s
# RUN: tsc-run %s --entry own --args '5' -O2 | FileCheck --check-prefix=OWN %s
# RUN: tsc-run %s --entry own --args '5' -O3 | FileCheck --check-prefix=OWN %s
# RUN: tsc-run %s --entry own --args '5' --compile=eager | FileCheck --check-prefix=OWN %s
# OWN: [1, 2, 3, 4, 5]
# RUN: tsc-run %s --entry nested --args '[[1],[2],[3]]' -O0 | FileCheck --check-prefix=NESTED %s
# RUN: tsc-run %s --entry nested --args '[[1],[2],[3]]' -O1 | FileCheck --check-prefix=NESTED %s
# RUN: tsc-run %s --entry nested --args '[[1],[2],[3]]' -O2 | FileCheck --check-prefix=NESTED %s
# RUN: tsc-run %s --entry nested --args '[[1],[2],[3]]' -O3 | FileCheck --check-prefix=NESTED %s
# RUN: tsc-run %s --entry nested --args '[[1],[2],[3]]' --compile=eager | FileCheck --check-prefix=NESTED %s
# NESTED: 36
# RUN: tsc-run %s --entry deleted --args '[1,2,3,4,5]' -O0 | FileCheck --check-prefix=DELETED %s
# RUN: tsc-run %s --entry deleted --args '[1,2,3,4,5]' -O1 | FileCheck --check-prefix=DELETED %s
# RUN: tsc-run %s --entry deleted --args '[1,2,3,4,5]' -O2 | FileCheck --check-prefix=DELETED %s
# RUN: tsc-run %s --entry deleted --args '[1,2,3,4,5]' -O3 | FileCheck --check-prefix=DELETED %s
# RUN: tsc-run %s --entry deleted --args '[1,2,3,4,5]' --compile=eager | FileCheck --check-prefix=DELETED %s
# DELETED: [4, 5]
# RUN: tsc-run %s --entry fresh --args '[3,1,2]' -O0 | FileCheck --check-prefix=FRESH %s
# RUN: tsc-run %s --entry fresh --args '[3,1,2]' -O1 | FileCheck --check-prefix=FRESH %s
# RUN: tsc-run %s --entry fresh --args '[3,1,2]' -O2 | FileCheck --check-prefix=FRESH %s
# RUN: tsc-run %s --entry fresh --args '[3,1,2]' -O3 | FileCheck --check-prefix=FRESH %s
# RUN: tsc-run %s --entry fresh --args '[3,1,2]' --compile=eager | FileCheck --check-prefix=FRESH %s
# FRESH: ([1, 1, 2, 2, 3, 3], [])
# RUN: tsc-run %s --entry again --args '[1,2,3,4]' -O0 | FileCheck --check-prefix=AGAIN %s
# RUN: tsc-run %s --entry again --args '[1,2,3,4]' -O1 | FileCheck --check-prefix=AGAIN %s
# RUN: tsc-run %s --entry again --args '[1,2,3,4]' -O2 | FileCheck --check-prefix=AGAIN %s
# RUN: tsc-run %s --entry again --args '[1,2,3,4]' -O3 | FileCheck --check-prefix=AGAIN %s
# RUN: tsc-run %s --entry again --args '[1,2,3,4]' --compile=eager | FileCheck --check-prefix=AGAIN %s
# AGAIN: 1211
# RUN: tsc-run %s --entry optional --args 'True' -O0 | FileCheck --check-prefix=OPTIONAL %s
# RUN: tsc-run %s --entry optional --args 'True' -O1 | FileCheck --check-prefix=OPTIONAL %s
# RUN: tsc-run %s --entry optional --args 'True' -O2 | FileCheck --check-prefix=OPTIONAL %s
# RUN: tsc-run %s --entry optional --args 'True' -O3 | FileCheck --check-prefix=OPTIONAL %s
# RUN: tsc-run %s --entry optional --args 'True' --compile=eager | FileCheck --check-prefix=OPTIONAL %s
# OPTIONAL: [1, 2]
# RUN: tsc-run %s --entry tuples --args '[1, 2, 3, 4],' -O0 | FileCheck --check-prefix=TUPLES %s
# RUN: tsc-run %s --entry tuples --args '[1, 2, 3, 4],' -O1 | FileCheck --check-prefix=TUPLES %s
# RUN: tsc-run %s --entry tuples --args '[1, 2, 3, 4],' -O2 | FileCheck --check-prefix=TUPLES %s
# RUN: tsc-run %s --entry tuples --args '[1, 2, 3, 4],' -O3 | FileCheck --check-prefix=TUPLES %s
# RUN: tsc-run %s --entry tuples --args '[1, 2, 3, 4],' --compile=eager | FileCheck --check-prefix=TUPLES %s
# TUPLES: [1, 2]

# A dict that changed its size is refused, as Python refuses it; values are those of the moment.
# RUN: %exits 1 tsc-run %s --entry grown --args '{"a":1,"b":2}' -O0 2>&1 | FileCheck --check-prefix=GROWN %s
# RUN: %exits 1 tsc-run %s --entry grown --args '{"a":1,"b":2}' -O1 2>&1 | FileCheck --check-prefix=GROWN %s
# RUN: %exits 1 tsc-run %s --entry grown --args '{"a":1,"b":2}' -O2 2>&1 | FileCheck --check-prefix=GROWN %s
# RUN: %exits 1 tsc-run %s --entry grown --args '{"a":1,"b":2}' -O3 2>&1 | FileCheck --check-prefix=GROWN %s
# RUN: %exits 1 tsc-run %s --entry grown --args '{"a":1,"b":2}' --compile=eager 2>&1 | FileCheck --check-prefix=GROWN %s
# GROWN: RuntimeError: dictionary changed size during iteration
# RUN: tsc-run %s --entry values --args '{"a":1,"b":2}' -O0 | FileCheck --check-prefix=VALUES %s
# RUN: tsc-run %s --entry values --args '{"a":1,"b":2}' -O1 | FileCheck --check-prefix=VALUES %s
# RUN: tsc-run %s --entry values --args '{"a":1,"b":2}' -O2 | FileCheck --check-prefix=VALUES %s
# RUN: tsc-run %s --entry values --args '{"a":1,"b":2}' -O3 | FileCheck --check-prefix=VALUES %s
# RUN: tsc-run %s --entry values --args '{"a":1,"b":2}' --compile=eager | FileCheck --check-prefix=VALUES %s
# VALUES: 40057
# RUN: tsc-run %s --entry left --args '{"a":1,"b":2}' -O0 | FileCheck --check-prefix=LEFT %s
# RUN: tsc-run %s --entry left --args '{"a":1,"b":2}' -O1 | FileCheck --check-prefix=LEFT %s
# RUN: tsc-run %s --entry left --args '{"a":1,"b":2}' -O2 | FileCheck --check-prefix=LEFT %s
# RUN: tsc-run %s --entry left --args '{"a":1,"b":2}' -O3 | FileCheck --check-prefix=LEFT %s
# RUN: tsc-run %s --entry left --args '{"a":1,"b":2}' --compile=eager | FileCheck --check-prefix=LEFT %s
# LEFT: 1
# RUN: %exits 1 tsc-run %s --entry items --args '{"a":1,"b":2}' -O0 2>&1 | FileCheck --check-prefix=ITEMS %s
# RUN: %exits 1 tsc-run %s --entry items --args '{"a":1,"b":2}' -O1 2>&1 | FileCheck --check-prefix=ITEMS %s
# RUN: %exits 1 tsc-run %s --entry items --args '{"a":1,"b":2}' -O2 2>&1 | FileCheck --check-prefix=ITEMS %s
# RUN: %exits 1 tsc-run %s --entry items --args '{"a":1,"b":2}' -O3 2>&1 | FileCheck --check-prefix=ITEMS %s
# RUN: %exits 1 tsc-run %s --entry items --args '{"a":1,"b":2}' --compile=eager 2>&1 | FileCheck --check-prefix=ITEMS %s
# ITEMS: RuntimeError: dictionary changed size during iteration
# RUN: tsc-run %s --entry items --args '{"a":1}' -O0 | FileCheck --check-prefix=ITEMS-ONE %s
# RUN: tsc-run %s --entry items --args '{"a":1}' -O1 | FileCheck --check-prefix=ITEMS-ONE %s
# RUN: tsc-run %s --entry items --args '{"a":1}' -O2 | FileCheck --check-prefix=ITEMS-ONE %s
# RUN: tsc-run %s --entry items --args '{"a":1}' -O3 | FileCheck --check-prefix=ITEMS-ONE %s
# RUN: tsc-run %s --entry items --args '{"a":1}' --compile=eager | FileCheck --check-prefix=ITEMS-ONE %s
# ITEMS-ONE: 1

# Loops whose bodies leave the length alone ask once: lists of their own, callees that only read.
# RUN: tsc-run %s --entry read_only --args '[1]' --print-ir=frontend 2>&1 >/dev/null | FileCheck --check-prefix=ONCE %s
# ONCE:     aten::len
# ONCE:     prim::Loop
# ONCE-NOT: aten::len
# ONCE:     return
from typing import Dict, List, Tuple, Optional


def pop(l: List[int]) -> Tuple[List[int], List[int]]:
    seen: List[int] = []
    for x in l:
        seen.append(x)
        l.pop()
    return seen, l

def enumerated(l: List[int]) -> Tuple[List[int], List[int]]:
    seen: List[int] = []
    for i, x in enumerate(l):
        if i == 1:
            continue
        seen.append(x * 10 + i)
        if len(l) > 2:
            l.pop(0)
    return seen, l

def append(l: List[int]) -> Tuple[List[int], int]:
    seen: List[int] = []
    for x in l:
        seen.append(x)
        if x > 3 and len(l) < 12:
            l.append(x - 1)
        if len(seen) > 9:
            break
    return seen, len(l)

def alias(l: List[int]) -> List[int]:
    m = l
    for x in m:
        if len(l) < 8:
            l += [x, 1]
    return l

def zipped(a: List[int], b: List[int]) -> Tuple[List[int], List[int]]:
    r: List[int] = []
    for x, y in zip(a, b):
        r.append(x * y)
        b.remove(y)
        a.insert(0, 7)
        if len(a) > 20:
            return r, a
    return r, b

def comprehension(l: List[int]) -> Tuple[List[int], List[int]]:
    return [x + l.pop() for x in l], l

def helper(l: List[int], x: int) -> int:
    if x % 2 == 0:
        l.pop()
    return x

def pure(l: List[int], x: int) -> int:
    return x + len(l)

def called(l: List[int]) -> List[int]:
    return [helper(l, x) for x in l]

def read_only(l: List[int]) -> List[int]:
    r: List[int] = []
    for x in l:
        r.append(pure(l, x))
    return r

class Holder:
    def __init__(self, l: List[int]):
        self.l = l
    def shrink(self):
        self.l.pop()

def objects(l: List[int]) -> Tuple[int, List[int]]:
    h = Holder(l)
    n = 0
    for x in l:
        h.shrink()
        n += x
    for x in h.l:
        l.clear()
        n += 100
    return n, l

def own(n: int) -> List[int]:
    out: List[int] = []
    out.append(1)
    for x in out:
        if x < n:
            out.append(x + 1)
    return out

def nested(l: List[List[int]]) -> int:
    n = 0
    for a in l:
        for b in l:
            for x in a:
                n += x
                b.append(1) if len(b) < 3 else None
    return n

def deleted(l: List[int]) -> List[int]:
    for x in l:
        del l[0]
    return l

def grown(d: Dict[str, int]) -> int:
    n = 0
    for k in d:
        n += d[k]
        d["z"] = 1
    return n

def values(d: Dict[str, int]) -> int:
    n = 0
    for k in d:
        n += d[k]
        d[k] = 5
    for k, v in d.items():
        d["b"] = 50
        n = n * 10 + v
    for v in d.values():
        d["b"] = 7
        n = n * 10 + v
    for k in list(d.keys()):
        d.pop(k)
    return n + len(d)

def left(d: Dict[str, int]) -> int:
    n = 0
    for k in d.keys():
        d.pop(k)
        n += 1
        if n == 1:
            break
    return n

def items(d: Dict[str, int]) -> int:
    n = 0
    for i, (k, v) in enumerate(d.items()):
        n += v
        if i == 1:
            d[k + "x"] = 1
    return n

def fresh(l: List[int]) -> Tuple[List[int], List[int]]:
    out: List[int] = []
    for x in l:
        out.append(x)
    prev = out
    for x in prev:
        if len(prev) < 6:
            out.append(x)
    m = [x for x in sorted(out)]
    for x in out[:]:
        out.append(x)
    for x in list(out):
        out.pop()
    return m, out

def again(l: List[int]) -> int:
    n = 0
    while len(l) > 0:
        for x in l:
            n = n * 10 + x
            l.pop()
    return n


def optional(f: bool) -> List[int]:
    out: List[int] = [1, 2, 3, 4]
    also: Optional[List[int]] = None
    if f:
        also = out
    if also is not None:
        for x in also:
            out.pop()
    return out


def tuples(l: List[int]) -> List[int]:
    t = (l, 1)
    for x in t[0]:
        l.pop()
    return l
