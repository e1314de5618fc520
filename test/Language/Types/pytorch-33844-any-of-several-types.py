# PyTorch issue 33844: a function whose result is Any crashed where its returns had several types.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import Any


def pick(a: Any) -> Any:
    if isinstance(a, int):
        return a
    elif isinstance(a, float):
        return [a, a]
    else:
        return "b"


def comment(a):
    # type: (Any) -> Any
    if isinstance(a, str):
        return len(a)
    return torch.zeros(2)


def described(a: Any) -> str:
    r = pick(a)
    if isinstance(r, int):
        return f"int {r + 1}"
    if isinstance(r, str):
        return "str " + r
    return "other"


def main() -> None:
    for i in range(10):
        print(pick(2), pick(0.5), pick("a"), comment("four"), comment(4), described(2), described(0.5), described("a"))


# What Python prints:
# CHECK-COUNT-10: 2 [0.5, 0.5] b 4 tensor([0., 0.]) int 3 other str b
