# `+` of two tuples is a tuple, whatever their elements are; so is a tuple times a known number, and a slice.
# RUN: tsc-run %s --entry mixed --args '(1, "a"), (2.5,)' -O0 | FileCheck --check-prefix=MIXED %s
# RUN: tsc-run %s --entry mixed --args '(1, "a"), (2.5,)' -O1 | FileCheck --check-prefix=MIXED %s
# RUN: tsc-run %s --entry mixed --args '(1, "a"), (2.5,)' -O2 | FileCheck --check-prefix=MIXED %s
# RUN: tsc-run %s --entry mixed --args '(1, "a"), (2.5,)' -O3 | FileCheck --check-prefix=MIXED %s
# RUN: tsc-run %s --entry mixed --args '(1, "a"), (2.5,)' --compile=eager | FileCheck --check-prefix=MIXED %s
# MIXED: (1, 'a', 2.5)
# RUN: tsc-run %s --entry named --args '(1, "q"),' -O0 | FileCheck --check-prefix=NAMED %s
# RUN: tsc-run %s --entry named --args '(1, "q"),' -O1 | FileCheck --check-prefix=NAMED %s
# RUN: tsc-run %s --entry named --args '(1, "q"),' -O2 | FileCheck --check-prefix=NAMED %s
# RUN: tsc-run %s --entry named --args '(1, "q"),' -O3 | FileCheck --check-prefix=NAMED %s
# RUN: tsc-run %s --entry named --args '(1, "q"),' --compile=eager | FileCheck --check-prefix=NAMED %s
# NAMED: (1, 'q', 1.5)
# RUN: tsc-run %s --entry augmented --args '(1, 2),' -O0 | FileCheck --check-prefix=AUGMENTED %s
# RUN: tsc-run %s --entry augmented --args '(1, 2),' -O1 | FileCheck --check-prefix=AUGMENTED %s
# RUN: tsc-run %s --entry augmented --args '(1, 2),' -O2 | FileCheck --check-prefix=AUGMENTED %s
# RUN: tsc-run %s --entry augmented --args '(1, 2),' -O3 | FileCheck --check-prefix=AUGMENTED %s
# RUN: tsc-run %s --entry augmented --args '(1, 2),' --compile=eager | FileCheck --check-prefix=AUGMENTED %s
# AUGMENTED: ((1, 2, 3, 4), (1, 2))
# RUN: tsc-run %s --entry constants --args 'torch.ones([2, 3, 4])' -O0 | FileCheck --check-prefix=CONSTANTS %s
# RUN: tsc-run %s --entry constants --args 'torch.ones([2, 3, 4])' -O1 | FileCheck --check-prefix=CONSTANTS %s
# RUN: tsc-run %s --entry constants --args 'torch.ones([2, 3, 4])' -O2 | FileCheck --check-prefix=CONSTANTS %s
# RUN: tsc-run %s --entry constants --args 'torch.ones([2, 3, 4])' -O3 | FileCheck --check-prefix=CONSTANTS %s
# RUN: tsc-run %s --entry constants --args 'torch.ones([2, 3, 4])' --compile=eager | FileCheck --check-prefix=CONSTANTS %s
# CONSTANTS: ((1,), (1, 2, 3), (1, 2, 1, 2), (), (7, 7), [2, 3, 2])
# RUN: tsc-run %s --entry unpacked --args '(1, 2), ("a",)' -O0 | FileCheck --check-prefix=UNPACKED %s
# RUN: tsc-run %s --entry unpacked --args '(1, 2), ("a",)' -O1 | FileCheck --check-prefix=UNPACKED %s
# RUN: tsc-run %s --entry unpacked --args '(1, 2), ("a",)' -O2 | FileCheck --check-prefix=UNPACKED %s
# RUN: tsc-run %s --entry unpacked --args '(1, 2), ("a",)' -O3 | FileCheck --check-prefix=UNPACKED %s
# RUN: tsc-run %s --entry unpacked --args '(1, 2), ("a",)' --compile=eager | FileCheck --check-prefix=UNPACKED %s
# UNPACKED: ('a', 2, 1, 3, 4)
# RUN: tsc-run %s --entry typed --args '(1, 2),' -O0 | FileCheck --check-prefix=TYPED %s
# RUN: tsc-run %s --entry typed --args '(1, 2),' -O1 | FileCheck --check-prefix=TYPED %s
# RUN: tsc-run %s --entry typed --args '(1, 2),' -O2 | FileCheck --check-prefix=TYPED %s
# RUN: tsc-run %s --entry typed --args '(1, 2),' -O3 | FileCheck --check-prefix=TYPED %s
# RUN: tsc-run %s --entry typed --args '(1, 2),' --compile=eager | FileCheck --check-prefix=TYPED %s
# TYPED: ((1, 2, 3), (3, 2, 2, 1), [1, 2, 9])
# RUN: tsc-run %s --entry tensors --args '(torch.ones([1]), 1), (torch.ones([1]), 2)' -O0 | FileCheck --check-prefix=TENSORS %s
# RUN: tsc-run %s --entry tensors --args '(torch.ones([1]), 1), (torch.ones([1]), 2)' -O1 | FileCheck --check-prefix=TENSORS %s
# RUN: tsc-run %s --entry tensors --args '(torch.ones([1]), 1), (torch.ones([1]), 2)' -O2 | FileCheck --check-prefix=TENSORS %s
# RUN: tsc-run %s --entry tensors --args '(torch.ones([1]), 1), (torch.ones([1]), 2)' -O3 | FileCheck --check-prefix=TENSORS %s
# RUN: tsc-run %s --entry tensors --args '(torch.ones([1]), 1), (torch.ones([1]), 2)' --compile=eager | FileCheck --check-prefix=TENSORS %s
# TENSORS: (tensor([2.]), 3)
import torch
from typing import List, NamedTuple, Tuple


class P(NamedTuple):
    x: int
    y: str


def mixed(a: Tuple[int, str], b: Tuple[float]):
    return a + b


def named(p: P):
    return p + (1.5,)


def augmented(a: Tuple[int, int]):
    b = a
    b += (3, 4)
    return b, a


def constants(x: torch.Tensor):
    return () + (1,) + (), (1, 2) + (3,), (1, 2) * 2, (5,) * -1, 2 * (7,), x.view((2, 3) + (-1,)).shape[:2] + (2,)


def unpacked(a: Tuple[int, int], b: Tuple[str]):
    x, y, z = a + b
    n = 0
    for i in a + (0,):
        n += i
    return z, y, x, n, len(a + a)


def typed(a: Tuple[int, int]) -> Tuple[Tuple[int, int, int], Tuple[int, int, int, int], List[int]]:
    b: Tuple[int, int, int] = a + (3,)
    return b, b[::-1][:2] + a[::-1], list(a) + [9]


def tensors(a: Tuple[torch.Tensor, int], b: Tuple[torch.Tensor, int]):
    c = a + b
    return c[0] + c[2], c[1] + c[3]
