# oneDNN is opened where it is there; where it isn't, tsc's own kernels do its work. A library that is none stands for one
# that is missing. Results are compared with sums in double precision, and of bytes with sums of whole numbers.
# RUN: rm -rf %t && mkdir %t && touch %t/libdnnl.so.2
# RUN: env LD_LIBRARY_PATH=%t tsc-run --doctor | FileCheck --check-prefix=DOCTOR %s
# RUN: env LD_LIBRARY_PATH=%t tsc-run %s | FileCheck %s
# RUN: tsc-run %s | FileCheck %s
# DOCTOR: oneDNN {{ *}}not there: tsc's own kernels do its work
import torch
import torch.nn.functional as F


def main() -> None:
    a, b = torch.rand([200, 300]), torch.rand([300, 260])
    print(bool(torch.allclose(a @ b, (a.double() @ b.double()).float())))  # CHECK: True
    image, weight = torch.randn([2, 32, 30, 30]), torch.randn([48, 32, 3, 3])
    wide = F.conv2d(image.double(), weight.double(), padding=1).float()
    print(bool(torch.allclose(F.conv2d(image, weight, padding=1), wide, atol=1e-4)))  # CHECK-NEXT: True
    halves = a.bfloat16() @ b.bfloat16()
    exact = a.bfloat16().double() @ b.bfloat16().double()
    print(bool(torch.allclose(halves.double(), exact, rtol=0.01)))  # CHECK-NEXT: True
    narrow = F.conv2d(image.bfloat16(), weight.bfloat16(), padding=1)
    exact = F.conv2d(image.bfloat16().double(), weight.bfloat16().double(), padding=1)
    print(bool(torch.allclose(narrow.double(), exact, rtol=0.01, atol=0.2)))  # CHECK-NEXT: True
    x = torch.quantize_per_tensor(torch.randn([64, 256]), 0.05, 120, torch.quint8)
    w = torch.quantize_per_tensor(torch.randn([128, 256]), 0.02, 0, torch.qint8)
    y = torch.ops.quantized.linear(x, torch.ops.quantized.linear_prepack(w, None), 0.5, 128)
    sums = (x.int_repr().long() - 120) @ w.int_repr().long().t()
    rounded = torch.clamp(torch.round(sums.double() * (0.05 * 0.02 / 0.5)) + 128, 0, 255)
    print(int((y.int_repr().double() - rounded).abs().max()) <= 1)  # CHECK-NEXT: True
