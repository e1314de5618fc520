# Sums and products whose low bits are all that is stored are computed in as many bits as the widest integer in memory has.
# What looks at whole numbers is computed in 64 bits.
# RUN: tsc-run --print-kernels llvm --args "torch.tensor([100, -128, 127, -3], dtype=torch.int8), torch.tensor([3, 2, -1, 77], dtype=torch.int8)" --entry bytes %s | FileCheck %s --check-prefix=BYTES
# RUN: tsc-run --print-kernels llvm --args "torch.tensor([100, -128, 127, -3], dtype=torch.int8), torch.tensor([300, 2, -1, 77], dtype=torch.int16)" --entry mixed %s | FileCheck %s --check-prefix=MIXED
# RUN: tsc-run --print-kernels llvm --args "torch.tensor([100, -128, 127, -3], dtype=torch.int8), torch.tensor([3, 2, -1, 77], dtype=torch.int8)" --entry whole %s | FileCheck %s --check-prefix=WHOLE
# In each way the numbers are the same.
# RUN: %all_modes tsc-run --entry main %s | FileCheck %s
import torch
from torch import Tensor


# BYTES-NOT: i64>
# BYTES: mul <[[N:[0-9]+]] x i8>
# BYTES-NOT: i64>
# BYTES: ret void
# BYTES: tensor([ -56, -127,    4,  108], dtype=torch.int8)
def bytes(a: Tensor, b: Tensor):
    return a * b - (a ^ b) + 3


# MIXED: sext <{{[0-9]+}} x i8> {{.*}} to <[[N:[0-9]+]] x i16>
# MIXED: mul <[[N]] x i16>
# MIXED: ret void
# MIXED: tensor([29900,  -128,  -254,  -228], dtype=torch.int16)
def mixed(a: Tensor, b: Tensor):
    return a * b - (a & 255)


# WHOLE: mul <{{[0-9]+}} x i64>
# WHOLE: ret void
def whole(a: Tensor, b: Tensor):
    return torch.maximum(a * b, b) + a


def main():
    a = torch.arange(-1000, 1000).to(torch.int8)
    b = (torch.arange(2000) * 7 % 253).to(torch.int8)
    c = (torch.arange(2000) * 7919).to(torch.int16)
    d = (torch.arange(2000) * 13).to(torch.uint8)
    place = torch.arange(2000)
    # CHECK: torch.int8 tensor(-3500) tensor(-4392612)
    # CHECK-NEXT: torch.int16 tensor(-1135952) tensor(-847989560)
    # CHECK-NEXT: torch.int16 tensor(827904) tensor(1341509360)
    # CHECK-NEXT: torch.int16 tensor(1117312) tensor(1536959992)
    # CHECK-NEXT: torch.int8 tensor(-1140) tensor(-993816)
    for result in [bytes(a, b), mixed(a, c), (d * 3 + a - d * d * a) | d, (d & a) * c - d, -a * 300 + b]:
        print(result.dtype, result.sum(), (result * place).sum())
