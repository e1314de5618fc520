# PyTorch issue 69435: torch.is_tensor was not known, and 37516: isinstance(x, dict).
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from typing import Dict, List, Union


def count(x: Union[int, torch.Tensor]) -> int:
    if torch.is_tensor(x):
        return x.numel()
    return -x


def kind(x: Union[Dict[str, int], List[int], int]) -> str:
    if isinstance(x, dict):
        return f"dict {x['a']}"
    return f"list {x[0]}" if isinstance(x, list) else f"int {x}"


def main() -> None:
    for i in range(10):
        print(count(3), count(torch.ones(2)), torch.is_tensor([1]), kind({"a": 1}), kind([2]), kind(3))


# What Python prints:
# CHECK-COUNT-10: -3 2 False dict 1 list 2 int 3
