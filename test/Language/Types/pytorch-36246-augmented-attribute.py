# PyTorch issue 36246: `self.number += 1` behind `if self.number is not None` was refused.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from torch import nn
from typing import Optional, Union


class Main(nn.Module):
    number: Optional[int]
    either: Union[int, str]

    def __init__(self, number: Optional[int] = None):
        super().__init__()
        self.number = number
        self.either = 1

    def forward(self) -> None:
        for i in range(10):
            if self.number is not None:
                self.number += 1
                print(self.number + 100, self.number)
            if isinstance(self.either, int):
                self.either += 2
                print(self.either * 2)


main = Main(3)

# What Python prints:
# CHECK: 104 4
# CHECK-NEXT: 6
# CHECK-NEXT: 105 5
# CHECK-NEXT: 10
# CHECK: 113 13
# CHECK-NEXT: 42
