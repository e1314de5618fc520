# Linear maps and convolutions of integers, as PyTorch's fbgemm computes and rounds them.

# RUN: tsc-run %s | FileCheck %s
import torch


def main():
    w = torch.arange(-6, 6).to(torch.float32).view(3, 4) / 7
    b = torch.tensor([0.5, -0.25, 0.125])
    x = torch.arange(8).to(torch.float32).view(2, 4) / 3 - 1
    l = torch.ops.quantized.linear_prepack(torch.quantize_per_tensor(w, 0.0078125, 0, torch.qint8), b)
    print(torch.ops.quantized.linear_dynamic(x, l, True))
    q = torch.quantize_per_tensor(x, 0.02, 60, torch.quint8)
    print(torch.int_repr(torch.ops.quantized.linear_relu(q, l, 0.03, 5)))
    k = torch.quantize_per_channel(w.view(3, 1, 2, 2), torch.tensor([0.0078125, 0.005, 0.01]), torch.tensor([0, 0, 0]), 0, torch.qint8)
    c = torch.ops.quantized.conv2d_prepack(k, b, [1, 1], [1, 1], [1, 1], 1)
    print(torch.int_repr(torch.ops.quantized.conv2d(q.view(2, 1, 2, 2), c, 0.03, 40)))
    a = torch.ops.quantized.add_relu(q, q, 0.05, 3)
    print(torch.int_repr(a), torch.int_repr(torch.ops.quantized.cat([q, a], 1, 0.04, 20)))


# CHECK:      tensor({{\[\[}} 2.0114, 0.1298, -0.6346],
# CHECK-NEXT: [-1.3966, -0.2500, 2.0241]])
# CHECK-NEXT: tensor({{\[\[}}72, 9, 5],
# CHECK-NEXT: [ 5, 5, 73]], dtype=torch.uint8)
# CHECK-NEXT: tensor({{\[\[}}{{\[\[}} 71, 85, 69],
# CHECK-NEXT: [ 85, 107, 76],
# CHECK-NEXT: [ 65, 66, 57]],
# CHECK-EMPTY:
# CHECK-NEXT: {{\[\[}} 27, 28, 32],
# CHECK-NEXT: [ 35, 44, 38],
# CHECK-NEXT: [ 33, 35, 32]],
# CHECK-EMPTY:
# CHECK-NEXT: {{\[\[}} 20, 10, 32],
# CHECK-NEXT: [ 22, 19, 38],
# CHECK-NEXT: [ 39, 41, 44]]],
# CHECK-EMPTY:
# CHECK-EMPTY:
# CHECK-NEXT: {{\[\[\[}} 52, 41, 44],
# CHECK-NEXT: [ 34, 0, 12],
# CHECK-NEXT: [ 33, 0, 18]],
# CHECK-EMPTY:
# CHECK-NEXT: {{\[\[}} 33, 35, 32],
# CHECK-NEXT: [ 35, 32, 25],
# CHECK-NEXT: [ 27, 16, 19]],
# CHECK-EMPTY:
# CHECK-NEXT: {{\[\[}} 52, 66, 57],
# CHECK-NEXT: [ 73, 108, 76],
# CHECK-NEXT: [ 58, 73, 57]]]], dtype=torch.uint8)
# CHECK-NEXT: tensor({{\[\[}} 3, 3, 3, 3],
# CHECK-NEXT: [17, 29, 43, 57]], dtype=torch.uint8) tensor({{\[\[}} 0, 4, 12, 20, 20, 20, 20, 20],
# CHECK-NEXT: [28, 36, 45, 53, 38, 52, 70, 88]], dtype=torch.uint8)
