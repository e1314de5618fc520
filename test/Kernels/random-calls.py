# What calls of operators with random operands came upon (fuzz/FuzzOperators.cpp) and that gives a value: each once wrote
# or read outside of a tensor, ended the process, or never ended.
# RUN: %all_modes tsc-run --max-memory 64M %s | FileCheck %s
import torch
import torch.nn.functional as F
from typing import Dict


# A view whose elements share memory gets memory for all of them.
def resized_to_channels_last():
    x = torch.zeros([1]).expand([2, 2, 2, 2])
    x.resize_([2, 2, 2, 2], memory_format=torch.channels_last)
    x.fill_(1.0)
    print(x.sum(), x.stride())


# Elements that are moved together begin wherever one of them does.
def together_behind_one():
    x = torch.arange(9.0)[1:].view(2, 2, 2)
    print(F.interpolate(x.view(1, 2, 2, 2), size=[4, 2], mode="nearest").flatten())
    print(torch.repeat_interleave(x.view(4, 2), 5, 0)[4:6])
    print(torch.repeat_interleave(x.view(4, 2), 2, 0)[1:3])


# Of windows that are larger than the input by far, only the places inside are looked at.
def kernels_of_billions():
    x = torch.ones([1, 2, 2, 2], dtype=torch.int64)
    print(F.avg_pool3d(x, [2, 2, 2147483647], [2147483647, 2147483647, 2147483647], [0, 0, 0], True, False))
    print(F.max_pool2d(torch.ones([1, 3, 3]), [3, 2147483647], [1, 2147483647], [0, 1073741823]).shape)


# A key with a NaN is not found again.
def default_for_nan():
    d: Dict[complex, int] = {}
    print(d.setdefault(complex(0.0, float("nan")), 7), len(d))


# A scale of next to nothing puts samples far outside.
def next_to_no_scale():
    x = torch.ones([1, 1, 2, 2])
    print(torch._C._nn.upsample_bilinear2d(x, [2, 2], False, 5e-324, 5e-324).shape)


# Rows without places are not looked at.
def triangles_of_billions():
    print(torch.tril_indices(2147483647, 3, -2147483645), torch.triu_indices(3, 2147483647, 2147483645).shape)


# Of an operand whose dtype alone a gradient needs, no element is there to conjugate.
def gradient_of_conjugate():
    x = torch.ones([300, 300], dtype=torch.complex64, requires_grad=True)
    y = x.conj().type_as(torch.ones([1]))
    gradient = torch.autograd.grad([y.sum()], [x])[0]
    assert gradient is not None
    print(gradient[0, 0])


# Of no image, there is no window in any number of places.
def pools_of_nothing():
    print(F.max_pool2d(torch.empty([0, 1, 4194304, 8]), [2, 2]).shape)
    print(F.adaptive_max_pool2d(torch.ones([3, 4, 4]), [4194304, 0]).shape)
    print(F.avg_pool2d(torch.empty([0, 1, 8, 4194304]), [2, 2]).shape)


# Sizes beside one of 0 have a product as others do, which has its bound.
def extrema_of_nothing():
    x = torch.empty([0, 262144, 512])
    print(torch.min(x, 1)[0].shape, torch.softmax(torch.empty([0, 262144, 16], dtype=torch.half), 1).shape)
    try:
        print(torch.empty([0, 1048576, 512]).shape)
    except RuntimeError as error:
        print(error)


# Steps of no sequence.
def steps_of_nothing():
    weights = [torch.ones([3, 2]), torch.ones([3, 1])]
    print(torch.gru(torch.empty([0, 100000000, 2]), torch.empty([1, 0, 1]), weights, False, 1, 0.0, False, False, True)[0].shape)


# Padding of next to 2**63, which kernels add to.
def padded_by_all():
    try:
        print(F.conv3d(torch.ones([1, 1, 2, 2, 2]), torch.ones([1, 1, 1, 1, 2]), None, 2, [0, 1, 9223372036854775807]))
    except RuntimeError as error:
        print(error)


# Rows without elements have no largest one.
def bags_of_nothing():
    print(F.embedding_bag(torch.tensor([4, 1]), torch.empty([17, 0]), torch.tensor([0]), mode="max").shape)


def main() -> None:
    # CHECK: tensor(16.) (8, 1, 4, 2)
    resized_to_channels_last()
    # CHECK: tensor([1., 2., 1., 2., 3., 4., 3., 4., 5., 6., 5., 6., 7., 8., 7., 8.])
    # CHECK: tensor({{\[\[}}1., 2.],
    # CHECK-NEXT:    [3., 4.]])
    # CHECK-NEXT: tensor({{\[\[}}1., 2.],
    # CHECK-NEXT:    [3., 4.]])
    together_behind_one()
    # CHECK: tensor({{\[\[\[\[}}1]]]])
    # CHECK: torch.Size([1, 1, 1])
    kernels_of_billions()
    # CHECK: 7 1
    default_for_nan()
    # CHECK: torch.Size([1, 1, 2, 2])
    next_to_no_scale()
    # CHECK: tensor({{\[\[}}2147483645, 2147483646, 2147483646],
    # CHECK-NEXT: [         0,          0,          1]]) torch.Size([2, 3])
    triangles_of_billions()
    # CHECK: tensor(1.-0.j)
    gradient_of_conjugate()
    # CHECK: torch.Size([0, 1, 2097152, 4])
    # CHECK: torch.Size([3, 4194304, 0])
    # CHECK: torch.Size([0, 1, 4, 2097152])
    pools_of_nothing()
    # CHECK: torch.Size([0, 512]) torch.Size([0, 262144, 16])
    # CHECK: a tensor without elements has other sizes whose product is at most 268435456, but got sizes=[0, 1048576, 512]
    extrema_of_nothing()
    # CHECK: torch.Size([0, 100000000, 1])
    steps_of_nothing()
    # CHECK: a convolution's padding is at most 1073741824, but got 9223372036854775807
    padded_by_all()
    # CHECK: torch.Size([1, 0])
    bags_of_nothing()
