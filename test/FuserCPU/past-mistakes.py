# RUN: tsc-run %s --compile eager | FileCheck %s
# What TorchScript's fusers got wrong (PyTorch issue numbers), right on calls 1 to 10.
import torch
from typing import List, Tuple

# 48533: an intermediate value that leaves a group which broadcasts it keeps its own shape.
def escapes(x, y):
    a = x * 2 + 1
    return a, a * y

def issue_48533():
    x = torch.ones([3, 1])
    y = torch.ones([1, 4])
    for i in range(10):
        a, b = escapes(x, y)
        assert a.size() == [3, 1]
        assert b.size() == [3, 4]
        assert bool((a == 3).all()) and bool((b == 3).all())

# 61382: a 0-dimensional tensor promotes as a number does.
def promotes(x, zero_dim):
    return (x * zero_dim + zero_dim).relu()

def issue_61382():
    x = torch.ones([4], dtype=torch.half)
    zero_dim = torch.tensor(2.0, dtype=torch.float64)
    for i in range(10):
        y = promotes(x, zero_dim)
        assert y.dtype == torch.half
        assert bool((y == 4).all())

# 80606, 74534: a chain of halves rounds after each operator, on every call.
def halves(x, y):
    return (x * y + y) * x - y

def issue_80606():
    x = torch.full([33], 1.0009765625, dtype=torch.half)
    y = torch.full([33], 2049.0, dtype=torch.half)
    product = x * y
    summed = product + y
    again = summed * x
    expected = again - y
    for i in range(10):
        assert bool((halves(x, y) == expected).all())

# 22747, 73291: nothing to do is done well.
def empty_rows(x, y):
    return torch.cat([x * 2 + 1, y * 3 - 1], 0)

def issue_22747():
    for i in range(10):
        z = empty_rows(torch.ones([0, 3]), torch.ones([2, 3]))
        assert z.size() == [2, 3]
        assert bool((z == 2).all())
        assert empty_rows(torch.ones([0, 3]), torch.ones([0, 3])).size() == [0, 3]

# 87390, 14483: pieces of unequal sizes.
def unequal(x):
    a, b, c = (x + 1).chunk(3, 0)
    return a * 2, b * 3, c * 4

def issue_87390():
    for i in range(10):
        a, b, c = unequal(torch.ones([7, 2]))
        assert a.size() == [3, 2] and b.size() == [3, 2] and c.size() == [1, 2]
        assert bool((a == 4).all()) and bool((b == 6).all()) and bool((c == 8).all())

# Groups inside loops and branches.
def loops(x, n: int):
    for i in range(n):
        if i % 2 == 0:
            x = (x * 2 + 1).tanh()
        else:
            x = (x - 1).sigmoid() * x
    return x

def nested():
    first = loops(torch.ones([5]), 6)
    for i in range(10):
        assert bool((loops(torch.ones([5]), 6) == first).all())

def main():
    issue_48533()
    issue_61382()
    issue_80606()
    issue_22747()
    issue_87390()
    nested()
    # CHECK: all right
    print("all right")
