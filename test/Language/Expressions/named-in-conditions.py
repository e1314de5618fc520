# What a condition names is known behind the place where it was named, and in the branch that is taken then.
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s --match-full-lines
from typing import List, Optional


def both(x: int) -> str:
    if x > 0 and (n := x * 2) > 3 and n < 50:
        return f"in {n}"
    return "out"


def either(x: int) -> str:
    if x < 0 or (n := x * 2) > 10:
        return "out"
    return f"in {n}"


def negated(x: Optional[int]) -> int:
    if not (x is not None and (n := x + 1) > 1):
        return -1
    return n + x


def loop(l: List[int]) -> int:
    i = total = 0
    while i < len(l) and (v := l[i]) < 3:
        total += v
        i += 1
    return total


def value(x: int) -> bool:
    return (m := x + 1) > 3 and m < 10 and (k := m) > 0 and k > 1


def chosen(x: int) -> int:
    return n if x > 1 and (n := x * 10) > 15 else -x


def again(x: int) -> str:
    n = "before"
    if x > 0 and len(n := n + str(x)) > 7:
        n += "!"
    return n


def main() -> None:
    print(both(1), both(2), both(30), both(-1))
    print(either(-1), either(3), either(6))
    print(negated(None), negated(0), negated(4))
    print(loop([1, 2, 3, 4]), loop([]), loop([1, 1]))
    print(value(1), value(5), value(20))
    print(chosen(0), chosen(2), chosen(1))
    print(again(0), again(5), again(55))


# What Python prints:
# CHECK: out in 4 out out
# CHECK-NEXT: out in 6 out
# CHECK-NEXT: -1 -1 9
# CHECK-NEXT: 3 0 2
# CHECK-NEXT: False True False
# CHECK-NEXT: 0 20 -1
# CHECK-NEXT: before before5 before55!
