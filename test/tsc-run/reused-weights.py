# A weight that a loop reads is packed once, and gives the bits that it gives when each trip packs it; one that the loop
# writes, itself or through another argument on the same memory, is packed anew.
# RUN: tsc-run --entry main --seed 1 -O0 %s > %t.plain
# RUN: tsc-run --entry main --seed 1 -O2 --compile eager %s | diff %t.plain -
# RUN: tsc-run --entry main --seed 1 -O3 --threads 2 %s | diff %t.plain -
# RUN: tsc-run --entry main --seed 1 --print-ir optimized %s 2>&1 >/dev/null | FileCheck %s
import torch
from torch import Tensor


def recurrence(x: Tensor, w: Tensor) -> Tensor:
    for k in range(5):
        x = torch.tanh(x.mm(w.t()))
    return x


def written(x: Tensor, w: Tensor, other: Tensor) -> Tensor:
    for k in range(5):
        x = torch.tanh(x.mm(w.t()))
        other.mul_(0.5)
    return x


# CHECK-LABEL: graph(
# CHECK:         tsc::reused
# CHECK-NOT:     tsc::reused
# CHECK:         aten::mul_
def main() -> Tensor:
    x, w = torch.randn([65, 300]), torch.randn([300, 300]) * 0.06
    first = recurrence(x, w)
    second = recurrence(x, w * 2)  # where the first one's panels were, maybe
    third = written(x, w, w)
    fourth = written(x, w, w[:10])
    return torch.stack([first, second, third, fourth])
