# The weights of an object leave a loop that sets none of them, and the products of its steps with them too; a weight that
# somebody sets in the loop stays.
# DEFINE: %{args} = --seed 1 --args 'Cell(torch.randn([64, 32]), torch.randn([64, 64])), torch.randn([16, 1, 32]), torch.zeros([1, 64])'
# RUN: tsc-run --entry run %{args} -O0 %s > %t.plain
# RUN: tsc-run --entry run %{args} %s | diff %t.plain -
# RUN: tsc-run --entry run %{args} --print-ir optimized %s 2>&1 >/dev/null | FileCheck %s
# RUN: tsc-run --entry products %{args} -O0 %s > %t.plain
# RUN: tsc-run --entry products %{args} %s | diff %t.plain -
# RUN: tsc-run --entry products %{args} --print-ir optimized %s 2>&1 >/dev/null | FileCheck --check-prefix=PRODUCTS %s
# RUN: tsc-run --entry changing %{args} -O0 %s > %t.plain
# RUN: tsc-run --entry changing %{args} %s | diff %t.plain -
# RUN: tsc-run --entry changing %{args} --print-ir optimized %s 2>&1 >/dev/null | FileCheck --check-prefix=CHANGING %s
import torch
import torch.nn.functional as F
from torch import Tensor


class Cell:
    def __init__(self, w: Tensor, u: Tensor):
        self.w = w
        self.u = u

    def step(self, x: Tensor, h: Tensor) -> Tensor:
        return torch.tanh(F.linear(x, self.w) + F.linear(h, self.u))


# CHECK-DAG: %[[W:[^ ]+]] : Tensor = prim::GetAttr[name="w"]
# CHECK-DAG: prim::GetAttr[name="u"]
# CHECK:     %[[ALL:[^ ]+]] : Tensor = tsc::step_products(%seq, %{{[^ ,]+}}, %[[W]],
# CHECK:     prim::Loop
# CHECK-NOT: prim::GetAttr
# CHECK:     tsc::step_product(%[[ALL]],
def run(c: Cell, seq: Tensor, h: Tensor) -> Tensor:
    for t in range(seq.size(0)):
        h = c.step(seq[t], h)
    return h


# PRODUCTS: %[[W:[^ ]+]] : Tensor = prim::GetAttr[name="w"]
# PRODUCTS: tsc::step_products(%{{[^ ,]+}}, %[[W]],
# PRODUCTS: prim::Loop
# PRODUCTS: tsc::step_product(
def products(c: Cell, seq: Tensor, h: Tensor) -> Tensor:
    for x in seq.unbind(0):
        h = torch.tanh(torch.mm(x, c.w.t()) + torch.mm(h, c.u.t()))
    return h


# CHANGING:     prim::Loop
# CHANGING:     prim::GetAttr[name="w"]
# CHANGING-NOT: tsc::step_product
def changing(c: Cell, seq: Tensor, h: Tensor) -> Tensor:
    for t in range(seq.size(0)):
        h = torch.tanh(F.linear(seq[t], c.w) + h)
        c.w = c.w * 0.5
    return h
