# A forward that is no TorchScript is walked as Python runs it; what it calls is compiled where that can be.
# RUN: tsc-run %s | FileCheck %s --match-full-lines --strict-whitespace

import torch
import torch.nn as nn


class Anything(nn.Module):  # an argument without an annotation is what the caller gives
    def forward(self, x, n):
        return x * n


class PlainList(nn.Module):  # layers in a list are no submodules, and called all the same
    def __init__(self):
        super().__init__()
        self.layers = [nn.Identity() for _ in range(2)]
        self.seen = []

    def forward(self, x):
        for layer in self.layers:
            x = layer(x) + 1
        self.seen.append(x.sum().item())
        return x


class Choice(nn.Module):  # a result on one way alone
    def __init__(self, first):
        super().__init__()
        self.first = first

    def forward(self, x):
        if self.first:
            x = x + 1
            return x


class Undisturbed(nn.Module):
    @torch.no_grad()
    def forward(self, x):
        return x * 2


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Undisturbed()

    def forward(self, x):
        return self.inner(x) + x


print(Anything()(torch.ones(1), 3), Anything()(torch.ones(1), torch.full((1,), 4.0)), Anything()("ab", 2))
plain = PlainList()
print(plain(torch.zeros(2)), plain(torch.ones(2)), plain.seen, len(list(plain.parameters())))
print(nn.Sequential(Choice(True), nn.Identity())(torch.zeros(1)), Choice(False)(torch.zeros(1)))
x = torch.ones(2, requires_grad=True)
print(Undisturbed()(x).requires_grad, Outer()(x))

seq = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
del seq[1]
print(len(seq), next(seq.parameters()).shape, [type(c).__name__ for c in seq.children()])
seq[0].weight.data = torch.zeros(3, 2)
seq[0].bias.data.fill_(0.5)
t = torch.arange(6).view(2, 3)
t[t > 3] = -1
t[:, [0, 2]] += 10
j = slice(0, 2)
t[1, j] = torch.tensor([7, 8])
print(seq[0](torch.ones(1, 2)).detach(), t, t[1, j])
optimizer = torch.optim.SGD(filter(lambda p: p.requires_grad, seq.parameters()), lr=0.1)
y = (torch.ones(2) * 3).requires_grad_()
g = torch.autograd.grad(outputs=(y * y).sum(), inputs=y)
print(g, nn.BatchNorm1d(2), nn.LayerNorm(2, bias=False), nn.GroupNorm(1, 2))


def build():  # a function that makes modules is walked as well
    return nn.Sequential(nn.Identity()), 2


def use(model, n):
    return model(torch.ones(1)) * n


print(use(*build()))

# CHECK:tensor([3.]) tensor([4.]) abab
# CHECK-NEXT:tensor([2., 2.]) tensor([3., 3.]) [4.0, 6.0] 0
# CHECK-NEXT:tensor([1.]) None
# CHECK-NEXT:False tensor([3., 3.], grad_fn=<AddBackward0>)
# CHECK-NEXT:2 torch.Size([3, 2]) ['Linear', 'Linear']
# CHECK-NEXT:tensor({{\[\[}}0.5000, 0.5000, 0.5000]]) tensor({{\[\[}}10,  1, 12],
# CHECK-NEXT:        [ 7,  8,  9]]) tensor([7, 8])
# CHECK-NEXT:(tensor([6., 6.]),) BatchNorm1d(2, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True) LayerNorm((2,), eps=1e-05, elementwise_affine=True, bias=False) GroupNorm(1, 2, eps=1e-05, affine=True, bias=True)
# CHECK-NEXT:tensor([2.])
