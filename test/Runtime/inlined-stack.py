# A stack trace shows the calls that were inlined as it shows those that were not.
# RUN: not tsc-run -O0 %s --args 3 2> %t.plain
# RUN: not tsc-run -O2 %s --args 3 2> %t.inlined
# RUN: not tsc-run -O3 %s --args 3 2> %t.most
# RUN: diff %t.plain %t.inlined
# RUN: diff %t.plain %t.most
# RUN: FileCheck %s < %t.inlined
# CHECK:        in main
# CHECK-NEXT:     return outer(n) + 1
# CHECK-NEXT:            ~~~~~{{.*}} <--- HERE
# CHECK:        in outer
# CHECK-NEXT:     return middle(n)
# CHECK:        in middle
# CHECK-NEXT:     total += inner(n)
# CHECK:        in inner
# CHECK-NEXT:     raise ValueError("bad " + str(n))
# CHECK:      builtins.ValueError: bad 3
def inner(n: int) -> int:
    if n > 1:
        raise ValueError("bad " + str(n))
    return n


def middle(n: int) -> int:
    total = 0
    for i in range(n):
        total += inner(n)
    return total


def outer(n: int) -> int:
    return middle(n)


def main(n: int) -> int:
    return outer(n) + 1
