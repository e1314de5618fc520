# A tensor in a literal of numbers is no number: nobody makes it one.
# RUN: %exits 2 tsc-run --check-only --split-input-file %s 2>&1 | FileCheck %s
import torch
from typing import List


# CHECK: :[[#@LINE+2]]:12: error: List type annotation `List[int]` did not match the types of the given list elements
def listed(x: torch.Tensor) -> List[int]:
    return [x]


# -----
import torch
from typing import Dict


# CHECK: :[[#@LINE+2]]:12: error:
def keyed(x: torch.Tensor) -> Dict[str, int]:
    return {"a": x}


# -----
# What a template of ours refuses is refused where the user calls it.
# CHECK: :[[#@LINE+2]]:12: error: 'int' object is not iterable
def ordered():
    return sorted(5)
