# PyTorch issue 29036: the result of a method without annotation that returns None was not known to be None.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from torch import nn


class Nothing(nn.Module):
    def forward(self):
        return None


class Main(nn.Module):
    def __init__(self):
        super().__init__()
        self.nothing = Nothing()

    def forward(self) -> None:
        for i in range(10):
            a = self.nothing()
            assert a is None
            if self.nothing.forward() is not None:
                print("something")
            print(a, a is None, self.nothing() == None)


main = Main()


# What Python prints:
# CHECK-COUNT-10: None True True
