# Fields of dataclasses that may be None are compared as Python compares them; arguments for `__post_init__` are no fields.
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s --match-full-lines
from dataclasses import InitVar, dataclass
from typing import Optional


@dataclass(order=True)
class Result:
    number: int
    loss: Optional[float] = None


@dataclass
class Power:
    base: int
    exponent: InitVar[int] = 2

    def __post_init__(self, exponent: int) -> None:
        self.base = self.base * exponent


def compared(a: Result, b: Result) -> None:
    print(a == b, a < b, a <= b, a > b, a >= b)


def main() -> None:
    # CHECK: False True True False False
    compared(Result(1, 0.5), Result(1, 0.75))
    # CHECK-NEXT: True False True False True
    compared(Result(1, 0.5), Result(1, 0.5))
    # CHECK-NEXT: True False True False True
    compared(Result(2), Result(2))
    # CHECK-NEXT: False False False True True
    compared(Result(2), Result(1, 3.0))
    # CHECK-NEXT: False
    print(Result(2) == Result(2, 3.0))
    # CHECK-NEXT: Cannot compare Result with None
    try:
        print(Result(2) < Result(2, 3.0))
    except TypeError as error:
        print(error)
    # CHECK-NEXT: Power(base=6) Power(base=15) True
    print(Power(3), Power(3, 5), Power(3) == Power(2, 3))
