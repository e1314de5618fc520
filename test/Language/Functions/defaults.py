# Parameters without annotations whose default says their type; variables that begin as None; ints where floats are wanted.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import List, Optional


def scale(x, factor=2, bias=None, name="plain", twice=False):
    y = x * factor
    if bias is not None:
        y = y + bias
    if twice:
        y = y * 2
    return name, y


def first_above(values: List[int], limit: int):
    found = None
    for value in values:
        if found is None and value > limit:
            found = value
    return found


def best(values: List[float]) -> float:
    top = None
    at = None
    for i, value in enumerate(values):
        if top is None or value > top:
            top, at = value, i
    return top + at if top is not None and at is not None else -1.0


def chosen(n: int):
    result = None
    if n > 10:
        result = torch.full([1], n)
    return result


def half(x: float) -> float:
    if x > 1:
        return x / 2
    return 0


def weight(n: int, low: Optional[float] = None) -> float:
    return float(n) if low is None else low


class Gain:
    def __init__(self, db: float = 0, steps=3):
        self.db = db
        self.steps = steps

    def up(self, by: float):
        self.db += by
        return self.db


def main() -> None:
    x = torch.ones(2)
    print(scale(x), scale(x, 3), scale(x, bias=x, name="moved"), scale(x, factor=4, twice=True))
    print(first_above([1, 5, 9], 4), first_above([1], 4), best([1.5, 4.0, 2.0]), best([]), chosen(3), chosen(11))
    print(half(3), half(0) == 0, weight(4) == 4, weight(4, low=2) == 2)
    gain = Gain(3)
    print(gain.up(2) == 5, gain.steps, Gain(steps=7).steps)


# What Python prints:
# CHECK: ('plain', tensor([2., 2.])) ('plain', tensor([3., 3.])) ('moved', tensor([3., 3.])) ('plain', tensor([8., 8.]))
# CHECK-NEXT: 5 None 5.0 -1.0 None tensor([11])
# CHECK-NEXT: 1.5 True True True
# CHECK-NEXT: True 3 7
