# What PyTorch's own tests of errors write, and Python runs.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import Dict, Tuple, Union


def from_pairs() -> int:
    x: Union[Dict[str, torch.Tensor], Dict[str, int]] = dict([("foo", torch.arange(3)), ("bar", torch.arange(5))])
    if torch.jit.isinstance(x, Dict[str, torch.Tensor]):
        x["foo"] = torch.tensor(3)
        return int(x["foo"]) + len(x)
    return -1


def from_keywords() -> int:
    x: Union[Dict[str, torch.Tensor], Dict[str, int]] = dict(foo=torch.arange(3), baz=torch.arange(5))
    if torch.jit.isinstance(x, Dict[str, torch.Tensor]):
        return x["baz"].numel()
    return -1


def over_tuple(x: torch.Tensor) -> int:
    n = 0
    for a, b, in x, x,:
        n += int(a) * 10 + int(b)
    return n


def main() -> None:
    print(from_pairs(), from_keywords(), over_tuple(torch.tensor([1, 2])))


# CHECK: 5 5 24
