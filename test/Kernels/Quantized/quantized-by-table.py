# Of many bytes a point-wise operator is computed once for each of the 256, in place and not; of few for each element.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
import torch.nn.functional as F
from typing import List


def all_of(q: torch.Tensor) -> List[torch.Tensor]:
    return [torch.relu(q), torch.sigmoid(q), torch.tanh(q), F.hardtanh(q, -0.5, 0.7), torch.clamp(q, -0.3, 0.9),
            F.leaky_relu(q, 0.1), torch.relu_(q.clone()), torch.sigmoid_(q.clone())]


def compare(many: torch.Tensor) -> None:
    different = 0
    for whole, part in zip(all_of(many), all_of(many[0:1000])):
        different += int((whole[0:1000].int_repr() != part.int_repr()).sum())
        different += int(whole.q_scale() != part.q_scale()) + int(whole.q_zero_point() != part.q_zero_point())
    print("different:", different)


def main() -> None:
    x = torch.linspace(-3, 3, 5000)[torch.randperm(5000)]
    compare(torch.quantize_per_tensor(x, 0.02, 100, torch.quint8))  # CHECK: different: 0{{$}}
    compare(torch.quantize_per_tensor(x, 0.02, -10, torch.qint8))  # CHECK-NEXT: different: 0{{$}}
    image = torch.quantize_per_tensor(torch.randn([2, 8, 20, 20]), 0.03, 60, torch.quint8)
    inner = image.contiguous(memory_format=torch.channels_last)
    gaps = image[:, :, ::2]
    for q in [image, inner, gaps]:
        result = torch.relu(q)
        print(result.stride() == q.stride(), bool((result.int_repr() == torch.clamp(q.int_repr(), min=60)).all()))
    # CHECK-NEXT: True True
    # CHECK-NEXT: True True
    # CHECK-NEXT: False True
    # A weight that is written after a product was packed for it is packed anew.
    ones = torch.quantize_per_tensor(torch.ones([20, 32]), 0.1, 0, torch.quint8)
    for rows in [20, 100]:
        weight = torch.quantize_per_tensor(torch.full([rows, 32], -1.0), 0.1, 0, torch.qint8)
        packed = torch.ops.quantized.linear_prepack(weight, None)
        before = torch.ops.quantized.linear(ones, packed, 1.0, 128)
        version = weight._version()
        torch.relu_(weight)
        after = torch.ops.quantized.linear(ones, torch.ops.quantized.linear_prepack(weight, None), 1.0, 128)
        print(before[0, 0].item(), after[0, 0].item(), weight._version() - version)
    # CHECK-NEXT: -32.0 0.0 1
    # CHECK-NEXT: -32.0 0.0 1
    # What has a scheme of its own has it in place, too.
    for numbers in [x[:100], x]:
        for dtype in [torch.quint8, torch.qint8]:
            q = torch.quantize_per_tensor(numbers, 0.05, 10, dtype)
            for written, made in [(torch.sigmoid_(q.clone()), torch.sigmoid(q)), (torch.tanh_(q.clone()), torch.tanh(q)),
                                  (F.hardsigmoid(q.clone(), inplace=True), F.hardsigmoid(q))]:
                print(written.q_scale() == made.q_scale(), written.q_zero_point() == made.q_zero_point(),
                      bool((written.int_repr() == made.int_repr()).all()))
    # CHECK-COUNT-12: True True True
    # CHECK-NOT: False
