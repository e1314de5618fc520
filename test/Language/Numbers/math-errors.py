# Functions of math, powers, min and max in source do what Python's do: also with operands that give no number.
# RUN: %all_modes tsc-run %s --entry good | FileCheck --check-prefix=GOOD %s
# GOOD: (inf, nan, 0.0, inf, -1, 3.0, inf, nan, inf)
# GOOD: (nan, nan, 3.0, nan)
# RUN: %all_modes --status 1 tsc-run %s --entry root --args '-1.0' | FileCheck --check-prefix=DOMAIN %s
# RUN: %all_modes --status 1 tsc-run %s --entry logarithm --args '0.0' | FileCheck --check-prefix=DOMAIN %s
# RUN: %all_modes --status 1 tsc-run %s --entry sine --args 'float("inf")' | FileCheck --check-prefix=DOMAIN %s
# RUN: %all_modes --status 1 tsc-run %s --entry gamma --args '-1.0' | FileCheck --check-prefix=DOMAIN %s
# RUN: %all_modes --status 1 tsc-run %s --entry gamma --args '0.0' | FileCheck --check-prefix=DOMAIN %s
# RUN: %all_modes --status 1 tsc-run %s --entry rest --args '1.0, 0.0' | FileCheck --check-prefix=DOMAIN %s
# RUN: %all_modes --status 1 tsc-run %s --entry constant | FileCheck --check-prefix=DOMAIN %s
# RUN: %all_modes --status 1 tsc-run %s --entry power --args '-8.0, 0.5' | FileCheck --check-prefix=DOMAIN %s
# DOMAIN: error: ValueError: math domain error
# RUN: %all_modes --status 1 tsc-run %s --entry exponential --args '1000.0' | FileCheck --check-prefix=RANGE %s
# RUN: %all_modes --status 1 tsc-run %s --entry gamma --args '500.0' | FileCheck --check-prefix=RANGE %s
# RANGE: error: OverflowError: math range error
# RUN: %all_modes --status 1 tsc-run %s --entry power --args '1e300, 2.0' | FileCheck --check-prefix=LARGE %s
# LARGE: error: OverflowError: (34, 'Numerical result out of range')
# RUN: %all_modes --status 1 tsc-run %s --entry power --args '0.0, -1.0' | FileCheck --check-prefix=ZERO %s
# ZERO: error: ZeroDivisionError: 0.0 cannot be raised to a negative power
# RUN: %all_modes --status 1 tsc-run %s --entry base --args '8.0, 1.0' | FileCheck --check-prefix=BASE %s
# BASE: error: ZeroDivisionError: float division by zero
# RUN: %all_modes --status 1 tsc-run %s --entry assign --args 'torch.ones([2]), 1e300' | FileCheck --check-prefix=FIT %s
# FIT: error: RuntimeError: value cannot be converted to type float without overflow
import math
import torch
from torch import Tensor
from typing import Tuple


def good() -> Tuple[float, float, float, float]:
    inf, nan = float("inf"), float("nan")
    print((math.exp(inf), math.sqrt(nan), math.exp(-1e300), math.log(inf), math.trunc(-1.5), math.sqrt(9), inf ** 0.5, (inf - inf) ** 2, 0.0 ** -inf))
    return max(nan, 3.0), min(nan, 3.0), max(3.0, nan), max([nan, 3.0])


def root(a: float) -> float:
    return math.sqrt(a)


def logarithm(a: float) -> float:
    return math.log(a)


def sine(a: float) -> float:
    return math.sin(a)


def gamma(a: float) -> float:
    return math.gamma(a)


def rest(a: float, b: float) -> float:
    return math.fmod(a, b)


def constant() -> float:
    return math.acos(2)


def exponential(a: float) -> float:
    return math.exp(a)


def power(a: float, b: float) -> float:
    return a ** b


def base(a: float, b: float) -> float:
    return math.log(a, b)


def assign(x: Tensor, value: float) -> Tensor:
    x[x > 0] = value
    return x
