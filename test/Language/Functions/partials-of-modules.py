# functools.partial as an attribute of a module, and for making modules; hooks without annotations, whose handles take away
# the registration that they are of; annotations of attributes that may be a module.
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
from functools import partial
from typing import Optional

import torch
import torch.nn as nn


def scale(x: torch.Tensor, by: float = 1.0) -> torch.Tensor:
    return x * by


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.double = partial(scale, by=2.0)
        norm = partial(nn.LayerNorm, elementwise_affine=False)
        self.norm = norm(2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(self.double(x))


class Chain(nn.Module):
    def __init__(self, down: Optional[nn.Module] = None):
        super().__init__()
        self.first = Scaled()
        self.down: Optional[nn.Module] = down

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.down is not None:
            x = self.down(x)
        return self.first(x)


def add_one(module, inputs, result):
    return result + len(inputs)


if __name__ == "__main__":
    print(Scaled()(torch.tensor([1.0, 3.0])))
    chain = Chain()
    first = chain.register_forward_hook(add_one)
    second = chain.register_forward_hook(add_one)
    print(chain(torch.tensor([1.0, 3.0])).round())
    second.remove()
    second.remove()
    print(chain(torch.tensor([1.0, 3.0])).round())
    first.remove()
    print(chain(torch.tensor([1.0, 3.0])), Chain(nn.Identity())(torch.tensor([1.0, 3.0])))


# CHECK: tensor([-1.0000,  1.0000])
# CHECK-NEXT: tensor([1., 3.])
# CHECK-NEXT: tensor([0., 2.])
# CHECK-NEXT: tensor([-1.0000,  1.0000]) tensor([-1.0000,  1.0000])
