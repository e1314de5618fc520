# --bench hands new lists and dicts over in each call, as Python does: what a call writes to them is gone in the next.
# RUN: tsc-run %s --args '[1], {"a": torch.ones(2)}, ([2],)' --bench 20 | FileCheck %s
# CHECK: "processor_us":
import torch
from torch import Tensor
from typing import Dict, List, Tuple


def forward(numbers: List[int], tensors: Dict[str, Tensor], pair: Tuple[List[int]]) -> int:
    numbers.append(2)
    pair[0].append(3)
    tensors["b"] = tensors["a"] + 1
    assert len(numbers) == 2 and len(tensors) == 2 and len(pair[0]) == 2, "written to in an earlier call"
    return len(numbers)
