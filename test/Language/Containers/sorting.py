# What can be sorted besides numbers: tensors of one element, tuples, objects that define __lt__.

# RUN: tsc-run %s --entry tuples | FileCheck --check-prefix=TUPLES %s
# TUPLES: ([(1, 'a'), (1, 'b'), (2, 'a')], [(2, 'a'), (1, 'b'), (1, 'a')])
# RUN: tsc-run %s --entry tensors | FileCheck --check-prefix=TENSORS %s
# TENSORS: ([0, 1, 2], 1, 2, [0, 2])
# RUN: tsc-run %s --entry objects | FileCheck --check-prefix=OBJECTS %s
# OBJECTS: [3, 2, 1]
# RUN: not tsc-run %s --entry large_tensors 2>&1 | FileCheck --check-prefix=LARGE %s
# LARGE: error: RuntimeError: Boolean value of Tensor with more than one value is ambiguous
# RUN: tsc-run %s --entry lists | FileCheck --check-prefix=LISTS %s
# LISTS: {{[[][[]}}1], [2]]
# RUN: not tsc-run %s --entry optionals 2>&1 | FileCheck --check-prefix=OPTIONALS %s
# OPTIONALS: Only values of same type can be compared. Found int and NoneType
import torch
from typing import List, Optional


def tuples():
    a = [(2, "a"), (1, "b"), (1, "a")]
    b = sorted(a)
    a.sort(reverse=True)
    return b, a


def tensors():
    a = [torch.tensor(2), torch.tensor(0), torch.tensor(1)]
    b = sorted(a)
    where = b.index(torch.tensor(1))
    b.remove(torch.tensor(1))
    order: List[int] = []
    for t in sorted(a):
        order.append(int(t))
    return order, where, a.count(torch.tensor(2)) + a.count(torch.tensor(0)), [int(t) for t in b]


class Larger:
    def __init__(self, n: int):
        self.n = n

    def __lt__(self, other: "Larger") -> bool:
        return self.n > other.n


def objects():
    a = [Larger(1), Larger(3), Larger(2)]
    a.sort()
    return [x.n for x in a]


def large_tensors():
    return [torch.ones([2]), torch.zeros([2])] == [torch.zeros([2]), torch.ones([2])]


def lists():
    a = [[2], [1]]
    a.sort()
    return a


def optionals():
    a: List[Optional[int]] = [1, None]
    a.sort()
    return a
