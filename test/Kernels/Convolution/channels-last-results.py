# Results have their channels innermost in memory where an operand of a layer of images suggests it (torch.channels_last), that is
# with gaps as well: strides as PyTorch has them, at every level.
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
import torch
import torch.nn.functional as F
from typing import List


def images() -> List[torch.Tensor]:
    x = torch.arange(2.0 * 4 * 4 * 6).reshape(2, 4, 4, 6)
    inside = x.contiguous(memory_format=torch.channels_last)
    return [x, inside, torch.cat([inside, inside], 1)[:, ::2]]


def main():
    w = torch.ones(6, 4, 3, 3)
    for x in images():
        print(F.conv2d(x, w, padding=1).stride(), F.conv2d(x, torch.ones(4, 1, 1, 1), groups=4).stride())
        print(F.group_norm(x, 2).stride(), F.batch_norm(x, torch.zeros(4), torch.ones(4)).stride())
        print(F.batch_norm(x, None, None, training=True).stride(), F.glu(x, 1).stride(), F.instance_norm(x).stride())
        print(F.max_pool2d(x, 2).stride(), F.avg_pool2d(x, 2).stride(), F.adaptive_avg_pool2d(x, [2, 2]).stride())
        print(F.interpolate(x, scale_factor=2.0).stride(), F.pad(x, [1, 1, 0, 0]).stride(), torch.frexp(x)[0].stride())
        print(torch.isclose(x, x).stride(), torch.complex(x, x).stride())
        y, i = F.max_pool2d(x, 2, return_indices=True)
        print(F.max_unpool2d(y, i, 2).stride())
        print(torch.allclose(F.conv2d(x, w, padding=1)[:, 0], F.avg_pool2d(x, 3, 1, 1).sum(1) * 9))
    x = images()[0]
    inside = w.contiguous(memory_format=torch.channels_last)
    print(F.conv2d(x, inside).stride(), F.conv2d(x[0], inside).stride(), F.conv2d(x, inside, padding="same").stride())
    print(F.conv2d(x, torch.ones(6, 4, 1, 1)).stride(), F.conv_transpose2d(images()[1], torch.ones(4, 6, 3, 3)).stride())
    print(F.conv1d(torch.ones(2, 4, 9), torch.ones(6, 3, 4).transpose(1, 2)).stride())
    torch.manual_seed(0)
    print(torch.randn_like(F.conv2d(x, inside)).is_contiguous(memory_format=torch.channels_last))


if __name__ == "__main__":
    main()

# CHECK: (144, 24, 6, 1) (96, 24, 6, 1)
# CHECK-NEXT: (96, 24, 6, 1) (96, 24, 6, 1)
# CHECK-NEXT: (96, 24, 6, 1) (48, 24, 6, 1) (96, 24, 6, 1)
# CHECK-NEXT: (24, 6, 3, 1) (24, 6, 3, 1) (16, 4, 2, 1)
# CHECK-NEXT: (384, 96, 12, 1) (128, 32, 8, 1) (96, 24, 6, 1)
# CHECK-NEXT: (96, 24, 6, 1) (96, 24, 6, 1)
# CHECK-NEXT: (96, 24, 6, 1)
# CHECK-NEXT: True
# CHECK-NEXT: (144, 1, 36, 6) (96, 1, 24, 4)
# CHECK-NEXT: (96, 1, 24, 4) (96, 1, 24, 4)
# CHECK-NEXT: (96, 1, 24, 4) (48, 1, 12, 2) (96, 24, 6, 1)
# CHECK-NEXT: (24, 1, 12, 4) (24, 1, 12, 4) (16, 1, 8, 4)
# CHECK-NEXT: (384, 1, 48, 4) (128, 1, 32, 4) (96, 1, 24, 4)
# CHECK-NEXT: (96, 1, 24, 4) (96, 1, 24, 4)
# CHECK-NEXT: (96, 1, 24, 4)
# CHECK-NEXT: True
# CHECK-NEXT: (144, 1, 36, 6) (96, 1, 24, 4)
# CHECK-NEXT: (96, 1, 24, 4) (96, 1, 24, 4)
# CHECK-NEXT: (96, 1, 24, 4) (48, 1, 12, 2) (96, 24, 6, 1)
# CHECK-NEXT: (24, 1, 12, 4) (24, 1, 12, 4) (16, 1, 8, 4)
# CHECK-NEXT: (384, 1, 48, 4) (128, 1, 32, 4) (96, 1, 24, 4)
# CHECK-NEXT: (96, 1, 24, 4) (96, 1, 24, 4)
# CHECK-NEXT: (96, 1, 24, 4)
# CHECK-NEXT: True
# CHECK-NEXT: (48, 1, 24, 6) (1, 24, 6) (144, 1, 36, 6)
# CHECK-NEXT: (144, 24, 6, 1) (288, 48, 8, 1)
# CHECK-NEXT: (42, 1, 6)
# CHECK-NEXT: True
