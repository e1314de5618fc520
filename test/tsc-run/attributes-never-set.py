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
    v = torch.tensor([3.0], dtype=torch.float64)
    print((0.1 % v).item(), (1e300 // v).item())  # LAST-NEXT: 0.1 3.3333333333333335e+299
    print((0.1 % v.float()).dtype, (7 // torch.tensor(2)).item(), (7 % torch.tensor([2.5])).item())
    # LAST-NEXT: torch.float32 3 2.0
    print(torch.histc(torch.tensor([3.3333332538604736]), 3, 0, 10))  # LAST-NEXT: tensor([0., 1., 0.])
