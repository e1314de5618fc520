# A program that asks for first gradients by backward() runs on a tape, which takes operators in a row down as one; the
# bits, the errors and what is left of a graph are those of a node for each operator, which -O0 has.
#
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-run --compile eager --print-code %s 2>&1 >/dev/null | FileCheck %s --check-prefix=CODE
# RUN: tsc-run --compile eager --explain %s 2>&1 >/dev/null | FileCheck %s --check-prefix=FUSED
#
# CODE: CallDifferentiable subgraph
# FUSED-DAG: fusion group: {{.*}}aten::tanh{{.*}}aten::sigmoid
# FUSED-DAG: fusion group: {{.*}}(<derivative>
# FUSED-DAG: differentiable graph: {{.*}}aten::tanh
# FUSED-DAG: {{[0-9]+}} calls, each keeps up to {{[1-9][0-9]*}} bytes for its gradients, which run {{[0-9]+}} of its operators again
import torch
from typing import List, Optional
from torch import Tensor


def show(name: str, g: Optional[Tensor]):
    if g is None:
        print(name, "none")
    else:
        print(name, g)


def leaf(numbers: List[float]) -> Tensor:
    return torch.tensor(numbers).requires_grad_()


# The operand x is read by operators in the group, before it and behind it: gradients are added in the order of a tape.
def order():
    x, y = leaf([0.3, -1.7, 2.9]), leaf([1.1])
    early = torch.exp(x) / 3
    h = torch.tanh(x) * x * torch.sigmoid(x + y) + x
    chunks = h.unbind(0)
    late = (x / 7).sum()
    (late + (early * h).sum() + chunks[1]).backward()
    show("x", x.grad)
    show("y", y.grad)


# Results whose gradients nobody asks for have none: nothing is computed of them, and nan times 0 is not added.
def undefined():
    x, y = leaf([0., 1.]), leaf([2., 3.])
    a = torch.log(x) * y
    b = torch.sin(y) * y + y
    b.sum().backward()
    show("x", x.grad)
    show("y", y.grad)
    print(a.requires_grad)


# Two parts of one group that share no operator: each goes backwards once.
def parts():
    x, y = leaf([0.5, 1.5]), leaf([2., 3.])
    a = torch.sin(x) * x
    b = torch.cos(y) * y
    a.sum().backward()
    b.sum().backward()
    show("x", x.grad)
    show("y", y.grad)


def retained():
    x = leaf([0.5, 1.5])
    a = torch.sin(x) * x + x
    s = a.sum()
    s.backward(retain_graph=True)
    s.backward()
    show("x", x.grad)
    try:
        s.backward()
    except Exception as e:
        print("again:", str(e)[:52])


# Whatever a formula reads is checked, and nothing else.
def written():
    x, y = leaf([0.5, 1.5]), leaf([2., 3.])
    a = torch.sigmoid(x * y)
    b = (a + y) * 2 - x
    a.detach().mul_(2)  # the result, which its own formula reads
    try:
        b.sum().backward()
    except Exception as e:
        print("written:", str(e)[:132])
    u, v = torch.ones([2]), leaf([1., 2.])
    c = (u + v) * v - u
    u.add_(1)  # an operand that only sums read
    c.sum().backward()
    show("v", v.grad)


# The gradient of a value within: nothing that is taken for one uses it.
def within():
    x = leaf([0.5, 1.5])
    h = torch.sin(x) * x
    h.retain_grad()
    k = torch.exp(h) * h + x
    k.sum().backward()
    show("h", h.grad)
    g = torch.autograd.grad([(torch.exp(h) * h + h).sum()], [h])[0] if h.requires_grad else None
    show("h again", g)


# Through branches and loops, with other dtypes, broadcast; numbers are read between the operators.
def loops():
    x, w = leaf([0.5, 1.5, -0.5]), torch.tensor([[1.5], [0.5]], dtype=torch.double).requires_grad_()
    h, total = x, torch.zeros([])
    for i in range(4):
        h = torch.tanh(h * 1.5 + x) * (h + i) + float(h.size(0))
        k = (h * w).mean(1) * w.squeeze(1).to(torch.float)
        if i % 2 == 0:
            k = torch.relu(k) + k * k
        total = total + k.sum()
    total.backward()
    show("x", x.grad)
    show("w", w.grad)


def main():
    for _ in range(3):
        # CHECK:      x tensor([ 0.9698,  1.0890, 47.3467])
        # CHECK-NEXT: y tensor([0.7006])
        order()
        # CHECK-NEXT: x none
        # CHECK-NEXT: y tensor([ 1.0770, -1.8289])
        # CHECK-NEXT: True
        undefined()
        # CHECK-NEXT: x tensor([0.9182, 1.1036])
        # CHECK-NEXT: y tensor([-2.2347, -1.4134])
        parts()
        # CHECK-NEXT: x tensor([3.8364, 4.2072])
        # CHECK-NEXT: again: Trying to backward through the graph a second time
        retained()
        # CHECK-NEXT: written: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [2]] is at versio
        # CHECK-NEXT: v tensor([3., 5.])
        written()
        # CHECK-NEXT: h tensor([ 1.5755, 11.1454])
        # CHECK-NEXT: h again tensor([ 2.5755, 12.1454])
        within()
        # CHECK-NEXT: x tensor([ 71.8686,  60.3578, -71.8919])
        # CHECK-NEXT: w tensor({{\[\[}}2528.0894],
        # CHECK-NEXT:         [ 131.9688]], dtype=torch.float64)
        loops()
