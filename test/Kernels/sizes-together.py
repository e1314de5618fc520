# Numbers that are within bounds one by one, and values that stand for no size: none crashes, and none works without end.
# RUN: %python %S/Inputs/check_refused.py tsc-run %S/Inputs/sizes_together.py
# RUN: tsc-run %s | FileCheck %s
import torch
from typing import List


def main() -> None:
    p = 1073741823
    y = torch.conv_transpose3d(torch.ones(1, 2, 2, 2, 2), torch.ones(2, 1, 3, 3, 3), None, [1, 1, 1], [p, p, 1], [0, 0, 0], 2, [p, p, 1])
    print(y.shape)  # CHECK: [1, 2, 2, 2, 2]
    x = torch.conv3d(torch.ones(1, 2, 2, 2, 2), torch.ones(2, 1, 3, 3, 2), None, [1, 1, 1], [p, p, 1], [p, p, 1], 2)
    print(x.sum())  # CHECK-NEXT: tensor(32.)
    # The numbers of a quantizer are its own.
    s, z = torch.ones([200000]), torch.zeros([200000], dtype=torch.int64)
    q = torch.quantize_per_channel(torch.ones([200000, 3]), s, z, 0, torch.quint8)
    s.set_(torch.zeros([1]))
    q.q_per_channel_scales().set_(torch.zeros([1], dtype=torch.double))
    print(q.dequantize().sum())  # CHECK-NEXT: tensor(600000.)
    least = torch.full([1, 1, 1], -9223372036854775807, dtype=torch.int64) - 1
    print(torch._C._nn.avg_pool2d(least, [1, 1], [1, 1], [0, 0], False, True, -1))  # CHECK-NEXT: tensor({{\[\[\[}}-9223372036854775808]]])
    one = torch.ones([2, 2])
    torch.chain_matmul([one]).mul_(5.)
    print(one.sum())  # CHECK-NEXT: tensor(4.)
    a = torch._upsample_bilinear2d_aa(torch.ones([1, 1, 5, 5]), [4, 4], False, 2.168404344971009e-19, 2.168404344971009e-19)
    print(a.shape)  # CHECK-NEXT: [1, 1, 4, 4]
    b = torch._upsample_bicubic2d_aa(torch.ones([1, 1, 5, 5], dtype=torch.double), [9, 9], False, 2e-19, 1e-19)
    print(b.shape)  # CHECK-NEXT: [1, 1, 9, 9]
    packed, lengths = torch._pack_padded_sequence(torch.arange(6.).view(3, 2, 1), torch.tensor([3, 2]), False)
    print(packed.flatten(), lengths)  # CHECK-NEXT: tensor([0., 1., 2., 3., 4.]) tensor([2, 2, 1])
