# PyTorch issue 21545: containers as defaults and arguments; 51347: a dict of several types as an argument.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from typing import Dict, List, NamedTuple, Optional, Union


class Holder(NamedTuple):
    rows: List[List[str]]


class Table:
    def __init__(self, rows: List[List[int]], named: Optional[Dict[str, List[int]]] = None):
        self.rows = rows
        self.named = named


def count(words: List[str] = [], per: List[List[str]] = []) -> int:
    return len(words) + 10 * len(per)


def pick(a: Dict[str, Union[torch.Tensor, int]]) -> torch.Tensor:
    x = a["foo"]
    assert isinstance(x, torch.Tensor)
    return x[..., 1:] + 2


def first(values: List[float]) -> float:
    return values[0]


def main() -> None:
    for i in range(10):
        table = Table([[], [1]], named={"a": []})
        print(count(), count(["a"]), count(per=[["b"], []]), pick({"foo": torch.ones(1, 3)}), table.rows, table.named,
              Holder(rows=[[]]), first([torch.tensor(1.5).item()]))


# What Python prints:
# CHECK-COUNT-10: 0 1 20 tensor({{[[][[]}}3., 3.]]) {{[[][[]}}], [1]] {'a': []} Holder(rows={{[[][[]}}]]) 1.5
