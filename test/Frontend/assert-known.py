# What follows an assertion that is known to fail is not compiled, as in PyTorch. It fails when it runs.
# RUN: tsc-run %s | FileCheck %s
from typing import Optional


def only_in_python(x: int) -> int:
    assert not torch.jit.is_scripting(), "only in Python"
    return print("hello") + 2


def known(x: Optional[int]) -> int:
    assert not isinstance(x, str)
    assert x is not None
    return x


def main():
    print(known(3))
    try:
        only_in_python(1)
    except Exception as error:
        print(error)


# CHECK:      3
# CHECK-NEXT: only in Python
