# PyTorch issue 26177: a method of a base class was called instead of that which a derived class defines.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch


class MyFunc(object):
    def caller(self, x: torch.Tensor) -> torch.Tensor:
        return x + 100

    def twice(self, x: torch.Tensor) -> torch.Tensor:
        return self.caller(self.caller(x))


class MyFunc2(MyFunc):
    def caller(self, x: torch.Tensor) -> torch.Tensor:
        return x * 99


def other(x: torch.Tensor, fn: MyFunc2) -> torch.Tensor:
    return fn.caller(x)


def main() -> None:
    for i in range(10):
        print(other(torch.ones(2), MyFunc2()), MyFunc().caller(torch.ones(2)), MyFunc2().twice(torch.ones(1)))


# What Python prints:
# CHECK-COUNT-10: tensor([99., 99.]) tensor([101., 101.]) tensor([9801.])
