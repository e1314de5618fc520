# A float that is no int of 64 bits has no int: the same error at all levels, of constants and of what a call brings.
# RUN: %exits 1 tsc-run %s --entry nan -O0 2>&1 | FileCheck --check-prefix=NAN %s
# RUN: %exits 1 tsc-run %s --entry nan -O1 2>&1 | FileCheck --check-prefix=NAN %s
# RUN: %exits 1 tsc-run %s --entry nan -O2 --compile=eager 2>&1 | FileCheck --check-prefix=NAN %s
# RUN: %exits 1 tsc-run %s --entry nan -O3 --compile=eager 2>&1 | FileCheck --check-prefix=NAN %s
# NAN: error: ValueError: cannot convert float NaN to integer
# RUN: %exits 1 tsc-run %s --entry infinity -O0 2>&1 | FileCheck --check-prefix=INFINITY %s
# RUN: %exits 1 tsc-run %s --entry infinity -O1 2>&1 | FileCheck --check-prefix=INFINITY %s
# RUN: %exits 1 tsc-run %s --entry infinity -O2 --compile=eager 2>&1 | FileCheck --check-prefix=INFINITY %s
# RUN: %exits 1 tsc-run %s --entry infinity -O3 --compile=eager 2>&1 | FileCheck --check-prefix=INFINITY %s
# INFINITY: error: OverflowError: cannot convert float infinity to integer
# RUN: %exits 1 tsc-run %s --entry large -O0 2>&1 | FileCheck --check-prefix=LARGE %s
# RUN: %exits 1 tsc-run %s --entry large -O1 2>&1 | FileCheck --check-prefix=LARGE %s
# RUN: %exits 1 tsc-run %s --entry large -O2 --compile=eager 2>&1 | FileCheck --check-prefix=LARGE %s
# RUN: %exits 1 tsc-run %s --entry large -O3 --compile=eager 2>&1 | FileCheck --check-prefix=LARGE %s
# LARGE: error: OverflowError: 1e+300 does not fit an int of 64 bits
# RUN: %exits 1 tsc-run %s --entry given --args '1e300' -O0 2>&1 | FileCheck --check-prefix=LARGE %s
# RUN: %exits 1 tsc-run %s --entry given --args '1e300' -O1 2>&1 | FileCheck --check-prefix=LARGE %s
# RUN: %exits 1 tsc-run %s --entry given --args '1e300' -O2 --compile=eager 2>&1 | FileCheck --check-prefix=LARGE %s
# RUN: %exits 1 tsc-run %s --entry given --args '1e300' -O3 --compile=eager 2>&1 | FileCheck --check-prefix=LARGE %s
# RUN: %exits 1 tsc-run %s --entry of_number -O0 2>&1 | FileCheck --check-prefix=LARGE %s
# RUN: %exits 1 tsc-run %s --entry of_number -O2 --compile=eager 2>&1 | FileCheck --check-prefix=LARGE %s
# RUN: %exits 1 tsc-run %s --entry by_zero -O0 2>&1 | FileCheck --check-prefix=ZERO %s
# RUN: %exits 1 tsc-run %s --entry by_zero -O1 2>&1 | FileCheck --check-prefix=ZERO %s
# RUN: %exits 1 tsc-run %s --entry by_zero -O2 --compile=eager 2>&1 | FileCheck --check-prefix=ZERO %s
# ZERO: error: ZeroDivisionError: {{.*}}zero
# RUN: tsc-run %s --entry edges -O0 | FileCheck --check-prefix=EDGES %s
# RUN: tsc-run %s --entry edges -O1 | FileCheck --check-prefix=EDGES %s
# RUN: tsc-run %s --entry edges -O2 --compile=eager | FileCheck --check-prefix=EDGES %s
# RUN: tsc-run %s --entry edges -O3 --compile=eager | FileCheck --check-prefix=EDGES %s
# EDGES: (9223372036854774784, -9223372036854775808, -1, 0, 2)


def nan():
    return int(float('nan'))


def infinity():
    return int(-float('inf'))


def large():
    return int(1e300)


def given(x: float):
    return int(x)


def of_number():
    return int(torch.tensor(1e300, dtype=torch.float64).item())


def by_zero():
    return 1 // int(0.5)


def edges():
    return int(9223372036854774784.0), int(-9223372036854775808.0), int(-1.9), int(0.9), int(2.0)
