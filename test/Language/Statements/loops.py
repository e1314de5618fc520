# else branches of loops, named values, slices that are assigned, starred targets.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import List


def first_even(values: List[int]) -> str:
    found = 0
    for value in values:
        if value % 2 == 0:
            found = value
            break
    else:
        return "none"
    return f"found {found}"


def countdown(n: int) -> List[int]:
    seen: List[int] = []
    while n > 0:
        seen.append(n)
        n -= 1
        if n == 7:
            break
    else:
        seen.append(-1)
    return seen


def main() -> None:
    print(first_even([1, 3, 4]), first_even([1, 3]), first_even([]))
    print(countdown(3), countdown(9))
    for i in range(3):
        for j in range(3):
            if j == i:
                break
        else:
            print("never")
        if i == 1:
            continue
    else:
        print("outer done")
    if (n := len([1, 2, 3])) > 2:
        print("n", n)
    k = 4
    while (k := k - 1) > 0:
        if k == 2:
            continue
        print("k", k)
    print([y for x in range(6) if (y := x * x) > 5], k)
    l = [1, 2, 3, 4, 5]
    l[1:3] = [9, 9, 9]
    print(l)
    l[::2] = [0, 0, 0]
    print(l)
    l[4:] = []
    l[:1] = [7, 7]
    print(l)
    l[-2:] = [5]
    print(l)
    l[:] = l
    print(l)
    first, *rest = [1, 2, 3]
    *start, last = [1, 2, 3]
    a, *middle, z = [1, 2, 3, 4]
    print(first, rest, start, last, a, middle, z)
    print([x + y for x in range(3) if x for y in range(x)], {x: x * x for x in range(3) if x != 1})


# What Python prints:
# CHECK: found 4 none none
# CHECK-NEXT: [3, 2, 1, -1] [9, 8]
# CHECK-NEXT: outer done
# CHECK-NEXT: n 3
# CHECK-NEXT: k 3
# CHECK-NEXT: k 1
# CHECK-NEXT: [9, 16, 25] 0
# CHECK-NEXT: [1, 9, 9, 9, 4, 5]
# CHECK-NEXT: [0, 9, 0, 9, 0, 5]
# CHECK-NEXT: [7, 7, 9, 0, 9]
# CHECK-NEXT: [7, 7, 9, 5]
# CHECK-NEXT: [7, 7, 9, 5]
# CHECK-NEXT: 1 [2, 3] [1, 2] 3 1 [2, 3] 4
# CHECK-NEXT: [1, 2, 3] {0: 0, 2: 4}
