# Results that both PyTorch 1.13 and 2.15 give (nextafter of float16: 2.15), of kinds of operands that few programs have.
# RUN: tsc-run %s | FileCheck %s
# RUN: tsc-run %s -O0 | FileCheck %s
# RUN: tsc-run %s --compile eager | FileCheck %s
import torch
import torch.nn.functional as F
from torch import Tensor


def loss(a: Tensor, b: Tensor) -> Tensor:
    return F.mse_loss(a, b) + F.l1_loss(a, b) * 0.0


def limits(x: Tensor, y: Tensor):
    return torch.nan_to_num(x), x.clone().nan_to_num_(2.0, 3.0), torch.nextafter(x, y), torch.nextafter(y, x)


def main() -> None:
    # What broadcasts first takes part in the dtype with all of its dimensions.
    print(loss(torch.tensor(300.0), torch.tensor([2.0, 3.5], dtype=torch.float16)))
    # CHECK: tensor(88358.1250)
    print(loss(torch.tensor(1.5, dtype=torch.float64), torch.tensor([2.0, 3.5])))
    # CHECK-NEXT: tensor(2.1250, dtype=torch.float64)

    # The limits and neighbours of half types are their own.
    x, y = torch.tensor([float("inf"), -float("inf"), 1.0, 0.0]), torch.tensor([3.0, 3.0, 0.0, -1.0])
    for dtype in [torch.float16, torch.bfloat16]:
        for t in limits(x.to(dtype), y.to(dtype)):
            print(t.double().tolist())
    # CHECK-NEXT: [65504.0, -65504.0, 1.0, 0.0]
    # CHECK-NEXT: [3.0, -65504.0, 1.0, 0.0]
    # CHECK-NEXT: [65504.0, -65504.0, 0.99951171875, -5.960464477539063e-08]
    # CHECK-NEXT: [3.001953125, 2.998046875, 5.960464477539063e-08, -0.99951171875]
    # CHECK-NEXT: [3.3895313892515355e+38, -3.3895313892515355e+38, 1.0, 0.0]
    # CHECK-NEXT: [3.0, -3.3895313892515355e+38, 1.0, 0.0]
    # CHECK-NEXT: [3.3895313892515355e+38, -3.3895313892515355e+38, 0.99609375, -9.183549615799121e-41]
    # CHECK-NEXT: [3.015625, 2.984375, 9.183549615799121e-41, -0.99609375]

    out = torch.empty([0])
    torch.norm(torch.tensor([[3.0, 4.0]]), 2, 1, out=out)
    print(out)  # CHECK-NEXT: tensor([5.])
    torch.norm(torch.tensor([[3.0, 4.0]]), out=out)
    print(out)  # CHECK-NEXT: tensor(5.)

    a = torch.tensor([100, -100], dtype=torch.int8)
    print(F.l1_loss(a, -a, reduction="none"), F.l1_loss(a, a - 60, reduction="sum"))
    # CHECK-NEXT: tensor([56, 56], dtype=torch.int8) tensor(120)

    # Zero points at ties come from scales in double.
    for low, high, reduce_range in [(-2.75, 2.75, False), (-1.0, 1.0, False), (-0.7, 0.7, True), (-0.3, 0.7, False)]:
        print(torch._choose_qparams_per_tensor(torch.tensor([low, high]), reduce_range))
    # CHECK-NEXT: (0.021568627450980392, 128)
    # CHECK-NEXT: (0.00784313725490196, 128)
    # CHECK-NEXT: (0.01102362185951293, 64)
    # CHECK-NEXT: (0.00392156862745098, 77)

    print(torch.ops.aten._addmm_activation(torch.zeros([2]), torch.tensor([[float("nan"), 1.0]]), torch.ones([2, 2])))
    # CHECK-NEXT: tensor({{\[\[}}nan, nan]])
    print(torch.tensor([True, False]).masked_fill(torch.tensor([False, True]), 0.5))
    # CHECK-NEXT: tensor([True, True])
