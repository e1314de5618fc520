# PyTorch issue 48325: dicts that one literal made were one dict, in loops and across calls.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import Dict, List


class Optimizer:
    def __init__(self, params: List[torch.Tensor]):
        self.groups: List[Dict[str, List[torch.Tensor]]] = [{"params": params}]
        self.state: Dict[int, Dict[str, torch.Tensor]] = {}
        for i in range(len(params)):
            self.state[i] = {"step": torch.tensor(0.0)}

    def step(self, i: int) -> float:
        self.state[i]["step"] += 1.0
        self.state[i]["last"] = self.groups[0]["params"][i]
        return float(self.state[i]["step"])


def counted(words: List[str]) -> List[Dict[str, int]]:
    made: List[Dict[str, int]] = []
    for word in words:
        made.append({"count": 0})
        made[-1][word] = len(made)
    first: Dict[str, int] = {"a": 1}
    second: Dict[str, int] = {"a": 1}
    first["a"] += 10
    made.extend([first, second])
    return made


def main() -> None:
    for i in range(10):
        optimizer = Optimizer([torch.zeros(1), torch.ones(1)])
        print(optimizer.step(0), optimizer.step(0), optimizer.step(1), len(optimizer.state[0]), counted(["x", "y"]))


# What Python prints:
# CHECK-COUNT-10: 1.0 2.0 1.0 2 [{'count': 0, 'x': 1}, {'count': 0, 'y': 2}, {'a': 11}, {'a': 1}]
