# PyTorch issue 22087: list(a) was a itself in TorchScript, so that a change of one changed the other.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import Dict, List, Tuple


def copies() -> Tuple[List[int], List[int]]:
    a = [1, 2, 3]
    b = list(a)
    a.pop()
    return a, b


def dicts() -> Tuple[Dict[str, int], Dict[str, int]]:
    a = {"x": 1}
    b = dict(a)
    c = a.copy()
    a["y"] = 2
    c["z"] = 3
    return b, c


def main() -> None:
    for i in range(10):
        print(copies(), dicts())


# What Python prints:
# CHECK: ([1, 2], [1, 2, 3]) ({'x': 1}, {'x': 1, 'z': 3})
# CHECK-NEXT: ([1, 2], [1, 2, 3]) ({'x': 1}, {'x': 1, 'z': 3})
# CHECK-NEXT: ([1, 2], [1, 2, 3]) ({'x': 1}, {'x': 1, 'z': 3})
# CHECK-NEXT: ([1, 2], [1, 2, 3]) ({'x': 1}, {'x': 1, 'z': 3})
# CHECK-NEXT: ([1, 2], [1, 2, 3]) ({'x': 1}, {'x': 1, 'z': 3})
# CHECK-NEXT: ([1, 2], [1, 2, 3]) ({'x': 1}, {'x': 1, 'z': 3})
# CHECK-NEXT: ([1, 2], [1, 2, 3]) ({'x': 1}, {'x': 1, 'z': 3})
# CHECK-NEXT: ([1, 2], [1, 2, 3]) ({'x': 1}, {'x': 1, 'z': 3})
# CHECK-NEXT: ([1, 2], [1, 2, 3]) ({'x': 1}, {'x': 1, 'z': 3})
# CHECK-NEXT: ([1, 2], [1, 2, 3]) ({'x': 1}, {'x': 1, 'z': 3})
