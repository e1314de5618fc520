# A concatenation of what a group makes, read by folds alone, is in the group, and the folds are.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-run --entry columns --args "torch.ones([3, 7]), torch.ones([3, 7])" --compile eager --explain %s 2>&1 | FileCheck --check-prefix=COLUMNS %s
# RUN: tsc-run --entry rows --args "torch.ones([3, 7]), torch.ones([3, 7])" --compile eager --explain %s 2>&1 | FileCheck --check-prefix=ROWS %s
# RUN: tsc-run --entry stacked --args "torch.ones([3, 7]), torch.ones([3, 7])" --compile eager --explain %s 2>&1 | FileCheck --check-prefix=STACKED %s
# CHECK-COUNT-5: True
# COLUMNS: fusion group: aten::mul, aten::add, prim::ListConstruct, aten::cat, aten::sum (
# ROWS:    fusion group: aten::mul, aten::add, prim::ListConstruct, aten::cat, aten::amax (
# STACKED: fusion group: aten::mul, aten::add, prim::ListConstruct, aten::stack, aten::sum (
import torch
from torch import Tensor

def columns(x: Tensor, y: Tensor):
    whole = torch.cat([x * 2, y + 1], 1)
    return whole, whole.sum(0)

def rows(x: Tensor, y: Tensor):
    return torch.cat([x * 2, y + 1], 1).amax(1)

def stacked(x: Tensor, y: Tensor):
    return torch.stack([x * 2, y + 1]).sum(0)

def check(n: int) -> bool:
    x, y = torch.arange(3 * n).reshape([3, n]).float(), torch.arange(3 * n).reshape([3, n]).float() * 3
    expected = torch.zeros([3, 2 * n])
    expected[:, :n] = x * 2
    expected[:, n:] = y + 1
    whole, sums = columns(x, y)
    right = torch.equal(whole, expected) and torch.equal(sums, expected[0] + expected[1] + expected[2])
    return (right and torch.equal(rows(x, y), torch.maximum(2 * x[:, -1], y[:, -1] + 1)) and
            torch.equal(stacked(x, y), 2 * x + (y + 1)))

def main() -> None:
    for n in [1, 7, 7, 7, 2]:
        print(check(n))
