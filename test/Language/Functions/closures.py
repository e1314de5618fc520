# Nested functions, lambdas, functions that take functions.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import Callable, List


def twice(f: Callable[[int], int], x: int) -> int:
    return f(f(x))


def apply(f: Callable, x):
    return f(x)


def add_one(x: int) -> int:
    return x + 1


def compose(f: Callable, g: Callable, x: float):
    return f(g(x))


class Scaler:
    def __init__(self, factor: float):
        self.factor = factor

    def scale(self, x: float) -> float:
        return x * self.factor

    @classmethod
    def unit(cls):
        return cls(1.0)

    @staticmethod
    def half(x: float) -> float:
        return x / 2


def main() -> None:
    k = 3
    f = lambda x, y=2: x * y + k
    print(f(3), f(3, y=5), f(y=1, x=1))

    def shifted(z: int) -> int:
        return z + k

    print(shifted(10), twice(shifted, 1))
    k = 100
    print(shifted(10))  # the variable, and not what it was

    def outer(n: int):
        def inner(m: int):
            return m * n + k
        return inner(2) + inner(3)

    print(outer(10), twice(add_one, 5), twice(lambda v: v * v, 3))
    print(apply(torch.relu, torch.tensor([-1.0, 2.0])), apply(lambda t: t + 1, 4), apply(str, 5))
    s = Scaler(4.0)
    print(apply(s.scale, 2.0), compose(s.scale, Scaler.half, 3.0), Scaler.unit().factor)

    def many(*values, offset: int = 0):
        total = offset
        for value in values:
            total += value
        return total

    print(many(), many(1, 2, 3), many(1, offset=5))
    steps = [1, 2]
    g = lambda: steps.append(9)
    g()
    print(steps, [apply(lambda q: q * k, i) for i in range(2)])


# What Python prints:
# CHECK: 9 18 4
# CHECK-NEXT: 13 7
# CHECK-NEXT: 110
# CHECK-NEXT: 250 7 81
# CHECK-NEXT: tensor([0., 2.]) 5 5
# CHECK-NEXT: 8.0 6.0 1.0
# CHECK-NEXT: 0 6 6
# CHECK-NEXT: [1, 2, 9] [0, 100]
