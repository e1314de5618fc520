# What a walked file computes with numbers, formats and orders is what CPython does.
# RUN: tsc-run %s | FileCheck %s --match-full-lines
# RUN: sed 's/^# FAILS //' %s > %t.py && not tsc-run %t.py 2>&1 | FileCheck --check-prefix=REFUSED %s
# REFUSED: {{.*}}: error: ints of more than 64 bits aren't supported in code that runs while the program is loaded; {{.*}}
import math

import torch


class Walked(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return x


class Version:
    def __init__(self, number):
        self.number = number

    def __lt__(self, other):
        return self.number < other.number


def tried(function):
    try:
        print(function())
    except Exception as e:
        print(type(e).__name__, e)


# CHECK: 3.0744573456182584e+18 9007199254740992.0 True False 0.0 inf
print(9223372036854775807 / 3, 9007199254740993 / 1, 2**53 + 1 > 2.0**53, 2**53 + 1 == 2.0**53, 0.0 // 3, 0.0 ** -math.inf)
# CHECK-NEXT: 1.5707963267948966 5.0 3.0 -1.0 0.1 1e-05 -7.0
print(math.acos(0), math.fmod(5, 7), math.log(8, 2), math.copysign(1, -0.0), 0.1, 1e-5, -7.5 // 1.25 - 1)
# CHECK-NEXT: 005|0x0000ff|+3|'\xe9'|  ab|1.e+02|0o17
print("%.3d|%#08x|%+d|%a|%4.2s|%#.0e|%#o" % (5, 255, 3, "\u00e9", "abc", 100, 15))
# CHECK-NEXT: 2 b 3.142| 7|[1]|1_000
print("{0[1]} {1[a]} {2:{3}}|{x:>2}|{4!r}|{5:_}".format([1, 2], {"a": "b"}, 3.14159, ".3f", [1], 1000, x=7))
# CHECK-NEXT: True False [3, 2, 1] [(1, 'b'), (1, 'a'), (0, 'c')]
print(Version(2) > Version(1), Version(1) > Version(2), [v.number for v in sorted(map(Version, [2, 3, 1]), reverse=True)],
      sorted([(1, "b"), (0, "c"), (1, "a")], key=lambda p: p[0], reverse=True))
# CHECK-NEXT: 1 2 -1 True ['', 'a', 'b'] ('x', '=', 'y=z') 2 4
print("aba".find("b", 1), "aba".rfind("a", -2), "aba".find("b", 2), "aba".startswith("ba", 1), ",a,b".split(","),
      "x=y=z".partition("="), "aXbXc".count("X", 0, -1), "a-b-c".index("c", -2))
# CHECK-NEXT: edcba eca [5, 3, 1] (1, 2) 42 255 10.0
print("abcde"[::-1], "abcde"[::-2], [1, 2, 3, 4, 5][::-2], (1, 2, 3)[:-1], int("\u0664\u0662"), int("0xff", 0), float("1_0"))
# CHECK-NEXT: ZeroDivisionError integer division or modulo by zero
tried(lambda: 1 // 0)
# CHECK-NEXT: OverflowError (34, 'Numerical result out of range')
tried(lambda: 10.0 ** 400)
# CHECK-NEXT: ValueError math domain error
tried(lambda: math.log(2, 0))
# CHECK-NEXT: ValueError cannot switch from manual field specification to automatic field numbering
tried(lambda: "{0}{}".format(1, 2))
# CHECK-NEXT: TypeError %x format: an integer is required, not float
tried(lambda: "%x" % 1.5)
# CHECK-NEXT: ValueError invalid literal for int() with base 10: '1__0'
tried(lambda: int("1__0"))
# FAILS print(9223372036854775807 + 1)
