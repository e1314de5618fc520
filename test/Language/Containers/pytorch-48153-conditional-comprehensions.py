# PyTorch issue 48153: comprehensions with conditions, and inside each other.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
from torch import nn
from typing import List


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = [[i * j for j in range(5)] for i in range(5)]
        self.few = [i for i in range(5) if i < 4]

    def forward(self, n: int) -> List[int]:
        return self.rows[n] + self.few


table = Table()


def grid(n: int) -> List[List[int]]:
    return [[i + j for j in range(n) if j % 2 == 0] for i in range(n) if i != 1]


def flat(rows: List[List[int]]) -> List[int]:
    return [value for row in rows for value in row if value > 1]


def main() -> None:
    for i in range(10):
        print(table(2), grid(3), flat(grid(3)))


# What Python prints:
# CHECK: [0, 2, 4, 6, 8, 0, 1, 2, 3] {{[[][[]}}0, 2], [2, 4]] [2, 2, 4]
# CHECK-NEXT: [0, 2, 4, 6, 8, 0, 1, 2, 3] {{[[][[]}}0, 2], [2, 4]] [2, 2, 4]
# CHECK-NEXT: [0, 2, 4, 6, 8, 0, 1, 2, 3] {{[[][[]}}0, 2], [2, 4]] [2, 2, 4]
# CHECK-NEXT: [0, 2, 4, 6, 8, 0, 1, 2, 3] {{[[][[]}}0, 2], [2, 4]] [2, 2, 4]
# CHECK-NEXT: [0, 2, 4, 6, 8, 0, 1, 2, 3] {{[[][[]}}0, 2], [2, 4]] [2, 2, 4]
# CHECK-NEXT: [0, 2, 4, 6, 8, 0, 1, 2, 3] {{[[][[]}}0, 2], [2, 4]] [2, 2, 4]
# CHECK-NEXT: [0, 2, 4, 6, 8, 0, 1, 2, 3] {{[[][[]}}0, 2], [2, 4]] [2, 2, 4]
# CHECK-NEXT: [0, 2, 4, 6, 8, 0, 1, 2, 3] {{[[][[]}}0, 2], [2, 4]] [2, 2, 4]
# CHECK-NEXT: [0, 2, 4, 6, 8, 0, 1, 2, 3] {{[[][[]}}0, 2], [2, 4]] [2, 2, 4]
# CHECK-NEXT: [0, 2, 4, 6, 8, 0, 1, 2, 3] {{[[][[]}}0, 2], [2, 4]] [2, 2, 4]
