# In a chain of comparisons, each operand is worked out once, and none behind a comparison that fails.

# RUN: tsc-run %s --entry numbers --args '1' | FileCheck --check-prefix=NUMBERS %s
# NUMBERS: operand 1
# NUMBERS-NEXT: operand 9
# NUMBERS-NEXT: operand 1
# NUMBERS-NEXT: operand 2
# NUMBERS-NEXT: (True, False, 'between')

# RUN: tsc-run %s --entry tensors --args 'torch.tensor(3)' | FileCheck --check-prefix=TENSORS %s
# TENSORS: tensor(3)
# TENSORS-NEXT: tensor(4)
# TENSORS-NEXT: tensor(True)

# RUN: tsc-run %s --entry looped --args '[1, 7, 3]' | FileCheck --check-prefix=LOOPED %s
# LOOPED: operand 1
# LOOPED-NEXT: operand 7
# LOOPED-NEXT: operand 3
# LOOPED-NEXT: [1, 3]
from typing import List

from torch import Tensor


def operand(x: int) -> int:
    print("operand", x)
    return x


def numbers(x: int):
    holds = 0 < operand(x) < 5 < operand(9)
    fails = 5 < operand(x) < operand(9)
    where = "outside"
    if 1 < operand(2) < 3:
        where = "between"
    return holds, fails, where


def shown(x: Tensor) -> Tensor:
    print(x)
    return x


def tensors(x: Tensor):
    return 0 < shown(x) < shown(x + 1) < 5


def looped(values: List[int]):
    return [x for x in values if 0 < operand(x) < 5]
