# A `with` whose block raises: an archive called __enter__, and __exit__ never.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
from typing import Any


class Context:
    def __init__(self, name: str):
        self.name = name

    def __enter__(self) -> str:
        print("enter", self.name)
        return self.name

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        print("exit", self.name)


def fails(n: int) -> int:
    with Context("outer") as a, Context("inner"):
        if n > 0:
            with Context(a + "!"):
                raise ValueError("one")
        raise ValueError("two")


def main() -> None:
    for n in range(2):
        try:
            print(fails(n))
        except ValueError as e:
            print("caught", e)


# What Python prints:
# CHECK: enter outer
# CHECK-NEXT: enter inner
# CHECK-NEXT: exit inner
# CHECK-NEXT: exit outer
# CHECK-NEXT: caught two
# CHECK-NEXT: enter outer
# CHECK-NEXT: enter inner
# CHECK-NEXT: enter outer!
# CHECK-NEXT: exit outer!
# CHECK-NEXT: exit inner
# CHECK-NEXT: exit outer
# CHECK-NEXT: caught one
