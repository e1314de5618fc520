# A NamedTuple in an attribute is written as a plain tuple, which is what PyTorch reads; the attribute's type says what it is.
# RUN: tsc-translate %s --entry net -o %t.pt
# RUN: tsc-run %t.pt --args 'torch.ones(1)' | FileCheck %s
# RUN: %python -c 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); n, = [n for n in z.namelist() if n.endswith("/data.pkl")]; print(z.read(n).count(b"Pair\n"))' %t.pt | FileCheck %s --check-prefix=GLOBALS
# CHECK: 12340
# GLOBALS: 0
from typing import Dict, List, NamedTuple, Optional

import torch


class Pair(NamedTuple):
    first: torch.Tensor
    second: int


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.one: Pair = Pair(torch.ones(1), 4)
        self.some: List[Pair] = [Pair(torch.ones(1), 3)]
        self.named: Dict[str, Pair] = {"k": Pair(torch.ones(1), 2)}
        self.other: Optional[Pair] = Pair(torch.ones(1), 1)

    def forward(self, x):
        other = self.other
        assert other is not None
        return x * (self.one.second * 10 + self.some[0].second * 100 + self.named["k"].second * 1000 + other.second * 10000)


net = Net()
