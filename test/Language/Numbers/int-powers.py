# An int to the power of an int is an int, unless the exponent is written as a negative number.
# RUN: tsc-run %s --entry powers --args '3' -O0 | FileCheck --check-prefix=POWERS %s
# RUN: tsc-run %s --entry powers --args '3' -O1 | FileCheck --check-prefix=POWERS %s
# RUN: tsc-run %s --entry powers --args '3' -O2 --compile=eager | FileCheck --check-prefix=POWERS %s
# RUN: tsc-run %s --entry powers --args '3' -O3 --compile=eager | FileCheck --check-prefix=POWERS %s
# POWERS: (8, 8, 9, 0.5, 0.001, 8.0, 8.0)
# RUN: %exits 1 tsc-run %s --entry power --args '2, -1' -O0 2>&1 | FileCheck --check-prefix=ERROR %s
# RUN: %exits 1 tsc-run %s --entry power --args '2, -1' -O1 2>&1 | FileCheck --check-prefix=ERROR %s
# RUN: %exits 1 tsc-run %s --entry power --args '2, -1' -O2 --compile=eager 2>&1 | FileCheck --check-prefix=ERROR %s
# RUN: %exits 1 tsc-run %s --entry power --args '2, -1' -O3 --compile=eager 2>&1 | FileCheck --check-prefix=ERROR %s
# ERROR: error: ValueError: 2 ** -1 is a float, and the program takes it for an int: float(2) ** -1 is one
import math


def powers(n: int):
    square = n
    square **= 2
    return 2 ** 3, 2 ** n, square, 2 ** -1, 10 ** -n, 2.0 ** 3, math.pow(2, 3)


def power(a: int, b: int):
    return a ** b
