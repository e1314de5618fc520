# Numbers that have no result say so, in PyTorch's words.
# RUN: %exits 1 tsc-run %s --entry zero_float 2>&1 | FileCheck --check-prefix=ZERO-FLOAT %s
# ZERO-FLOAT: ZeroDivisionError: 0.0 cannot be raised to a negative power
# RUN: %exits 1 tsc-run %s --entry zero_int 2>&1 | FileCheck --check-prefix=ZERO-INT %s
# ZERO-INT: ZeroDivisionError: 0.0 cannot be raised to a negative power
# RUN: %exits 1 tsc-run %s --entry zero_math 2>&1 | FileCheck --check-prefix=ZERO-MATH %s
# ZERO-MATH: ZeroDivisionError: 0.0 cannot be raised to a negative power
# RUN: %exits 1 tsc-run %s --entry too_large 2>&1 | FileCheck --check-prefix=TOO-LARGE %s
# TOO-LARGE: RuntimeError: Cannot convert float 1000000000000000019884624838656.000000 to integer
# RUN: %exits 1 tsc-run %s --entry no_number 2>&1 | FileCheck --check-prefix=NO-NUMBER %s
# NO-NUMBER: RuntimeError: Cannot convert float nan to integer
# RUN: %exits 1 tsc-run %s --entry tensor_nan 2>&1 | FileCheck --check-prefix=TENSOR-NAN %s
# TENSOR-NAN: RuntimeError: value cannot be converted to type int64_t without overflow
# RUN: %exits 1 tsc-run %s --entry tensor_large 2>&1 | FileCheck --check-prefix=TENSOR-LARGE %s
# TENSOR-LARGE: RuntimeError: value cannot be converted to type int64_t without overflow
# RUN: %exits 1 tsc-run %s --entry tensor_complex 2>&1 | FileCheck --check-prefix=TENSOR-COMPLEX %s
# TENSOR-COMPLEX: RuntimeError: value cannot be converted to type double without overflow
# RUN: tsc-run %s --entry mixed_list | FileCheck --check-prefix=MIXED-LIST %s
# MIXED-LIST: tensor([1.0000, 2.5000])
# RUN: tsc-run %s --entry complex_list | FileCheck --check-prefix=COMPLEX-LIST %s
# COMPLEX-LIST: tensor([1.+2.j, 3.-4.j])
# RUN: tsc-run %s --entry ordinary | FileCheck --check-prefix=ORDINARY %s
# ORDINARY: (0.5, 1.0, -2, 2, 300, 2.0)
import math


def zero_float():
    return 0.0 ** -1


def zero_int():
    return 0 ** -1


def zero_math():
    return math.pow(0.0, -1.0)


def too_large():
    return math.floor(1e30)


def no_number():
    return math.ceil(float('nan'))


def tensor_nan():
    return int(torch.tensor(float('nan')))


def tensor_large():
    return int(torch.tensor(1e30))


def tensor_complex():
    return float(torch.tensor(2 + 1j))


def mixed_list():
    return torch.tensor([1, 2.5])


def complex_list():
    return torch.tensor([1 + 2j, 3 - 4j])


def ordinary():
    return 2 ** -1, 0.0 ** -0.0, math.floor(-1.5), math.ceil(1.5), int(torch.tensor(300.7)), float(torch.tensor(2 + 0j))
