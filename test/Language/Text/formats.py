# print, str and format write values as Python does; formats have fields, conversions and specifications.
# RUN: tsc-run %s --entry texts -O0 | FileCheck --check-prefix=TEXTS %s
# RUN: tsc-run %s --entry texts -O1 | FileCheck --check-prefix=TEXTS %s
# RUN: tsc-run %s --entry texts -O2 --compile=eager | FileCheck --check-prefix=TEXTS %s
# RUN: tsc-run %s --entry texts -O3 --compile=eager | FileCheck --check-prefix=TEXTS %s
# TEXTS:      1.0 1e+16 0.1 1e-05 inf nan -0.0 [1.0, 2.5] {'a': 1.0} (1.0, 'b') Op.MUL [<Op.MUL: 2>] tensor([1.])
# TEXTS-NEXT: 1.0 [1.0] 2.0 3.0 4.0 1e-07 True None a'b
# RUN: tsc-run %s --entry formats --args '7, 1234.5678, "abc", True' -O0 | FileCheck --check-prefix=FORMATS %s
# RUN: tsc-run %s --entry formats --args '7, 1234.5678, "abc", True' -O1 | FileCheck --check-prefix=FORMATS %s
# RUN: tsc-run %s --entry formats --args '7, 1234.5678, "abc", True' -O2 --compile=eager | FileCheck --check-prefix=FORMATS %s
# RUN: tsc-run %s --entry formats --args '7, 1234.5678, "abc", True' -O3 --compile=eager | FileCheck --check-prefix=FORMATS %s
# FORMATS:      abc 7 1234.57
# FORMATS-NEXT:   1234.568|abc       |       abc|   abc    |****7****|
# FORMATS-NEXT: +7  7 00007 7 0x7 111 0b111 7 H
# FORMATS-NEXT: 7,000,021 7_000_021 1,234.57 00,007,021
# FORMATS-NEXT: 1.234568e+03 1234.57 123456.780000% 1.23e+03 1235
# FORMATS-NEXT: 'abc' True     1 {7} abc-7-1234.6
# FORMATS-NEXT: 1234.57 1234.568        'abc' 0007 {x} ab
# FORMATS-NEXT:  1234.568 007
# FORMATS-NEXT: 1234.6|7    |00007|7|abc|{{'abc'}}
# RUN: %exits 1 tsc-run %s --entry wrong --args '1.5' -O0 2>&1 | FileCheck --check-prefix=CODE %s
# RUN: %exits 1 tsc-run %s --entry wrong --args '1.5' -O1 2>&1 | FileCheck --check-prefix=CODE %s
# RUN: %exits 1 tsc-run %s --entry wrong --args '1.5' -O2 --compile=eager 2>&1 | FileCheck --check-prefix=CODE %s
# RUN: %exits 1 tsc-run %s --entry wrong --args '1.5' -O3 --compile=eager 2>&1 | FileCheck --check-prefix=CODE %s
# CODE: error: ValueError: Unknown format code 'd' for object of type 'float'
# RUN: %exits 1 tsc-run %s --entry missing --args '1.5' -O0 2>&1 | FileCheck --check-prefix=MISSING %s
# RUN: %exits 1 tsc-run %s --entry missing --args '1.5' -O1 2>&1 | FileCheck --check-prefix=MISSING %s
# RUN: %exits 1 tsc-run %s --entry missing --args '1.5' -O2 --compile=eager 2>&1 | FileCheck --check-prefix=MISSING %s
# RUN: %exits 1 tsc-run %s --entry missing --args '1.5' -O3 --compile=eager 2>&1 | FileCheck --check-prefix=MISSING %s
# MISSING: error: IndexError: Replacement index 1 out of range for positional args tuple
from enum import Enum


class Op(Enum):
    ADD = 1
    MUL = 2


def texts():
    print(1.0, 1e16, 0.1, 1e-5, float('inf'), -float('nan'), -0.0, [1.0, 2.5], {"a": 1.0}, (1.0, "b"), Op.MUL, [Op.MUL],
          torch.ones([1]))
    print(str(1.0), str([1.0]), "{}".format(2.0), "%s" % 3.0, f"{4.0}", str(1e-7), str(True), str(None), str("a'b"))


def formats(i: int, x: float, s: str, b: bool):
    print("{1} {0} {2:.2f}".format(i, s, x))
    print("{:10.3f}|{:<10}|{:>10}|{:^10}|{:*^9}|".format(x, s, s, s, i))
    print("{:+d} {: d} {:05d} {:x} {:#x} {:b} {:#b} {:o} {:c}".format(i, i, i, i, i, i, i, i, 72))
    print("{:,} {:_} {:,.2f} {:010,}".format(i * 1000003, i * 1000003, x, i * 1003))
    print("{:e} {:g} {:%} {:.3} {:.0f}".format(x, x, x, x, x))
    print("{!r} {} {:5} {{{}}} {name}-{0}-{2:.1f}".format(s, b, b, i, name=s) if i < 0 else
          "{0!r} {1} {1:5} {{{2}}} {name}-{2}-{x:.1f}".format(s, b, i, name=s, x=x))
    print(f"{x:.2f} {x:8.3f} {s!r:>12} {i:04d} {{x}} {s:.2}")
    print(f"{x:{i + 2}.{i - 4}f} {i:0{len(s)}}")
    print("%5.1f|%-5d|%05d|%x|%s|%r" % (x, i, i, i, s, s))


def wrong(x: float):
    return "{:d}".format(x)


def missing(x: float):
    return "{1}".format(x)
