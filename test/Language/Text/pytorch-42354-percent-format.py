# PyTorch issue 42354: formatting with %.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch


def format_str(s: str) -> str:
    return "This is my %s in template" % s


def main() -> None:
    for i in range(10):
        print(format_str("text"), "%d of %d, %5.2f%%" % (3, 4, 75.0), "%s and %r" % ("a", "b"), "%05d|%-5s|%+d|%x" % (42, "ab", 7, 255))
        print("%e %g" % (12345.678, 0.0001), "%s" % [1, 2], "%10.3f|" % 3.14159, "%c" % "x", "%s %s" % (True, None))


# What Python prints:
# CHECK: This is my text in template 3 of 4, 75.00% a and 'b' 00042|ab   |+7|ff
# CHECK-NEXT: 1.234568e+04 0.0001 [1, 2]      3.142| x True None
# CHECK-NEXT: This is my text in template 3 of 4, 75.00% a and 'b' 00042|ab   |+7|ff
# CHECK-NEXT: 1.234568e+04 0.0001 [1, 2]      3.142| x True None
# CHECK-NEXT: This is my text in template 3 of 4, 75.00% a and 'b' 00042|ab   |+7|ff
# CHECK-NEXT: 1.234568e+04 0.0001 [1, 2]      3.142| x True None
# CHECK-NEXT: This is my text in template 3 of 4, 75.00% a and 'b' 00042|ab   |+7|ff
# CHECK-NEXT: 1.234568e+04 0.0001 [1, 2]      3.142| x True None
# CHECK-NEXT: This is my text in template 3 of 4, 75.00% a and 'b' 00042|ab   |+7|ff
# CHECK-NEXT: 1.234568e+04 0.0001 [1, 2]      3.142| x True None
# CHECK-NEXT: This is my text in template 3 of 4, 75.00% a and 'b' 00042|ab   |+7|ff
# CHECK-NEXT: 1.234568e+04 0.0001 [1, 2]      3.142| x True None
# CHECK-NEXT: This is my text in template 3 of 4, 75.00% a and 'b' 00042|ab   |+7|ff
# CHECK-NEXT: 1.234568e+04 0.0001 [1, 2]      3.142| x True None
# CHECK-NEXT: This is my text in template 3 of 4, 75.00% a and 'b' 00042|ab   |+7|ff
# CHECK-NEXT: 1.234568e+04 0.0001 [1, 2]      3.142| x True None
# CHECK-NEXT: This is my text in template 3 of 4, 75.00% a and 'b' 00042|ab   |+7|ff
# CHECK-NEXT: 1.234568e+04 0.0001 [1, 2]      3.142| x True None
# CHECK-NEXT: This is my text in template 3 of 4, 75.00% a and 'b' 00042|ab   |+7|ff
# CHECK-NEXT: 1.234568e+04 0.0001 [1, 2]      3.142| x True None
