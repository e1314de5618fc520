# A weight that a loop reads is packed once, and gives what it gives when each trip packs it; one that the loop writes, by
# its own name or through another argument on the same memory, is not kept.
# RUN: tsc-run --entry main --seed 1 -O0 %s > %t.plain
# RUN: tsc-run --entry main --seed 1 -O2 --compile eager %s | diff %t.plain -
# RUN: tsc-run --entry main --seed 1 -O2 --threads 2 %s | diff %t.plain -
# RUN: tsc-run --entry recurrence --seed 1 --args 'torch.randn([65, 300]), torch.randn([300, 300]), 20' --print-ir optimized %s 2>&1 >/dev/null | FileCheck %s
# RUN: tsc-run --entry written --seed 1 --args 'torch.randn([65, 300]), torch.randn([300, 300]), torch.randn([300, 300]), 20' --print-ir optimized %s 2>&1 >/dev/null | FileCheck --check-prefix=WRITTEN %s
import torch
from torch import Tensor


# CHECK:     tsc::reused
# CHECK:     prim::Loop
# CHECK-NOT: tsc::reused
def recurrence(x: Tensor, w: Tensor, steps: int) -> Tensor:
    for k in range(steps):
        x = torch.tanh(x.mm(w.t()))
    return x


# WRITTEN-NOT: tsc::reused
# WRITTEN:     aten::mul_
# WRITTEN-NOT: tsc::reused
def written(x: Tensor, w: Tensor, other: Tensor, steps: int) -> Tensor:
    for k in range(steps):
        x = torch.tanh(x.mm(w.t()))
        other.mul_(0.5)
    return x


def main() -> Tensor:
    x, w = torch.randn([65, 300]), torch.randn([300, 300]) * 0.06
    v = w * 2
    first = recurrence(x, v, 5)
    second = recurrence(x, v * 2, int(x.size(0)) - 45)
    third = written(x, w, w, 5)
    fourth = written(x, w, w[:10], int(x.size(0)) - 45)
    return torch.stack([first, second, third, fourth])
