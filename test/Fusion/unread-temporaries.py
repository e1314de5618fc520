# A nest that a plan needs wrote a temporary, which a trial of the planner had asked for and nobody read in the end, and for
# which no memory was left: what lay behind it was overwritten.
# RUN: tsc-run --entry inputs --output %t.pt %s
# RUN: %all_modes tsc-run --entry check --inputs %t.pt %s | FileCheck %s
import torch
from typing import Dict, List, Tuple
from torch import Tensor

def value(x: Tensor, y: Tensor, z: Tensor) -> Tensor:
    a = x - z
    b = y * 1
    if x.size(0) == x.size(1):
        b = b * a.index_select(0, torch.tensor([1, 0, 1])).mean(0)
    c = a.index_select(0, torch.tensor([1, 0, 1])).mean(0)
    e = a.reshape([-1]).reshape(a.size(0), a.size(1))
    return torch.nn.functional.silu(x).sum() + e.sum() + b.sum() + c.sum() + z.sum()

# CHECK-COUNT-5: True
def check(x: Tensor, y: Tensor, z: Tensor) -> bool:
    x = x.detach().requires_grad_()
    g = torch.autograd.grad([value(x, y, z)], [x], create_graph=True)[0]
    assert g is not None
    gg = torch.autograd.grad([(g * torch.sin(x.detach() * 3)).sum()], [x])[0]
    assert gg is not None
    s = torch.sigmoid(x)
    wanted = s * (1 - s) * (2 + x * (1 - 2 * s)) * torch.sin(x * 3)  # the second derivative of silu
    return bool((gg - wanted).abs().max() < 1e-12)

def call(a: int, b: int) -> Tuple[Tensor, Tensor, Tensor]:
    x = torch.arange(a * b, dtype=torch.double).reshape([a, b]) * 0.1 - 0.5
    return x, torch.ones([b], dtype=torch.double), torch.ones([a, 1], dtype=torch.double)

def inputs():
    calls: List[Dict[str, Tuple[Tensor, Tensor, Tensor]]] = []
    for a, b in [(3, 4), (2, 7), (2, 7), (4, 3), (3, 4)]:
        calls.append({"args": call(a, b)})
    return {"calls": calls}
