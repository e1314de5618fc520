# A result requires a gradient where an operand does, in grad mode: at every level, in groups, of views, after writes.
# What stands here is what eager PyTorch gives.
# RUN: tsc-run %s --args 'torch.ones([4]), 2, False' -O0 | FileCheck %s
# RUN: tsc-run %s --args 'torch.ones([4]), 2, False' -O1 | FileCheck %s
# RUN: tsc-run %s --args 'torch.ones([4]), 2, False' -O2 --compile=eager | FileCheck %s
# RUN: tsc-run %s --args 'torch.ones([4]), 2, False' -O3 --compile=eager | FileCheck %s
# RUN: tsc-run %s --args 'torch.ones([4]), 2, False' -O2 --executor=interp | FileCheck %s
# RUN: tsc-run %s --args 'torch.ones([9000]), 2, False' -O2 --compile=off | FileCheck %s
# CHECK: operators [True, True, True, True, True, True, True, True]
# CHECK: none [False, False, False, False, False, False, False]
# CHECK: written [True, False]
# CHECK: groups [False, True, False, True]
# CHECK: no grad [False, True, True, False, True, True, False, False]
# CHECK: again [True, True]
# CHECK: switched [False, False, True]
# CHECK: taken back [False, True]
from typing import List


def f(x, n: int, flag: bool):
    y = x.clone().requires_grad_(True)
    a = y * 2
    m, at = torch.max(y, dim=0)
    p, q = y.chunk(2)
    print('operators', [a.requires_grad, (a + x).requires_grad, a.view(-1).requires_grad, a[0].requires_grad,
                        torch.cat([x, y]).requires_grad, torch.relu(y).requires_grad, m.requires_grad, q.requires_grad])
    print('none', [a.detach().requires_grad, (a > 0).requires_grad, (a > 0).float().requires_grad, at.requires_grad,
                   torch.cat([x, x]).requires_grad, torch.zeros_like(y).requires_grad, a.to(torch.int64).requires_grad])
    b = x.clone()
    b.mul_(y)
    c = x.clone()
    c.mul_(x)
    print('written', [b.requires_grad, c.requires_grad])
    c = x * 2
    d = torch.tanh(c + y) * x
    e = torch.tanh(c) * x
    g = (d > 0).float() * x + y
    print('groups', [c.requires_grad, d.requires_grad, e.requires_grad, g.requires_grad])
    seen: List[bool] = []
    with torch.no_grad():
        for i in range(n):
            x = x + y
            seen.append(x.requires_grad)
            seen.append(y.view(-1).requires_grad)
            seen.append(y.contiguous().requires_grad)
        seen.append((y * 2).requires_grad)
        seen.append((torch.sigmoid(y * 3) * x).requires_grad)
    print('no grad', seen)
    print('again', [(y * 2).requires_grad, (torch.sigmoid(y * 3) * x).requires_grad])
    torch.set_grad_enabled(False)
    first = (y * 5).requires_grad
    torch.set_grad_enabled(flag)
    second = (y * 5).requires_grad
    torch.set_grad_enabled(True)
    print('switched', [first, second, (y * 5).requires_grad])
    y.requires_grad_(False)
    print('taken back', [(y * 2).requires_grad, a.requires_grad])
