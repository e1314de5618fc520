# PyTorch issue 41274: a variable number of arguments, and arguments that are keywords only.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch


def total(*values: int) -> int:
    s = 0
    for v in values:
        s += v
    return s


def scaled(x: torch.Tensor, *, factor: float = 2.0, shift: float = 0.0) -> torch.Tensor:
    return x * factor + shift


def count(*names: str, sep: str = "-") -> str:
    return sep.join(names) + str(len(names))


def options(**kwargs: int) -> int:
    return kwargs["a"] + len(kwargs)


def passed(*args: int, **kwargs: int) -> int:
    return total(*args) + options(**kwargs)


def main() -> None:
    for i in range(10):
        print(total(), total(1), total(1, 2, 3), scaled(torch.ones(1)), scaled(torch.ones(1), shift=1.0, factor=3.0))
        print(count("a", "b"), count("x", sep="+"), options(a=1), options(a=1, b=5), passed(1, 2, a=4))


# What Python prints:
# CHECK: 0 1 6 tensor([2.]) tensor([4.])
# CHECK-NEXT: a-b2 x1 2 3 8
# CHECK-NEXT: 0 1 6 tensor([2.]) tensor([4.])
# CHECK-NEXT: a-b2 x1 2 3 8
# CHECK-NEXT: 0 1 6 tensor([2.]) tensor([4.])
# CHECK-NEXT: a-b2 x1 2 3 8
# CHECK-NEXT: 0 1 6 tensor([2.]) tensor([4.])
# CHECK-NEXT: a-b2 x1 2 3 8
# CHECK-NEXT: 0 1 6 tensor([2.]) tensor([4.])
# CHECK-NEXT: a-b2 x1 2 3 8
# CHECK-NEXT: 0 1 6 tensor([2.]) tensor([4.])
# CHECK-NEXT: a-b2 x1 2 3 8
# CHECK-NEXT: 0 1 6 tensor([2.]) tensor([4.])
# CHECK-NEXT: a-b2 x1 2 3 8
# CHECK-NEXT: 0 1 6 tensor([2.]) tensor([4.])
# CHECK-NEXT: a-b2 x1 2 3 8
# CHECK-NEXT: 0 1 6 tensor([2.]) tensor([4.])
# CHECK-NEXT: a-b2 x1 2 3 8
# CHECK-NEXT: 0 1 6 tensor([2.]) tensor([4.])
# CHECK-NEXT: a-b2 x1 2 3 8
