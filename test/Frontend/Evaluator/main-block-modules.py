# The main block of a file with modules: operators of classes, exceptions, gradients and optimizers, as Python runs it.
# RUN: tsc-run %s | FileCheck %s
import torch
from torch import nn


class V:
    def __init__(self, x: float):
        self.x = x

    def __neg__(self) -> "V":
        return V(-self.x)

    def __pos__(self) -> "V":
        return self

    def __invert__(self) -> "V":
        return V(1 / self.x)

    def __abs__(self) -> float:
        return abs(self.x)

    def __add__(self, o: "V") -> "V":
        return V(self.x + o.x)

    def __radd__(self, o: float) -> "V":
        return V(self.x + o)

    def __rmul__(self, o: float) -> "V":
        return V(self.x * o)

    def __rsub__(self, o: float) -> "V":
        return V(o - self.x)

    def __iadd__(self, o: float) -> "V":
        self.x += o
        return self

    def __repr__(self) -> str:
        return f"V({self.x})"


class Code(Exception):
    def __init__(self, code: int, text: str = "x"):
        super().__init__(f"code {code}: {text}")
        self.code = code


class Plain(ValueError):
    pass


def check(n: int) -> int:
    if n > 2:
        raise Code(n, text="big")
    return n


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1)

    def forward(self, x):
        return self.fc(x)


if __name__ == "__main__":
    v = V(2.0)
    print(-v, +v, ~v, abs(v), v + v, 3.0 + v, 2.0 * v, 1.0 - v)
    v += 4.0
    print(v)
    for i in range(3):
        last = i * 2
    print(i, last)
    try:
        check(3)
    except Code as e:
        print("caught", e, e.code, e.args)
    try:
        raise Code(7)
    except Exception as e:
        print(type(e).__name__, e)
    try:
        raise Plain("a", 2)
    except ValueError as e:
        print(repr(e), e.args)
    torch.manual_seed(0)
    net = Net()
    x = torch.ones(3, 2)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(3):
        opt.zero_grad()
        loss = net(x).pow(2).mean()
        loss.backward()
        opt.step()
    print(step, loss.tolist(), [round(p, 4) for p in net.fc.weight.tolist()[0]])
    g = torch.autograd.grad(net(x).sum(), net.parameters())
    print([tuple(t.shape) for t in g], torch.arange(3).tolist(), x.shape, list(x.shape), tuple(x.shape))
    with torch.no_grad():
        y = net(x)
    print(y.requires_grad, loss.requires_grad, y.shape)
    best = None
    for k in range(4):
        if best is None or k % 3 == 2:
            best = k
    print(best, k)

# What Python prints:
# CHECK: V(-2.0) V(2.0) V(0.5) 2.0 V(4.0) V(5.0) V(4.0) V(-1.0)
# CHECK-NEXT: V(6.0)
# CHECK-NEXT: 2 4
# CHECK-NEXT: caught code 3: big 3 ('code 3: big',)
# CHECK-NEXT: Code code 7: x
# CHECK-NEXT: Plain('a', 2) ('a', 2)
# CHECK-NEXT: 2 0.0011070456821471453 [0.0596, 0.4442]
# CHECK-NEXT: [(1, 2), (1,)] [0, 1, 2] torch.Size([3, 2]) [3, 2] (3, 2)
# CHECK-NEXT: False True torch.Size([3, 1])
# CHECK-NEXT: 2 3
