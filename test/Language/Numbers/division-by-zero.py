# Divisions in source raise as Python's do, of constants and of what a call brings; quotients and remainders are Python's.
# RUN: %exits 1 tsc-run %s --entry constants -O0 2>&1 | FileCheck --check-prefix=FLOAT %s
# RUN: %exits 1 tsc-run %s --entry constants -O1 2>&1 | FileCheck --check-prefix=FLOAT %s
# RUN: %exits 1 tsc-run %s --entry constants -O2 --compile=eager 2>&1 | FileCheck --check-prefix=FLOAT %s
# RUN: %exits 1 tsc-run %s --entry constants -O3 --compile=eager 2>&1 | FileCheck --check-prefix=FLOAT %s
# FLOAT: error: ZeroDivisionError: {{.*}}division by zero
# RUN: %exits 1 tsc-run %s --entry floats --args '1.0, 0.0' -O0 2>&1 | FileCheck --check-prefix=FLOAT %s
# RUN: %exits 1 tsc-run %s --entry floats --args '1.0, 0.0' -O1 2>&1 | FileCheck --check-prefix=FLOAT %s
# RUN: %exits 1 tsc-run %s --entry floats --args '1.0, 0.0' -O2 --compile=eager 2>&1 | FileCheck --check-prefix=FLOAT %s
# RUN: %exits 1 tsc-run %s --entry floats --args '1.0, 0.0' -O3 --compile=eager 2>&1 | FileCheck --check-prefix=FLOAT %s
# RUN: %exits 1 tsc-run %s --entry ints --args '1, 0' -O0 2>&1 | FileCheck --check-prefix=INT %s
# RUN: %exits 1 tsc-run %s --entry ints --args '1, 0' -O1 2>&1 | FileCheck --check-prefix=INT %s
# RUN: %exits 1 tsc-run %s --entry ints --args '1, 0' -O2 --compile=eager 2>&1 | FileCheck --check-prefix=INT %s
# RUN: %exits 1 tsc-run %s --entry ints --args '1, 0' -O3 --compile=eager 2>&1 | FileCheck --check-prefix=INT %s
# INT: error: ZeroDivisionError: division by zero
# RUN: %exits 1 tsc-run %s --entry mixed --args '1, -0.0' -O0 2>&1 | FileCheck --check-prefix=FLOAT %s
# RUN: %exits 1 tsc-run %s --entry mixed --args '1, -0.0' -O1 2>&1 | FileCheck --check-prefix=FLOAT %s
# RUN: %exits 1 tsc-run %s --entry mixed --args '1, -0.0' -O2 --compile=eager 2>&1 | FileCheck --check-prefix=FLOAT %s
# RUN: %exits 1 tsc-run %s --entry mixed --args '1, -0.0' -O3 --compile=eager 2>&1 | FileCheck --check-prefix=FLOAT %s
# RUN: %exits 1 tsc-run %s --entry floor --args '2.5, 0.0' -O0 2>&1 | FileCheck --check-prefix=FLOOR %s
# RUN: %exits 1 tsc-run %s --entry floor --args '2.5, 0.0' -O1 2>&1 | FileCheck --check-prefix=FLOOR %s
# RUN: %exits 1 tsc-run %s --entry floor --args '2.5, 0.0' -O2 --compile=eager 2>&1 | FileCheck --check-prefix=FLOOR %s
# RUN: %exits 1 tsc-run %s --entry floor --args '2.5, 0.0' -O3 --compile=eager 2>&1 | FileCheck --check-prefix=FLOOR %s
# FLOOR: error: ZeroDivisionError: float floor division by zero
# RUN: %exits 1 tsc-run %s --entry modulo --args '2.5, 0.0' -O0 2>&1 | FileCheck --check-prefix=MODULO %s
# RUN: %exits 1 tsc-run %s --entry modulo --args '2.5, 0.0' -O1 2>&1 | FileCheck --check-prefix=MODULO %s
# RUN: %exits 1 tsc-run %s --entry modulo --args '2.5, 0.0' -O2 --compile=eager 2>&1 | FileCheck --check-prefix=MODULO %s
# RUN: %exits 1 tsc-run %s --entry modulo --args '2.5, 0.0' -O3 --compile=eager 2>&1 | FileCheck --check-prefix=MODULO %s
# MODULO: error: ZeroDivisionError: float modulo
# RUN: %exits 1 tsc-run %s --entry number --args '1' -O0 2>&1 | FileCheck --check-prefix=FLOAT %s
# RUN: %exits 1 tsc-run %s --entry number --args '1' -O1 2>&1 | FileCheck --check-prefix=FLOAT %s
# RUN: %exits 1 tsc-run %s --entry number --args '1' -O2 --compile=eager 2>&1 | FileCheck --check-prefix=FLOAT %s
# RUN: %exits 1 tsc-run %s --entry number --args '1' -O3 --compile=eager 2>&1 | FileCheck --check-prefix=FLOAT %s
# RUN: tsc-run %s --entry good --args '1.0, 0.1' -O0 | FileCheck --check-prefix=GOOD %s
# RUN: tsc-run %s --entry good --args '1.0, 0.1' -O1 | FileCheck --check-prefix=GOOD %s
# RUN: tsc-run %s --entry good --args '1.0, 0.1' -O2 --compile=eager | FileCheck --check-prefix=GOOD %s
# RUN: tsc-run %s --entry good --args '1.0, 0.1' -O3 --compile=eager | FileCheck --check-prefix=GOOD %s
# GOOD: (10.0, 9.0, 0.09999999999999995, 9.0, 0.09999999999999995)
# RUN: tsc-run %s --entry good --args '-7.5, 2.0' -O0 | FileCheck --check-prefix=NEGATIVE %s
# RUN: tsc-run %s --entry good --args '-7.5, 2.0' -O1 | FileCheck --check-prefix=NEGATIVE %s
# RUN: tsc-run %s --entry good --args '-7.5, 2.0' -O2 --compile=eager | FileCheck --check-prefix=NEGATIVE %s
# RUN: tsc-run %s --entry good --args '-7.5, 2.0' -O3 --compile=eager | FileCheck --check-prefix=NEGATIVE %s
# NEGATIVE: (-3.75, -4.0, 0.5, -4.0, 0.5)


def constants():
    return 1 / 0


def floats(a: float, b: float):
    return a / b


def ints(a: int, b: int):
    return a / b


def mixed(a: int, b: float):
    return a / b


def floor(a: float, b: float):
    return a // b


def modulo(a: float, b: float):
    return a % b


def number(a: int):
    return a / torch.zeros([1]).item()


def good(a: float, b: float):
    q, r = divmod(a, b)
    return a / b, a // b, a % b, q, r
