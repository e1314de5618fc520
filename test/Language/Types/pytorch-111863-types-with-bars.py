# PyTorch issue 111863: X | None and builtin generics as types, also mixed with those of typing.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import Dict, Optional, Tuple, Union


def joined(x: list[torch.Tensor] | None):
    if x is None:
        return torch.zeros(2)
    return torch.cat(x)


def mixed(x: Optional[list[torch.Tensor]], sizes: Dict[str, tuple[int, int]] | None = None) -> Tuple[int, int]:
    n = 0 if x is None else len(x)
    return n, (-1 if sizes is None else sizes["a"][1])


def wide(x: int | str | None, y: Union[int, list[int] | None]) -> str:
    left = "none" if x is None else ("str" if isinstance(x, str) else "int")
    right = "none" if y is None else ("int" if isinstance(y, int) else "list")
    return left + " " + right


def main() -> None:
    for i in range(10):
        print(list(joined(None).shape), list(joined([torch.ones(2), torch.ones(1)]).shape), mixed(None),
              mixed([torch.ones(1)], {"a": (1, 2)}), wide(1, None), wide("a", [1]), wide(None, 2))


# What Python prints:
# CHECK-COUNT-10: [2] [3] (0, -1) (1, 2) int none str list none int
