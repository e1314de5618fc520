# A list or a dict of numbers of unknown kind is none of floats, and nobody makes it one: it is refused when compiled.
# RUN: not tsc-run %s --check-only --split-input-file 2>&1 | FileCheck %s
import torch
from typing import Dict, List

# CHECK: Expected a value of type 'List[float]' for argument 'other' but instead found type 'List[number]'.
# CHECK: l.extend([x.item()])
def extend(x: torch.Tensor):
    l = [1.0]
    l.extend([x.item()])
    return l

# -----
import torch
from typing import Dict, List

# CHECK: Expected a value of type 'List[float]' for argument 'f' but instead found type 'List[number]'.
def takes(f: List[float]) -> float:
    return f[0]
def argument(x: torch.Tensor):
    given = [x.item()]
    return takes(given)

# -----
import torch
from typing import Dict, List

# CHECK: d.update({"b": x.item()})
def update(x: torch.Tensor):
    d: Dict[str, float] = {"a": 1.0}
    d.update({"b": x.item()})
    return d
