# PyTorch issue 79751: `continue` out of nested with blocks.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from typing import Tuple


def fn(a: int) -> Tuple[int, int]:
    ans = 0
    ans2 = 0
    for i in range(100):
        with torch.no_grad():
            v1 = i * 2
            if (a + i) % 6 == 0:
                continue
            with torch.no_grad():
                if (a + i) % 2 == 0:
                    continue
                v2 = i * i
            v3 = i * 3 + 4
            if (a + i + 1) % 7 == 0:
                continue
            v4 = i * i * i
            ans += v2 + v3 + v1 + v4
        ans2 += v1 + v2 + v3 + v4
    return ans, ans2


def main() -> None:
    for i in range(10):
        print(fn(0), fn(1), fn(2), torch.is_grad_enabled())


# What Python prints:
# CHECK-COUNT-10: (10578089, 10578089) (10160028, 10160028) (10735085, 10735085) True
