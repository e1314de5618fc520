# PyTorch issue 22155: a condition told TorchScript nothing of attributes, and that of a call was always False.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import Optional


class Holder:
    def __init__(self, value: Optional[int]):
        self.value = value

    def plus(self, a: int) -> int:
        if self.value is not None:
            a += self.value
        return a


def optional(flag: bool) -> Optional[int]:
    if flag:
        return None
    else:
        return 2


def of_call(flag: bool) -> int:
    if optional(flag) is None:
        return 2
    else:
        return 3


def main() -> None:
    for i in range(10):
        print(Holder(2).plus(1), Holder(None).plus(1), of_call(True), of_call(False))


# What Python prints:
# CHECK: 3 1 2 3
# CHECK-NEXT: 3 1 2 3
# CHECK-NEXT: 3 1 2 3
# CHECK-NEXT: 3 1 2 3
# CHECK-NEXT: 3 1 2 3
# CHECK-NEXT: 3 1 2 3
# CHECK-NEXT: 3 1 2 3
# CHECK-NEXT: 3 1 2 3
# CHECK-NEXT: 3 1 2 3
# CHECK-NEXT: 3 1 2 3
