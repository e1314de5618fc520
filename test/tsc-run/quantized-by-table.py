# Of many bytes a point-wise operator is computed once for each of the 256, in place and not; of few for each element.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
import torch.nn.functional as F
from typing import List


def all_of(q: torch.Tensor) -> List[torch.Tensor]:
    return [torch.relu(q), torch.sigmoid(q), torch.tanh(q), F.hardtanh(q, -0.5, 0.7), torch.clamp(q, -0.3, 0.9),
            F.leaky_relu(q, 0.1), torch.relu_(q.clone())]


def compare(many: torch.Tensor) -> None:
    different = 0
    for whole, part in zip(all_of(many), all_of(many[0:1000])):
        different += int((whole[0:1000].int_repr() != part.int_repr()).sum())
        different += int(whole.q_scale() != part.q_scale()) + int(whole.q_zero_point() != part.q_zero_point())
    print(different)


def main() -> None:
    x = torch.linspace(-3, 3, 5000)[torch.randperm(5000)]
    compare(torch.quantize_per_tensor(x, 0.02, 100, torch.quint8))  # CHECK: 0
    compare(torch.quantize_per_tensor(x, 0.02, -10, torch.qint8))  # CHECK-NEXT: 0
    image = torch.quantize_per_tensor(torch.randn([2, 8, 20, 20]), 0.03, 60, torch.quint8)
    inner = image.contiguous(memory_format=torch.channels_last)
    gaps = image[:, :, ::2]
    for q in [image, inner, gaps]:
        result = torch.relu(q)
        print(result.stride() == q.stride(), bool((result.int_repr() == torch.clamp(q.int_repr(), min=60)).all()))
    # CHECK-NEXT: True True
    # CHECK-NEXT: True True
    # CHECK-NEXT: False True
