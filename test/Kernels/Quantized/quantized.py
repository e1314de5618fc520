# Quantized tensors: integers and what they stand for. The numbers are PyTorch's.

# RUN: tsc-run %s | FileCheck %s
# RUN: %exits 1 tsc-run %s --entry adds 2>&1 | FileCheck %s --check-prefix=ADDS
# RUN: %exits 1 tsc-run %s --entry range 2>&1 | FileCheck %s --check-prefix=RANGE
# RUN: cd %T && tsc-run %s --entry saves && tsc-run %s --entry loads | FileCheck %s --check-prefix=LOADS
import torch


def main():
    x = torch.tensor([[1.0, -2.0, 0.35], [100.0, -0.25, 0.15]])
    q = torch.quantize_per_tensor(x, 0.1, 10, torch.quint8)
    # CHECK: tensor({{\[\[}} 1.0000, -1.0000,  0.4000],
    # CHECK-NEXT: [24.5000, -0.2000,  0.2000]], size=(2, 3), dtype=torch.quint8,
    # CHECK-NEXT: quantization_scheme=torch.per_tensor_affine, scale=0.1, zero_point=10)
    print(q)
    # CHECK-NEXT: tensor([ 20,   0,  14, 255,   8,  12], dtype=torch.uint8)
    print(torch.int_repr(q.view(6)))
    # CHECK-NEXT: 0.1 10
    print(torch.q_scale(q), torch.q_zero_point(q))
    # A view is of the same scheme.
    # CHECK-NEXT: tensor([-1.0000, -0.2000])
    print(torch.dequantize(q[:, 1]))
    scales, zeros = torch.tensor([0.5, 2.0]), torch.tensor([0, 3])
    c = torch.quantize_per_channel(x, scales, zeros, 0, torch.qint8)
    # CHECK-NEXT: tensor({{\[\[}} 2, -4,  1],
    # CHECK-NEXT: [53,  3,  3]], dtype=torch.int8)
    print(torch.int_repr(c))
    # CHECK-NEXT: tensor([0.5000, 2.0000], dtype=torch.float64) tensor([0, 3]) 0
    print(torch.q_per_channel_scales(c), torch.q_per_channel_zero_points(c), torch.q_per_channel_axis(c))


# ADDS: Could not run 'aten::add.Scalar' with arguments from the 'QuantizedCPU' backend: torch.dequantize gives real numbers
def adds():
    return torch.quantize_per_tensor(torch.ones(2), 0.1, 10, torch.quint8) + 1


# RANGE: zero_point 300 is out of range of quint8
def range():
    return torch.quantize_per_tensor(torch.ones(2), 0.1, 300, torch.quint8)


def saves():
    x = torch.tensor([[1.0, -2.0], [3.0, 0.5]])
    torch.save({"a": torch.quantize_per_tensor(x, 0.5, -3, torch.qint8),
                "b": torch.quantize_per_channel(x, torch.tensor([1.0, 0.25]), torch.tensor([0, 1]), 1, torch.qint32)},
               "quantized.pt")


# LOADS: dtype=torch.qint8
# LOADS: scale=0.5, zero_point=-3
# LOADS: [ 3.0000,  0.5000]], size=(2, 2), dtype=torch.qint32,
# LOADS: axis=1)
def loads():
    print(torch.load("quantized.pt"))
