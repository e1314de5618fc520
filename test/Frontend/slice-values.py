# slice() makes what a subscript may be, and Ellipsis is `...` by its name.
# RUN: tsc-run %s | FileCheck %s
# RUN: tsc-run -O0 %s | FileCheck %s
from typing import List, Tuple


def lists(x: List[int]) -> Tuple[List[int], List[int], List[int], List[int]]:
    a = slice(1)
    return x[a], x[slice(1, 5, None)], x[slice(None, None, -2)], x[slice(7, 1000)]


def bounds(x: List[int], n: int) -> Tuple[List[int], int]:
    part = slice(n, n + 2)
    return x[part], part.start


def tuples(x: Tuple[int, str, float]) -> Tuple[str, float]:
    return x[slice(1, 3)]


def assigned(x: List[int]) -> List[int]:
    part = slice(1, 3)
    x[part] = [7, 7, 7]
    del x[slice(5, None)]
    return x


def tensors(x: torch.Tensor) -> Tuple[List[int], List[int], List[int], List[int]]:
    rows = slice(None, 3, 1)
    rest = Ellipsis
    return x[rows].size(), x[rows, 0].size(), x[0, Ellipsis, slice(2)].size(), x[rest, 1].size()


def main():
    x = list(range(10))
    print(lists(x))
    print(bounds(x, 3))
    print(tuples((1, "a", 2.5)))
    print(assigned(x))
    print(tensors(torch.zeros(4, 5, 6)))
    print("slices"[slice(1, None, 2)])


# CHECK:      ([0], [1, 2, 3, 4], [9, 7, 5, 3, 1], [7, 8, 9])
# CHECK-NEXT: ([3, 4], 3)
# CHECK-NEXT: ('a', 2.5)
# CHECK-NEXT: [0, 7, 7, 7, 3]
# CHECK-NEXT: (torch.Size([3, 5, 6]), torch.Size([3, 6]), torch.Size([5, 2]), torch.Size([4, 5]))
# CHECK-NEXT: lcs
