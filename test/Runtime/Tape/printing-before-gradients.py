# A call outside of functions that prints and then asks for gradients runs once, at every level.
# RUN: tsc-run %s -O0 | FileCheck %s
# RUN: tsc-run %s -O1 | FileCheck %s
# RUN: tsc-run %s -O2 | FileCheck %s
# CHECK: start
# CHECK-NEXT: in g
# CHECK-NEXT: tensor([2., 2., 2.])
# CHECK-NEXT: in twice
# CHECK-NEXT: in g
# CHECK-NEXT: tensor([4., 4., 4.])
# CHECK-NEXT: loss 4.0
# CHECK-NEXT: tensor([2., 2.])
# CHECK-NOT: {{.}}
import torch


def loss(x: torch.Tensor) -> torch.Tensor:
    return (x * x).sum()


def g(x: torch.Tensor) -> torch.Tensor:
    print("in g")
    x = x.detach().requires_grad_()
    y = loss(x)
    y.backward()
    r = x.grad
    assert r is not None
    return r


def twice(x: torch.Tensor) -> torch.Tensor:
    print("in twice")
    return 2 * g(x)


if __name__ == "__main__":
    x = torch.ones(3)
    print("start")
    print(g(x))
    print(twice(x))
    for _ in range(1):
        w = torch.ones(2, requires_grad=True)
        l = (w * 2).sum()
        print("loss", l.item())
        l.backward()
        print(w.grad)
