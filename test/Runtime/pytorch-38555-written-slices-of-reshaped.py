# PyTorch issue 38555: what is written in place through an index behind a slice of a reshaped tensor was lost.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch


def mask_tail(x: torch.Tensor, used: int) -> torch.Tensor:
    x.reshape(2, 2, 2, x.shape[-2], 3)[:, :, -1, x.shape[-2] - used:].fill_(0.0)
    return x


def mask_block(x: torch.Tensor, size: int) -> torch.Tensor:
    block = x.reshape(4, -1)[1:, x.shape[-1] - size:]
    block[-1] *= 2
    block[::2, -1:].fill_(-1.0)
    return x


def main() -> None:
    for i in range(10):
        ones = torch.ones(2, 4, 4, 3)
        print(int(mask_tail(ones, 3).sum()), int(ones.sum()), mask_block(torch.ones(2, 2, 2, 3), 2).flatten().tolist())


# What Python prints:
# CHECK-COUNT-10: 60 60 [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, -1.0]
