# PyTorch issue 33034: two attributes that are one list were two after scripting.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from torch import nn
from typing import List


class M(nn.Module):
    def __init__(self):
        super(M, self).__init__()
        self.a = [1, 2, 3, 4, 5, 6]
        self.b = self.a

    def forward(self, n: int) -> List[int]:
        self.b[1] = n
        self.b.append(n)
        self.a.pop(0)
        return self.a


class Main(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = M()

    def forward(self) -> None:
        for i in range(10):
            self.m.a[0] = 7
            out = self.m(7)
            print(len(out), out[-1], out[0], self.m.b[0])


main = Main()


# What Python prints:
# CHECK-COUNT-10: 6 7 7 7
