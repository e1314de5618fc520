# A product of halves with an addend is rounded once: 3 * 150 * 150 is no half, but with -5000 it is.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
import torch.nn.functional as F


def main() -> None:
    for dtype in [torch.float16, torch.bfloat16]:
        x, w = torch.full([2, 3], 150.0, dtype=dtype), torch.full([3, 3], 150.0, dtype=dtype)
        b = torch.full([3], -5000.0, dtype=dtype)
        print([F.linear(x.reshape(shape), w, b).reshape(-1)[0].item() for shape in [[2, 3], [1, 2, 3], [1, 1, 2, 3]]],
              F.linear(x[0], w, b)[0].item())
        print(torch.addmm(b, x, w, alpha=0.5)[0, 0].item(), torch.addmv(b, w, x[0])[0].item(),
              torch.baddbmm(b.expand(1, 2, 3), x.unsqueeze(0), w.unsqueeze(0))[0, 0, 0].item())


# CHECK: [62496.0, 62496.0, 62496.0] 62496.0
# CHECK-NEXT: 28752.0 62496.0 62496.0
# CHECK-NEXT: [62464.0, 62464.0, 62464.0] 62464.0
# CHECK-NEXT: 28800.0 62464.0 62464.0
