# A thousand forks, each waited for by the one before, on one thread; with effects and without.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import List


def deep(n: int) -> int:
    if n == 0:
        return 0
    future = torch.jit.fork(deep, n - 1)
    return torch.jit.wait(future) + 1


def deep_with_effects(n: int, seen: List[int]) -> int:
    seen.append(n)
    if n == 0:
        return 0
    future = torch.jit.fork(deep_with_effects, n - 1, seen)
    return torch.jit.wait(future) + 1


def failing(n: int) -> int:
    if n == 0:
        raise ValueError("the innermost")
    future = torch.jit.fork(failing, n - 1)
    return torch.jit.wait(future)


def main() -> None:
    seen: List[int] = []
    print(deep(1000), deep_with_effects(1000, seen), len(seen))
    try:
        failing(1000)
    except ValueError as e:
        print(e)


# CHECK: 1000 1000 1001
# CHECK-NEXT: the innermost
