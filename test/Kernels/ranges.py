# Bounds and steps that a dtype does not hold: what PyTorch refuses is refused in its words, and what it computes is the same.
# RUN: tsc-run %s | FileCheck %s
import torch

inf = float("inf")
nan = float("nan")


def arange(start: float, end: float, step: float, dtype: torch.dtype) -> None:
    try:
        print(torch.arange(start, end, step, dtype=dtype))
    except RuntimeError as e:
        print(e)


def range_(start: float, end: float, step: float, dtype: torch.dtype) -> None:
    try:
        print(torch.range(start, end, step, dtype=dtype))
    except RuntimeError as e:
        print(e)


def linspace(start: float, end: float, steps: int, dtype: torch.dtype) -> None:
    try:
        print(torch.linspace(start, end, steps, dtype=dtype))
    except RuntimeError as e:
        print(e)


def logspace(start: float, end: float, steps: int, dtype: torch.dtype) -> None:
    try:
        print(torch.logspace(start, end, steps, 2.0, dtype=dtype))
    except RuntimeError as e:
        print(e)


def progressions() -> None:
    # CHECK-LABEL: progressions
    print("progressions")
    arange(1e30, 1e30, 1, torch.int32)  # CHECK-NEXT: value cannot be converted to type int64_t without overflow
    arange(0, 3, inf, torch.int64)  # CHECK-NEXT: value cannot be converted to type int64_t without overflow
    arange(0, 3, nan, torch.uint8)  # CHECK-NEXT: value cannot be converted to type int64_t without overflow
    range_(0, 1e19, 3e18, torch.int32)  # CHECK-NEXT: value cannot be converted to type int64_t without overflow
    # Integers have whole steps: nothing is left of a half.
    arange(0.5, 2, 0.5, torch.int16)  # CHECK-NEXT: step must be nonzero
    range_(0, 2, -0.3, torch.int8)  # CHECK-NEXT: step must be nonzero
    arange(0, 6, 2.5, torch.int32)  # CHECK-NEXT: tensor([0, 2, 4], dtype=torch.int32)
    # The values of a dtype that is too small wrap.
    arange(254, 258, 1, torch.uint8)  # CHECK-NEXT: tensor([254, 255,   0,   1], dtype=torch.uint8)
    arange(2147483647, 2147483649, 1, torch.int32)  # CHECK-NEXT: tensor([ 2147483647, -2147483648], dtype=torch.int32)
    arange(0, 1, 1, torch.bool)  # CHECK-NEXT: "arange_cpu" not implemented for 'Bool'
    arange(3, 3, 0, torch.complex64)  # CHECK-NEXT: "arange_cpu" not implemented for 'ComplexFloat'
    range_(0, inf, 1, torch.bool)  # CHECK-NEXT: "range_cpu" not implemented for 'Bool'
    # Half types are computed from floats, and integers exactly.
    arange(2147483648, 0, -715827882, torch.half)  # CHECK-NEXT: tensor([ inf,  inf,  inf, -64.], dtype=torch.float16)
    range_(2147483647, 2147483650, 1, torch.bfloat16)  # CHECK-NEXT: tensor([2.1475e+09], dtype=torch.bfloat16)
    # CHECK-NEXT: tensor([9007199254740992, 9007199254740993, 9007199254740994, 9007199254740995])
    print(torch.range(9007199254740992, 9007199254740995, 1, dtype=torch.int64))
    # CHECK-NEXT: tensor([9223372036854775807, 9223372036854775806])
    print(torch.arange(9223372036854775807, 9223372036854775805, -1))


def spaced() -> None:
    # CHECK-LABEL: spaced
    print("spaced")
    linspace(0, 256, 3, torch.uint8)  # CHECK-NEXT: value cannot be converted to type uint8_t without overflow
    linspace(-129, 0, 3, torch.int8)  # CHECK-NEXT: value cannot be converted to type int8_t without overflow
    linspace(0, 40000, 3, torch.int16)  # CHECK-NEXT: value cannot be converted to type int16_t without overflow
    linspace(2147483648, 0, 3, torch.int32)  # CHECK-NEXT: value cannot be converted to type int without overflow
    linspace(0, nan, 3, torch.int64)  # CHECK-NEXT: value cannot be converted to type int64_t without overflow
    linspace(inf, inf, 1, torch.int64)  # CHECK-NEXT: value cannot be converted to type int64_t without overflow
    linspace(0, 70000, 3, torch.half)  # CHECK-NEXT: Half without overflow
    linspace(0, 1e39, 3, torch.float)  # CHECK-NEXT: value cannot be converted to type float without overflow
    linspace(0, 0, 3, torch.bool)  # CHECK-NEXT: "linspace_cpu" not implemented for 'Bool'
    linspace(0.5, 0, 1, torch.bool)  # CHECK-NEXT: tensor([True])
    linspace(0, 1, -1, torch.float)  # CHECK-NEXT: number of steps must be non-negative
    # Integers are spaced in double.
    # CHECK-NEXT: tensor([ 0, 1073741823, 2147483647], dtype=torch.int32)
    linspace(0, 2147483647, 3, torch.int32)
    # CHECK-NEXT: tensor([2147483648, 1431655767, 715827887, 7])
    linspace(2147483648, 7, 4, torch.int64)
    # CHECK-NEXT: tensor([9007199254740993])
    print(torch.linspace(9007199254740993, 0, 1, dtype=torch.int64))
    linspace(inf, 7, 3, torch.float)  # CHECK-NEXT: tensor([nan, inf, nan])
    # CHECK-NEXT: tensor([nan+0.j, nan+0.j, inf+0.j, nan+0.j])
    linspace(inf, 7, 4, torch.complex64)
    logspace(0, 256, 3, torch.uint8)  # CHECK-NEXT: value cannot be converted to type uint8_t without overflow
    logspace(-2147483649, 2, 2, torch.int16)  # CHECK-NEXT: value cannot be converted to type int16_t without overflow
    logspace(9, 0, 1, torch.uint8)  # CHECK-NEXT: value cannot be converted to type uint8_t without overflow
    logspace(3, 0, 1, torch.int32)  # CHECK-NEXT: tensor([8], dtype=torch.int32)
    # CHECK-NEXT: tensor([1.0000, 0.3926, 0.1533], dtype=torch.bfloat16)
    logspace(0, -2.7, 3, torch.bfloat16)


def main() -> None:
    progressions()
    spaced()
