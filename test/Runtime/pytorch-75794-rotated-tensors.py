# PyTorch issue 75794: where a loop rotates tensors and writes to one, TorchScript wrote to another than Python does.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch


def rotate() -> None:
    a = torch.zeros(1)
    b = torch.zeros(1)
    c = torch.zeros(1)
    x = torch.ones(3)
    for i in range(3):
        a, b, c = c, a, b
        a[0] += x[i]
        print(a[0].item(), b[0].item(), c[0].item())


def main() -> None:
    for i in range(10):
        rotate()


# What Python prints:
# CHECK: 1.0 0.0 0.0
# CHECK-NEXT: 1.0 1.0 0.0
# CHECK-NEXT: 1.0 1.0 1.0
# CHECK-NEXT: 1.0 0.0 0.0
# CHECK-NEXT: 1.0 1.0 0.0
# CHECK-NEXT: 1.0 1.0 1.0
# CHECK-NEXT: 1.0 0.0 0.0
# CHECK-NEXT: 1.0 1.0 0.0
# CHECK-NEXT: 1.0 1.0 1.0
# CHECK-NEXT: 1.0 0.0 0.0
# CHECK-NEXT: 1.0 1.0 0.0
# CHECK-NEXT: 1.0 1.0 1.0
# CHECK-NEXT: 1.0 0.0 0.0
# CHECK-NEXT: 1.0 1.0 0.0
# CHECK-NEXT: 1.0 1.0 1.0
# CHECK-NEXT: 1.0 0.0 0.0
# CHECK-NEXT: 1.0 1.0 0.0
# CHECK-NEXT: 1.0 1.0 1.0
# CHECK-NEXT: 1.0 0.0 0.0
# CHECK-NEXT: 1.0 1.0 0.0
# CHECK-NEXT: 1.0 1.0 1.0
# CHECK-NEXT: 1.0 0.0 0.0
# CHECK-NEXT: 1.0 1.0 0.0
# CHECK-NEXT: 1.0 1.0 1.0
# CHECK-NEXT: 1.0 0.0 0.0
# CHECK-NEXT: 1.0 1.0 0.0
# CHECK-NEXT: 1.0 1.0 1.0
# CHECK-NEXT: 1.0 0.0 0.0
# CHECK-NEXT: 1.0 1.0 0.0
# CHECK-NEXT: 1.0 1.0 1.0
