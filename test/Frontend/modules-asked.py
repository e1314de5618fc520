# What compiled code asks modules and classes for.

# A class has its methods, and not what its objects get.
# RUN: tsc-run %s --entry asked | FileCheck --check-prefix=ASKED %s
# ASKED: ((True, True, False), (True, False, False))

# modules() and named_modules() begin with the module itself.
# RUN: tsc-run %s --entry walk --args 'torch.ones([1])' | FileCheck --check-prefix=WALK %s
# WALK: ('<>/a/a.0/b', tensor([144.]))

# Members of a union are in PyTorch's order, whatever order they were written in: they are one type.
# RUN: tsc-run %s --entry of_union --args '1' --print-ir frontend 2>&1 | FileCheck --check-prefix=UNION %s
# UNION: graph(%x : Union(float, int, str))
from typing import Tuple, Union

import torch
from torch import nn


class Plain:
    def __init__(self):
        self.x = 1

    def double(self) -> int:
        return self.x * 2


def asked():
    plain = Plain()
    return ((hasattr(plain, "double"), hasattr(plain, "x"), hasattr(plain, "y")),
            (hasattr(Plain, "double"), hasattr(Plain, "x"), hasattr(Plain, "y")))


def of_union(x: Union[str, int, float]) -> Union[int, float, str]:
    return x


class Double(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


class Triple(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 3


class Walked(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Sequential(Double())
        self.b = Triple()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x

    @torch.jit.export
    def walk(self, x: torch.Tensor) -> Tuple[str, torch.Tensor]:
        names = "<>"
        for name, module in self.named_modules():
            if len(name) > 0:
                names += "/" + name
                x = module(x)
        for module in self.modules():
            x = module(x)
        return names, x


walked = Walked()
