# Gradients where a function has none, or an operand is no number: as PyTorch gives them.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
import torch.nn.functional as F
from typing import List


def gradient(y: torch.Tensor, x: torch.Tensor) -> List[float]:
    found = torch.autograd.grad([y.sum()], [x])[0]
    assert found is not None
    return [float(value) for value in found.unbind()]


def main() -> None:
    x = torch.tensor([float("nan"), 1.0, 0.0], requires_grad=True)
    print(gradient(torch.relu(x), x), gradient(F.relu6(x), x), gradient(F.hardtanh(x), x))
    # CHECK: [1.0, 1.0, 0.0] [1.0, 1.0, 0.0] [1.0, 0.0, 1.0]
    print(gradient(F.threshold(x, 0.5, 2.0), x), gradient(F.elu(x), x), gradient(F.celu(x), x))
    # CHECK-NEXT: [1.0, 1.0, 0.0] [1.0, 1.0, 1.0] [1.0, 1.0, 1.0]
    far = torch.tensor([float("inf"), float("-inf"), 0.5, float("nan")], requires_grad=True)
    zeros = torch.zeros([4])
    print(gradient(F.smooth_l1_loss(far, zeros, reduction="sum"), far))
    # CHECK-NEXT: [1.0, -1.0, 0.5, nan]
    print(gradient(F.huber_loss(far, zeros, reduction="sum", delta=2.0), far))
    # CHECK-NEXT: [2.0, -2.0, 0.5, nan]
    near = torch.tensor([0.0, 1e-30, 1e-5, 1.0], dtype=torch.float64, requires_grad=True)
    print([round(value * 1e5, 6) for value in gradient(torch.sinc(near), near)])
    # CHECK-NEXT: [{{-?}}0.0, {{-?}}0.0, -3.289868, -100000.0]
