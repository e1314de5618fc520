# torch.Generator in compiled code: a sequence of its own; a mark that asks for fusion; awaited calls.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch


def draw(g: torch.Generator, n: int) -> torch.Tensor:
    return torch.rand(n, generator=g)


def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2


class Counted:
    def __init__(self, start: int) -> None:
        self.count = start

    def __enter__(self) -> int:
        self.count += 1
        return self.count

    def __exit__(self, kind: object, value: object, trace: object) -> None:
        self.count += 10


def main() -> None:
    g = torch.Generator()
    g.manual_seed(3)
    first = draw(g, 2)
    second = torch.rand(2, generator=g)
    g.manual_seed(3)
    print(first, torch.equal(first, draw(g, 2)), torch.equal(second, draw(g, 2)), g.initial_seed())
    torch.manual_seed(5)
    outside = torch.rand(1)
    torch.manual_seed(5)
    draw(g, 3)
    print(torch.equal(outside, torch.rand(1)))
    x = torch.ones(2)
    with torch.jit.strict_fusion():
        y = x + x * 2
    print(y)
    counted = Counted(0)
    with (counted as n, torch.no_grad(), Counted(5) as m):
        print(n, m)
    print(counted.count)


# What Python prints:
# CHECK: tensor([0.0043, 0.1056]) True True 3
# CHECK-NEXT: True
# CHECK-NEXT: tensor([3., 3.])
# CHECK-NEXT: 1 6
# CHECK-NEXT: 11
