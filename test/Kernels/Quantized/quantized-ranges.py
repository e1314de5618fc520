# Operators of real numbers that keep the range give tensors of the same scheme. The numbers are PyTorch's.

# RUN: tsc-run %s | FileCheck %s
import torch


def main():
    x = torch.arange(16).to(torch.float32).view(1, 1, 4, 4) / 4 - 1
    q = torch.quantize_per_tensor(x, 0.1, 10, torch.quint8)
    print(torch.int_repr(torch.max_pool2d(q, [2, 2])))
    print(torch.int_repr(torch.nn.functional.adaptive_avg_pool2d(q, [1, 1])))
    print(torch.int_repr(torch.relu(q)))
    print(torch.int_repr(torch.clamp(q, 0.5, 1.0)))
    print(torch.int_repr(torch.flatten(q, 1)))


# CHECK:      tensor({{\[\[\[\[}}12, 18],
# CHECK-NEXT: [32, 38]]]], dtype=torch.uint8)
# CHECK-NEXT: tensor({{\[\[\[\[}}19]]]], dtype=torch.uint8)
# CHECK-NEXT: tensor({{\[\[\[\[}}10, 10, 10, 10],
# CHECK-NEXT: [10, 12, 15, 18],
# CHECK-NEXT: [20, 22, 25, 28],
# CHECK-NEXT: [30, 32, 35, 38]]]], dtype=torch.uint8)
# CHECK-NEXT: tensor({{\[\[\[\[}}15, 15, 15, 15],
# CHECK-NEXT: [15, 15, 15, 18],
# CHECK-NEXT: [20, 20, 20, 20],
# CHECK-NEXT: [20, 20, 20, 20]]]], dtype=torch.uint8)
# CHECK-NEXT: tensor({{\[\[}} 0, 2, 5, 8, 10, 12, 15, 18, 20, 22, 25, 28, 30, 32, 35, 38]],
# CHECK-NEXT: dtype=torch.uint8)
