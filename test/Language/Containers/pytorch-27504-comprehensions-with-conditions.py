# PyTorch issue 27504: comprehensions with conditions.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from typing import Dict, List


def func(x: Dict[str, int], wanted: List[str]) -> List[int]:
    return [v for k, v in x.items() if k in wanted]


def several(n: int) -> List[int]:
    return [i * j for i in range(n) if i % 2 == 1 if i > 1 for j in range(i) if j != 1]


def main() -> None:
    for i in range(10):
        print(func({"1": 1, "2": 2}, ["1"]), several(6), [k for k in "abc" if k != "b"])


# What Python prints:
# CHECK-COUNT-10: [1] [0, 6, 0, 10, 15, 20] ['a', 'c']
