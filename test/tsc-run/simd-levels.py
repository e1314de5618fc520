# REQUIRES: avx512, all-simd-levels
# Where the machine has all levels of x86-64, each can be chosen: fused code has its registers, and results are the same.
# RUN: tsc-run %s --args 0 --simd=v4 --compile=eager --print-kernels=asm | FileCheck --check-prefix=V4 %s
# RUN: tsc-run %s --args 0 --simd=v3 --compile=eager --print-kernels=asm | FileCheck --check-prefix=V3 %s
# RUN: env TSC_SIMD=v3 tsc-run %s --args 0 --compile=eager --print-kernels=asm | FileCheck --check-prefix=V3 %s
# V4: %zmm
# V3-NOT: %zmm
# V3: %ymm
# V3-NOT: %zmm

# RUN: tsc-run %s --args 0 --simd=v4 --compile=eager > %t.v4
# RUN: tsc-run %s --args 0 --simd=v3 --compile=eager > %t.v3
# RUN: diff %t.v4 %t.v3

# At v2 groups of operators run one by one, and that is said.
# RUN: tsc-run %s --args 0 --simd=v2 --compile=eager 2>&1 >/dev/null | FileCheck --check-prefix=V2 %s
# V2: warning: kernels for fused operators need fused multiply-add and vectors of halves

# The report says which level is used, and why. The option goes before the environment, whatever stands there.
# RUN: env TSC_SIMD=v3 tsc-run --doctor | FileCheck --check-prefix=DOCTOR-V3 %s
# DOCTOR-V3: vectors {{ *}}v3 (TSC_SIMD), 256 bits; the machine has v4
# RUN: env TSC_SIMD=v9 tsc-run --simd=v3 --doctor | FileCheck --check-prefix=DOCTOR-OPTION %s
# DOCTOR-OPTION: vectors {{ *}}v3 (--simd), 256 bits; the machine has v4
# DOCTOR-OPTION-NOT: TSC_SIMD
# RUN: tsc-run --simd=v2 --doctor | FileCheck --check-prefix=DOCTOR-V2 %s
# DOCTOR-V2: vectors {{ *}}v2 (--simd), 128 bits; the machine has v4; fused operators run one by one
import torch


# The argument is not written in the program, where it would be computed while that is compiled.
def main(first: int) -> None:
    x = torch.arange(first, 1000).float() * 0.01 - 5
    y = torch.tanh(x) * torch.exp(-x * x) + torch.sigmoid(x)
    z = (x.half() + 1).float() * y
    print(y[::97].tolist(), z[::97].tolist())
