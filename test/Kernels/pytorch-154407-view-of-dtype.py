# PyTorch issue 154407: x.view(dtype) took the dtype's number for a size.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch


def views(x: torch.Tensor, like: torch.Tensor) -> None:
    print(x.view(torch.float16).float(), x.view(like.dtype), x.view(2, 3), x.view(6))


def main() -> None:
    for i in range(10):
        views(torch.arange(6, dtype=torch.uint8), torch.ones(1, dtype=torch.int16))


# What Python prints:
# CHECK-COUNT-10: tensor([1.5259e-05, 4.5896e-05, 7.6532e-05]) tensor([ 256,  770, 1284], dtype=torch.int16) tensor({{[[][[]}}0, 1, 2],
