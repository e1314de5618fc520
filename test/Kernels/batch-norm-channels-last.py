# A batch with its channels innermost is normalized as it lies: the numbers of one that is row-major, in the same order.
# RUN: tsc-run --seed 0 --entry main %s | FileCheck %s
import torch
import torch.nn.functional as F


def main():
    x = torch.randn([2, 5, 3, 4])
    m = torch.randn([5])
    v = torch.rand([5]) + 0.5
    for y in [x, x.double()]:
        a = F.batch_norm(y, m.to(y.dtype), v.to(y.dtype), m.to(y.dtype), v.to(y.dtype))
        z = F.batch_norm(y.contiguous(memory_format=torch.channels_last), m.to(y.dtype), v.to(y.dtype), m.to(y.dtype), v.to(y.dtype))
        # CHECK-COUNT-2: True (60, 1, 20, 5)
        print((a - z).abs().max().item() < 1e-6, z.stride())
    h = x.half()
    a = F.batch_norm(h, m, v)
    z = F.batch_norm(h.contiguous(memory_format=torch.channels_last), m, v)
    # CHECK-NEXT: True (60, 1, 20, 5) torch.float16
    print((a.float() - z.float()).abs().max().item() < 1e-3, z.stride(), z.dtype)
    w = torch.randn([2, 3, 2, 2, 2])
    a = F.batch_norm(w, m[:3], v[:3], v[:3], m[:3])
    z = F.batch_norm(w.contiguous(memory_format=torch.channels_last_3d), m[:3], v[:3], v[:3], m[:3])
    # CHECK-NEXT: True (24, 1, 12, 6, 3)
    print((a - z).abs().max().item() < 1e-6, z.stride())
