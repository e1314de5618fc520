# Changes of what is made once for all calls are refused, wherever the change is.
# RUN: not tsc-run %s --check-only --split-input-file 2>&1 | FileCheck %s
L = [1, 2]
PAIR = (1, [2, 3])
NESTED = [[1], [2]]


# CHECK:      error: 'L' is made once for all calls, and a program does not change it: pass it as an argument, or change a copy
# CHECK-NEXT: L.append(3)
def main():
    L.append(3)
    return L


# -----
L = [1, 2]
PAIR = (1, [2, 3])
NESTED = [[1], [2]]


# CHECK:      error: 'L' is made once for all calls, and a program does not change it: pass it as an argument, or change a copy
# CHECK-NEXT: m += [1]
def main():
    m = L
    m += [1]
    return L


# -----
L = [1, 2]
PAIR = (1, [2, 3])
NESTED = [[1], [2]]


# CHECK:      error: 'L' is made once for all calls, and a program does not change it: pass it as an argument, or change a copy
# CHECK-NEXT: del L[0]
def main():
    del L[0]
    return L


# -----
L = [1, 2]
PAIR = (1, [2, 3])
NESTED = [[1], [2]]


# CHECK:      error: 'L' is made once for all calls, and a program does not change it: pass it as an argument, or change a copy
# CHECK-NEXT: L.sort()
def main():
    L.sort()
    return L


# -----
L = [1, 2]
PAIR = (1, [2, 3])
NESTED = [[1], [2]]


# CHECK:      error: 'PAIR' is made once for all calls, and a program does not change it: pass it as an argument, or change a copy
# CHECK-NEXT: PAIR[1].append(4)
def main():
    PAIR[1].append(4)
    return L


# -----
L = [1, 2]
PAIR = (1, [2, 3])
NESTED = [[1], [2]]


# CHECK:      error: 'NESTED' is made once for all calls, and a program does not change it: pass it as an argument, or change a copy
# CHECK-NEXT: NESTED[0].append(1)
def main():
    NESTED[0].append(1)
    return L


# -----
L = [1, 2]
PAIR = (1, [2, 3])
NESTED = [[1], [2]]


# CHECK:      error: 'L' is made once for all calls, and a program does not change it: pass it as an argument, or change a copy
# CHECK-NEXT: m.pop()
def main():
    m = L if len(L) > 1 else [1]
    m.pop()
    return L


# -----
from typing import List


# CHECK:      error: parameter 'a' has a default that is made once for all calls, and a program does not change it: make the default None, and the list in the body
# CHECK-NEXT: a.append(3)
def main(a: List[int] = [1]):
    a.append(3)
    return a


# -----
from typing import List


# CHECK:      error: parameter 'a' has a default that is made once for all calls, and a program does not change it: make the default None, and the list in the body
# CHECK-NEXT: b[0] = 5
def main(a: List[int] = [1]):
    b = a
    b[0] = 5
    return a


# -----
from typing import List


# CHECK:      error: parameter 'a' has a default that is made once for all calls, and a program does not change it: make the default None, and the list in the body
# CHECK-NEXT: a += [1]
def main(a: List[int] = [1]):
    a += [1]
    return a
