# A bound gives way to an equal number: -0 stays -0 where the bound is 0, as in PyTorch, in kernels and groups alike. Of
# two tensors, the second of two equal numbers counts. NaN stays.

# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
import torch.nn.functional as F


def bounded(x):
    return [torch.relu(x), torch.clamp(x, min=0.0), torch.clamp(x, 0.0, 1.0), torch.clamp(x, max=0.0), F.relu6(x),
            F.hardtanh(x, 0.0, 1.0), torch.clamp_min(x, 0), torch.clip(x, 0.0), torch.clamp_max(x, 0)]


def grouped(x):
    return torch.relu(x) * 2, torch.clamp(x, 0.0, 1.0) * 2, torch.clamp_max(x, 0) * 2


def main() -> None:
    x = torch.tensor([-0.0, 0.0, float("nan"), -1.0, 1.0] * 8)
    # CHECK:      tensor([-0., 0., nan, 0., 1.])
    # CHECK-NEXT: tensor([-0., 0., nan, 0., 1.])
    # CHECK-NEXT: tensor([-0., 0., nan, 0., 1.])
    # CHECK-NEXT: tensor([-0.,  0., nan, -1.,  0.])
    # CHECK-NEXT: tensor([-0., 0., nan, 0., 1.])
    # CHECK-NEXT: tensor([-0., 0., nan, 0., 1.])
    # CHECK-NEXT: tensor([-0., 0., nan, 0., 1.])
    # CHECK-NEXT: tensor([-0., 0., nan, 0., 1.])
    # CHECK-NEXT: tensor([-0.,  0., nan, -1.,  0.])
    for y in bounded(x):
        print(y[:5])
    # CHECK-NEXT: True
    same = True
    for y, z in zip(bounded(x), bounded(x.double())):
        same = same and bool((torch.signbit(y) == torch.signbit(z)).all())
    print(same)
    # CHECK-NEXT: tensor([-0., 0., nan, 0., 2.]) tensor([-0., 0., nan, 0., 2.]) tensor([-0.,  0., nan, -2.,  0.])
    a, b, c = grouped(x)
    print(a[:5], b[:5], c[:5])
    # CHECK-NEXT: tensor([0., 0., nan, 0., 1.]) tensor([-0., 0., nan, 0., 1.])
    zero = torch.zeros([40])
    print(torch.maximum(x, zero)[:5], torch.maximum(zero, x)[:5])
