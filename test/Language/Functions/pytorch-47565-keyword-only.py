# PyTorch issue 47565: a function whose arguments are keywords only.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from typing import Optional


def test(*, x: Optional[torch.Tensor] = None) -> Optional[torch.Tensor]:
    return x


def required(*, n: int, text: str = "abc") -> str:
    return text * n


def main() -> None:
    for i in range(10):
        print(test(), test(x=torch.ones(1)), required(n=2), required(text="x", n=3))


# What Python prints:
# CHECK-COUNT-10: None tensor([1.]) abcabc xxx
