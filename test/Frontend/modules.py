# Modules from source: construction, what compiled code sees of them, and what the file's own code does with them.
# Numbers and texts are PyTorch's; the file runs in Python too.
# RUN: tsc-run %s | FileCheck %s
# RUN: tsc-run --entry Net --seed 0 --args 'torch.ones(1, 4), "b"' %s | FileCheck --check-prefix=NET %s
# RUN: tsc-run --entry Net.width_of --args '3' %s | FileCheck --check-prefix=METHOD %s
# RUN: tsc-run --entry doubled --args '3' %s | FileCheck --check-prefix=FUNCTION %s
# RUN: tsc-run --entry compared --args "torch.ones(1, 4)" %s | FileCheck --check-prefix=COMPARED %s
# RUN: not tsc-run --entry nothing %s 2>&1 | FileCheck --check-prefix=NOTHING %s
import math
import torch
import torch.nn as nn
import torch.nn.functional as F
from typing import Dict, List, Optional
from torch import Tensor

SCALE = 0.5
WIDTHS = [4, 6, 2]


def doubled(n: int):
    return n * 2 * SCALE


class Base(nn.Module):
    kind = "base"

    def __init__(self, width, *rest, **options):
        super().__init__()
        self.width = width
        self.rest = len(rest)
        self.bias = options.get("bias", True)

    def forward(self, x):
        return x + self.width

    def describe(self):
        return f"{self.kind}-{self.width:03d}-{self.rest}"


class Shifted(Base):
    kind = "shifted"

    def __init__(self, *args, **kwargs):
        super(Shifted, self).__init__(*args, **kwargs)
        self.offset = nn.Parameter(torch.full((1,), 0.25))

    def forward(self, x):
        return super().forward(x) * self.offset


class Net(nn.Module):
    counts: Dict[str, int]
    history: List[int]

    def __init__(self, widths=WIDTHS, act=torch.tanh, skip=None):
        super().__init__()
        self.layers = nn.ModuleList()
        for fan_in, fan_out in zip(widths, widths[1:]):
            self.layers.append(nn.Linear(fan_in, fan_out, bias=fan_out != 2))
        self.heads = nn.ModuleDict({"a": Base(1), "b": Shifted(2, 3, 4, bias=False)})
        self.gains = nn.ParameterList([nn.Parameter(torch.tensor(float(i + 1))) for i in range(2)])
        self.act = act
        self.skip = skip
        self.counts = {"calls": 0}
        self.history = []
        self.register_buffer("seen", torch.zeros(1), persistent=False)
        self.eps = 1e-3 if len(widths) > 2 else None

    @property
    def depth(self) -> int:
        return len(self.layers)

    @staticmethod
    def half(x: Tensor) -> Tensor:
        return x / 2

    @torch.jit.export
    def width_of(self, i: int) -> int:
        return self.depth * i

    def forward(self, x, head: str = "a"):
        for i, (layer, gain) in enumerate(zip(self.layers, self.gains)):
            x = self.act(layer(x)) * gain + i
        x = self.layers[-1](F.pad(x, [0, 4])) + self.half(x)
        if self.skip is not None:
            x = self.skip(x)
        if head == "a":
            x = self.heads["a"](x)
        else:
            for name, module in self.heads.items():
                x = module(x)
        self.seen += 1
        self.counts["calls"] += 1
        self.history.append(x.size(0))
        return x + len(self.history) * SCALE


def weigh(m):
    if isinstance(m, nn.Linear):
        nn.init.constant_(m.weight, 0.1)
        if m.bias is not None:
            m.bias.data.fill_(0.5)


made = nn.Linear(4, 1)


def compared(x):
    first = Net([4, 2], act=F.relu)
    return first.depth, bool(made(x).shape == (1, 1))


# COMPARED: (1, True)
# NET: tensor({{\[\[}}1.2539, 1.2606]]
# METHOD: 6
# FUNCTION: 3.0
# NOTHING: there is nothing called 'nothing'; '{{.*}}modules.py' offers: Shifted, Net, made, compared, doubled, weigh
if __name__ == "__main__":
    net = Net()
    # CHECK: ['layers.0.weight', 'layers.0.bias', 'layers.1.weight', 'heads.b.offset', 'gains.0', 'gains.1']
    print([name for name, p in net.named_parameters()])
    # CHECK-NEXT: shifted-002-2 False 2
    print(net.heads["b"].describe(), net.heads["b"].bias, net.depth)
    net.apply(weigh)
    # CHECK-NEXT: tensor({{\[\[}}2.7672, 2.7672]]
    print(net(torch.ones(1, 4)).detach())
    # CHECK-NEXT: tensor({{\[\[}}2.0668, 2.0668]]
    print(net(torch.ones(1, 4), "b").detach())
    # CHECK-NEXT: tensor([2.]) {'calls': 2}
    print(net.seen, net.counts)
    # CHECK-NEXT: False True
    net.eval()
    print(net.layers[0].training, net.train().layers[0].training)
    other = Net()
    other.load_state_dict(net.state_dict())
    # CHECK-NEXT: True 6
    print(torch.equal(other.layers[0].weight, net.layers[0].weight), len(net.state_dict()))
    # CHECK-NEXT: Net(
    # CHECK-NEXT:   (layers): ModuleList(
    # CHECK-NEXT:     (0): Linear(in_features=4, out_features=6, bias=True)
    # CHECK-NEXT:     (1): Linear(in_features=6, out_features=2, bias=False)
    # CHECK-NEXT:   )
    # CHECK-NEXT:   (heads): ModuleDict(
    # CHECK-NEXT:     (a): Base()
    # CHECK-NEXT:     (b): Shifted()
    # CHECK-NEXT:   )
    # CHECK-NEXT:   (gains): ParameterList(
    # CHECK-NEXT:       (0): Parameter containing: [torch.float32 of size ]
    # CHECK-NEXT:       (1): Parameter containing: [torch.float32 of size ]
    # CHECK-NEXT:   )
    # CHECK-NEXT: )
    print(net)
    # CHECK-NEXT: True False True True True False
    print([1] == [1], [1] is [1], {"a": [1]} == {"a": [1]}, {1, 2} == {2, 1}, int is int, {} == {1: 2})
