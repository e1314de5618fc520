# PyTorch issue 32463: a list or a dict that was given to a scripted function was copied, and its changes were lost.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import Dict, List


def extend(values: List[int], names: Dict[str, int]) -> None:
    values.append(2)
    names["new"] = len(values)


def main() -> None:
    for i in range(10):
        values = [1]
        names = {"old": 0}
        extend(values, names)
        extend(values, names)
        print(values, names)


# What Python prints:
# CHECK: [1, 2, 2] {'old': 0, 'new': 3}
# CHECK-NEXT: [1, 2, 2] {'old': 0, 'new': 3}
# CHECK-NEXT: [1, 2, 2] {'old': 0, 'new': 3}
# CHECK-NEXT: [1, 2, 2] {'old': 0, 'new': 3}
# CHECK-NEXT: [1, 2, 2] {'old': 0, 'new': 3}
# CHECK-NEXT: [1, 2, 2] {'old': 0, 'new': 3}
# CHECK-NEXT: [1, 2, 2] {'old': 0, 'new': 3}
# CHECK-NEXT: [1, 2, 2] {'old': 0, 'new': 3}
# CHECK-NEXT: [1, 2, 2] {'old': 0, 'new': 3}
# CHECK-NEXT: [1, 2, 2] {'old': 0, 'new': 3}
