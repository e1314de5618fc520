# PyTorch issue 53877: what assert refines in one branch was taken for an assignment to the variable.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import Any, List, Union


def of_any(x: Any) -> int:
    if isinstance(x, torch.Tensor):
        res = int(x.item())
    else:
        assert isinstance(x, int)
        res = x
    return res


def of_three(x: Union[int, str, List[int]]) -> int:
    if isinstance(x, str):
        res = len(x)
    elif isinstance(x, int):
        res = x
    else:
        assert isinstance(x, list)
        res = x[-1]
    return res + (1 if isinstance(x, str) else 0)


def main() -> None:
    for i in range(10):
        try:
            print(of_any(torch.tensor(4)), of_any(5), of_three("abc"), of_three(8), of_three([1, 9]), of_any("no"))
        except AssertionError:
            print(of_any(torch.tensor(4)), of_any(5), of_three("abc"), of_three(8), of_three([1, 9]), "no int")


# What Python prints:
# CHECK-COUNT-10: 4 5 4 8 9 no int
