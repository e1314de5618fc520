# Values of types that only the program's text tells.

# Nested lists take their depth and element type from the annotation.
# RUN: tsc-run %s --entry nested --args 'torch.ones([2, 1])' | FileCheck --check-prefix=NESTED %s
# NESTED: {{\[\[}}1.0], [1.0]{{\]}}
# RUN: not tsc-run %s --entry nested --args 'torch.ones([2])' 2>&1 | FileCheck --check-prefix=DEPTH %s
# DEPTH: Output annotation list dimension and runtime tensor dimension must match for tolist()
# RUN: not tsc-run %s --entry nested --args 'torch.ones([2, 1], dtype=torch.int64)' 2>&1 | FileCheck --check-prefix=ELEMENT %s
# ELEMENT: Output annotation element type and runtime tensor element type must match for tolist()
# RUN: tsc-run %s --entry number --args 'torch.tensor(3)' | FileCheck --check-prefix=NUMBER %s
# NUMBER: 3

# A tuple of one type may be indexed by a variable.
# RUN: tsc-run %s --entry pick --args '(5, 6), -1' | FileCheck --check-prefix=PICK %s
# PICK: 6
# RUN: not tsc-run %s --entry pick --args '(5, 6), 2' 2>&1 | FileCheck --check-prefix=RANGE %s
# RANGE: Tuple list index out of range

# A tensor of one element stands for its number; in a list of bool an int is a truth value.
# RUN: tsc-run %s --entry pick --args '(5, 6), torch.tensor([1])' | FileCheck --check-prefix=PICK %s
# RUN: not tsc-run %s --entry pick --args '(5, 6), torch.tensor([0.5])' 2>&1 | FileCheck --check-prefix=FRACTION %s
# FRACTION: Expected a value of type 'int' for argument 'i' but instead found type 'Tensor'.
# RUN: tsc-run %s --entry count --args '[2, 0, 1]' | FileCheck --check-prefix=COUNT %s
# COUNT: 2

# A variable keeps the type it was declared with, through branches and loops.
# RUN: tsc-run %s --entry branches --args 1 | FileCheck --check-prefix=BRANCHES %s
# BRANCHES: bar
# RUN: tsc-run %s --entry loop --args 2 | FileCheck --check-prefix=LOOP %s
# LOOP: s1

# A value slot that held a number is free for another value afterwards.
# RUN: tsc-run %s --entry reused --args '[1, 2], 3' | FileCheck --check-prefix=REUSED %s
# REUSED: ([3, 1], 'text')

# A mask without dimensions selects from a new dimension; interpolate takes one number for all sizes.
# RUN: tsc-run %s --entry masks --args 'torch.ones([2])' | FileCheck --check-prefix=MASKS %s
# MASKS: ([1, 2], [0, 2], tensor([5., 5.]))

# One number stands for a list of fixed length, as an argument and as a default.
# RUN: tsc-run %s --entry repeated --args 'torch.ones([1, 4, 9])' | FileCheck --check-prefix=REPEATED %s
# REPEATED: ([1, 1, 4, 4], [1, 4, 4], [1, 4, 18], ([3, 3], [2, 2]), [7], None)

# A list without elements is of the type that the parameter asks for, in the program and on the command line.
# RUN: tsc-run %s --entry emptyLists --args 'torch.full([], 2.5)' | FileCheck --check-prefix=EMPTY %s
# EMPTY: (tensor(2.5000), tensor(0.), 0)

# The square of truth values is a number; differences of order 0 are the operand alone.
# RUN: tsc-run %s --entry unchanged | FileCheck --check-prefix=UNCHANGED %s
# UNCHANGED: (tensor([1, 0]), tensor([1., 1.]))

# An inner closure reads the variables of every function around it.
# RUN: tsc-run %s --entry forks --args 'torch.ones([1])' | FileCheck --check-prefix=FORKS %s
# FORKS: tensor([3.])

# popitem takes the newest entry; equal strings hash as in PyTorch.
# RUN: tsc-run %s --entry newest | FileCheck --check-prefix=NEWEST %s
# NEWEST: (('b', 2), {'a': 1}, 3663726644998027833, 3663726820850071898)
import torch
import torch.nn.functional as F
from torch._jit_internal import BroadcastingList1, BroadcastingList2
from typing import Any, Dict, List, Optional, Tuple, Union


def nested(x: torch.Tensor):
    l: List[List[float]] = x.tolist()
    return l


def number(x: torch.Tensor):
    n: int = x.tolist()
    return n


def pick(x: Tuple[int, int], i: int):
    return x[i]


def count(flags: List[bool]):
    return sum(flags)


def branches(x: int) -> str:
    if x % 2 == 1:
        y: Union[int, str] = "bar"
    else:
        y = x
    if isinstance(y, str):
        return y
    return "baz"


def loop(n: int) -> str:
    y: Union[int, str] = 0
    for i in range(n):
        y = "s" + str(i)
    if isinstance(y, str):
        return y
    return "none"


def unwrapped(x: Any) -> int:
    assert isinstance(x, int)
    return x


def reused(l: List[int], n: int):
    a: Any = n
    b = [unwrapped(a), l[0]]
    c: Any = "text"
    return b, c


def forks(x: torch.Tensor):
    def outer():
        def inner():
            return x + 1

        return torch.jit._wait(torch.jit._fork(inner)) + x

    return torch.jit._wait(torch.jit._fork(outer))


def masks(x: torch.Tensor):
    sizes = x[torch.tensor(True)].shape, x[torch.tensor(False)].shape
    x[torch.tensor(True)] = 5.0
    return sizes[0], sizes[1], x


def pair(first: BroadcastingList2[int], second: BroadcastingList2[int] = 2):
    return first, second


def perhaps(sizes: Optional[BroadcastingList1[int]]):
    return sizes


def repeated(x: torch.Tensor):
    resized = F.interpolate(x, size=4).shape, F.interpolate(x, scale_factor=2.0).shape
    return F.fold(x, 4, 2).shape, resized[0], resized[1], pair(3), perhaps(7), perhaps(None)


def lengthOf(names: List[str]):
    return len(names)


def emptyLists(x: torch.Tensor):
    return x.view([]), torch.zeros([]), lengthOf([])


def unchanged():
    return torch.square(torch.tensor([True, False])), torch.diff(torch.ones([2]), 0, -1, torch.ones([1]))


def newest():
    d: Dict[str, int] = {"a": 1, "b": 2}
    first = d.popitem()
    return first, d, hash("abc"), hash((1, "abc"))
