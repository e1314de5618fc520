# What --check-trace looks at: objects within what is returned, and files.
# RUN: %exits 1 tsc-run %s --entry counted --args 'torch.ones([2])' --trace-to %t.pt --trace-anyway --check-trace 2>&1 | FileCheck %s --check-prefix=COUNTED
import torch
from torch import Tensor
from typing import Dict, List, Tuple


class Counted:
    def __init__(self, n: int):
        self.n = n


# COUNTED: error: the trace differs from the program with one row more: result[1][0]: mismatch: got 1, expected 5;
def counted(x: Tensor) -> Tuple[Tensor, Counted]:
    made = Counted(1)
    if x.size(0) > 2:
        made.n = 5
    return x, made


# RUN: %exits 1 tsc-run %s --entry in_list --args 'torch.ones([2])' --trace-to %t.pt --trace-anyway --check-trace 2>&1 | FileCheck %s --check-prefix=LIST
# LIST: error: the trace differs from the program with one row more: result[0][0]: mismatch: got 1, expected 5;
def in_list(x: Tensor) -> List[Counted]:
    made = Counted(1)
    if x.size(0) > 2:
        made.n = 5
    return [made, made]


# RUN: tsc-run %s --entry in_dict --args 'torch.ones([2])' --trace-to %t.pt --check-trace
def in_dict(x: Tensor) -> Dict[str, Counted]:
    return {"made": Counted(1)}


# A check reads the file as the traced call has left it, and leaves it so.
# RUN: tsc-run %s --entry write --args '"%t.saved"'
# RUN: tsc-run %s --entry stored --args 'torch.ones([2]), "%t.saved"' --trace-to %t.pt --check-trace 2>&1 | FileCheck %s --check-prefix=STORED --implicit-check-not=error
# RUN: tsc-run %s --entry read --args '"%t.saved"' | FileCheck %s --check-prefix=READ
# STORED: tensor([3., 3.])
# READ: tensor([2., 2.])
def stored(x: Tensor, path: str) -> Tensor:
    saved = torch.load(path)
    torch.save({"x": x + 1}, path)
    return torch.load(path)["x"] + saved["x"]


def write(path: str) -> None:
    torch.save({"x": torch.ones([2])}, path)


def read(path: str) -> Tensor:
    return torch.load(path)["x"]


# What is written differs, and no result does.
# RUN: %exits 1 tsc-run %s --entry saves --args 'torch.ones([2]), "%t.saved"' --trace-to %t.pt --trace-anyway --check-trace 2>&1 | FileCheck %s --check-prefix=SAVES
# RUN: tsc-run %s --entry read --args '"%t.saved"' | FileCheck %s --check-prefix=SAVED
# SAVES: error: the trace differs from the program with one row more: what is written to files differs: result[1]['x']: mismatch: 3 of 3 elements differ
# SAVED: tensor([1., 1.])
def saves(x: Tensor, path: str) -> Tensor:
    if x.size(0) > 2:
        torch.save({"x": x * 7}, path)
    else:
        torch.save({"x": x}, path)
    return x
