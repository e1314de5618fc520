# Methods of str know the letters of all scripts, compiled at every level and walked; so do texts that repr() writes.
# RUN: rm -rf %t && split-file %s %t
# RUN: cat %t/methods.py %t/compiled.py > %t/one.py && %all_modes tsc-run %t/one.py | FileCheck %s
# RUN: cat %t/methods.py %t/walked.py > %t/two.py && tsc-run %t/two.py | FileCheck %s
# CHECK:      STRASSE ÉTÉ 中 ǆ straße été 中 Straße Été 中 ǅ
# CHECK-NEXT: ΟΔΥΣΣΕΥΣ οδυσσευς Straße été σΤΡΑ
# CHECK-NEXT: True True True False True True False True True
# CHECK-NEXT: ['a', 'b'] ['a', 'b\u2003c'] ['x', 'y', 'z', 'w'] |a| |è|
# CHECK-NEXT: ['é\xa0\u2028', "it's", 'a\\\x85'] 42 1.5 -12
# CHECK-NEXT: -é-a- a|é| b aéé 005|0o10|    a|'\xe9'
# CHECK-NEXT: integer division or modulo by zero
# CHECK-NEXT: integer modulo by zero
# CHECK-NEXT: empty separator
# CHECK-NEXT: could not convert string to float: 'one'

#--- methods.py
def changed(s: str, t: str):
    print(s.upper(), t.upper(), "\u4e2d".upper(), "\u01c5".lower(), s.lower(), t.lower(), "\u4e2d", s.title(), t.title(),
          "\u4e2d", "\u01c6".title())
    u = "\u03bf\u03b4\u03c5\u03c3\u03c3\u03b5\u03c5\u03c2"
    print(u.upper(), u.upper().lower(), s.capitalize(), t.swapcase().lower(), "\u03a3\u03c4\u03c1\u03b1".swapcase())


def asked(s: str, t: str):
    print(s.isalpha(), "\u0661".isdigit(), "\u00bd".isnumeric(), "\u00bd".isdigit(), t.islower(), t.upper().isupper(),
          "\u2028".isprintable(), "\u2003".isspace(), t.isidentifier())


def parted(space: str):
    a = "a" + space + "b" + space
    print(a.split(), (a + "c").split(None, 1), ("x\u2028y\r\nz\x85" + "w").splitlines(), "|" + (space + "a\r").strip() + "|",
          "|" + "\u00e9\u00e8\u00e9".strip("\u00e9") + "|")


def written(e: str, n: int):
    print([e + "\u00a0\u2028", "it's", "a\\\x85"], int("\u0664\u0662"), float(" 1.5\u2003"), int("-1_2"))
    print((e + "a").replace("", "-"), "a|" + e + "|\tb".expandtabs(2), "a" + e.ljust(2, e), "%.3d|%#o|%5c|%a" % (n, 8, "a", e))


def failed(n: int, s: str):
    try:
        print(1 // n)
    except ZeroDivisionError as e:
        print(e)
    try:
        print(1 % n)
    except ZeroDivisionError as e:
        print(e)
    try:
        print(s.partition(""))
    except ValueError as e:
        print(e)
    try:
        print(float(s))
    except ValueError as e:
        print(e)


def main():
    changed("stra\u00dfe", "\u00e9t\u00e9")
    asked("stra\u00dfe", "\u00e9t\u00e9")
    parted("\u2003")
    written("\u00e9", 5)
    failed(0, "one")


#--- compiled.py


main()
#--- walked.py


import torch


class Walked(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return x


main()
