# What an object was never given is an error where it is read, whatever its type; of several defaults the last counts.
# RUN: not %all_modes tsc-run %s --entry of_list 2>&1 | FileCheck %s --check-prefix=LIST
# RUN: not tsc-run %s --entry of_dict 2>&1 | FileCheck %s --check-prefix=DICT
# RUN: not tsc-run %s --entry of_text 2>&1 | FileCheck %s --check-prefix=TEXT
# RUN: not tsc-run %s --entry of_tensors 2>&1 | FileCheck %s --check-prefix=TENSORS
# RUN: tsc-run %s --entry last | FileCheck %s --check-prefix=LAST
import torch
from typing import Dict, List


class Box:
    numbers: List[int]
    table: Dict[str, int]
    text: str
    tensors: List[torch.Tensor]
    size = 1
    size = 2


def of_list() -> List[int]:
    return sorted(Box().numbers)  # LIST: attribute 'numbers' was read before it was set


def of_dict() -> List[str]:
    return list(Box().table.keys())  # DICT: attribute 'table' was read before it was set


def of_text() -> str:
    return Box().text + "x"  # TEXT: attribute 'text' was read before it was set


def of_tensors() -> torch.Tensor:
    return torch.cat(Box().tensors)  # TENSORS: attribute 'tensors' was read before it was set


def last() -> None:
    print(Box().size, Box.size)  # LAST: 2 2
