# PyTorch issue 52214: hasattr(x, "__iter__") of values that are no objects.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from typing import Dict


def main() -> None:
    d: Dict[str, int] = {}
    for i in range(10):
        print(hasattr([1], "__iter__"), hasattr(1, "__iter__"), hasattr("s", "__len__"), hasattr(torch.ones(1), "is_cuda"),
              hasattr(d, "__getitem__"), hasattr((1, 2), "nope"))


# What Python prints:
# CHECK-COUNT-10: True False True True True False
