# A factorization counts before it begins: it does not start where the limit leaves too few steps for it.
# RUN: %exits 1 tsc-run --max-steps 2000 %s --entry determinant 2>&1 | FileCheck --check-prefix=STEPS %s
# RUN: %exits 1 tsc-run --max-steps 2000 %s --entry triangle 2>&1 | FileCheck --check-prefix=STEPS %s
# RUN: %exits 1 tsc-run --max-steps 2000 %s --entry reflectors 2>&1 | FileCheck --check-prefix=STEPS %s
# RUN: %exits 1 tsc-run --max-steps 2000 %s --entry blocks 2>&1 | FileCheck --check-prefix=STEPS %s
# RUN: %exits 1 tsc-run --max-steps 2000 %s --entry singular 2>&1 | FileCheck --check-prefix=STEPS %s
# RUN: %exits 1 tsc-run --max-steps 2000 %s --entry symmetric 2>&1 | FileCheck --check-prefix=STEPS %s
# RUN: %exits 1 tsc-run --max-steps 2000 %s --entry general 2>&1 | FileCheck --check-prefix=STEPS %s
# RUN: %exits 1 tsc-run --max-steps 2000 %s --entry nearest 2>&1 | FileCheck --check-prefix=STEPS %s
# RUN: %exits 1 tsc-run --max-steps 2000 %s --entry exponential 2>&1 | FileCheck --check-prefix=STEPS %s
# Many matrices count, too, of which each takes less than a step.
# RUN: %exits 1 tsc-run --max-steps 700 %s --entry many 2>&1 | FileCheck --check-prefix=STEPS %s
# RUN: %exits 1 tsc-run --max-steps 700 --threads 2 %s --entry many 2>&1 | FileCheck --check-prefix=STEPS %s
# STEPS-NOT: {{^ends}}
# STEPS: the program exceeded its limit of steps (--max-steps)
# STEPS-NOT: {{^ends}}

# One matrix under way stops where the call is cancelled.
# RUN: %python %S/Inputs/interrupt.py tsc-run %s singular general general_complex


def begin(n: int) -> Tensor:
    x = torch.rand([n, n])
    print("begins")
    return x


def determinant():
    print("ends", torch.linalg.det(begin(2000)))


def triangle():
    print("ends", torch.linalg.cholesky_ex(begin(2000))[1])


def reflectors():
    print("ends", torch.linalg.qr(begin(2000))[1][0, 0])


def blocks():
    print("ends", torch.linalg.ldl_factor_ex(begin(2000))[2])


def singular():
    print("ends", torch.linalg.svd(begin(3500))[1][0])


def symmetric():
    print("ends", torch.linalg.eigh(begin(2000))[0][0])


def general():
    print("ends", torch.linalg.eigvals(begin(3500))[0])


def general_complex():
    print("ends", torch.linalg.eigvals(begin(1500).to(torch.complex64))[0])


def nearest():
    x = begin(2000)
    print("ends", torch.linalg.lstsq(x, x[:, :1])[2])


def exponential():
    print("ends", torch.linalg.matrix_exp(begin(2000))[0, 0])


def many():
    x = torch.rand([8000, 20, 20])
    print("begins")
    print("ends", torch.linalg.svdvals(x)[0, 0])
