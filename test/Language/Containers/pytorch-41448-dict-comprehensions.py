# PyTorch issue 41448: dict comprehensions.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from torch import nn
from typing import Dict


class MyModule(nn.Module):
    def forward(self) -> Dict[int, int]:
        x = {i: i for i in range(2)}
        return x


def inverted(names: Dict[str, int]) -> Dict[int, str]:
    return {number: name for name, number in names.items() if number > 1}


class Main(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = MyModule()

    def forward(self) -> None:
        for i in range(10):
            print(self.model(), inverted({"a": 1, "b": 2, "c": 3}))


main = Main()


# What Python prints:
# CHECK-COUNT-10: {0: 0, 1: 1} {2: 'b', 3: 'c'}
