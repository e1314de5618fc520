# `text % values`: widths that are values, keys of a mapping, in compiled code and in the code of a file.
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s --match-full-lines
from typing import Dict


def counted(counts: Dict[str, int], which: str) -> str:
    return "%(a)d %(b)03d" % counts if which == "both" else ("%(" + which + ")s") % counts


def failures(width: float) -> None:
    try:
        print("%*d" % (width, 3))
    except TypeError as e:
        print(e)
    try:
        print("%*d" % (5,))
    except TypeError as e:
        print(e)
    try:
        print("%(a)s" % 3)
    except TypeError as e:
        print(e)
    try:
        print(counted({"a": 1}, "z"))
    except KeyError as e:
        print("no", str(e).strip("'"))
    for text in ["%", "%5", "%(a)"]:
        try:
            print(text % {"a": 1})
        except ValueError as e:
            print(e)


def main() -> None:
    print("%5.1f|%*d|%-*d|%*d|%.*f|%*.*f" % (1.25, 4, 7, 4, 7, -4, 7, 2, 3.14159, 8, 3, 2.5) + "|")
    print("%*s|%-*s|%.*s" % (5, "ab", 5, "ab", 2, "abcdef"))
    print(counted({"a": 1, "b": 2}, "both"), counted({"a": 1}, "a"), "no conversion" % {"a": 1}, "%s" % {"a": 1})
    print("%ld %hd %%|%s" % (3, 4, "x"))
    failures(2.5)


# What Python prints:
# CHECK:   1.2|   7|7   |7   |3.14|   2.500|
# CHECK-NEXT:    ab|ab   |ab
# CHECK-NEXT: 1 002 1 no conversion {'a': 1}
# CHECK-NEXT: 3 4 %|x
# CHECK-NEXT: * wants int
# CHECK-NEXT: not enough arguments for format string
# CHECK-NEXT: format requires a mapping
# CHECK-NEXT: no z
# CHECK-NEXT: incomplete format
# CHECK-NEXT: incomplete format
# CHECK-NEXT: incomplete format
