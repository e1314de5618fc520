"""Numbers that nobody has a use for: each is refused."""
import torch
from typing import List


def tensor_split_places():
    return torch.tensor_split(torch.zeros(3), torch.zeros([1], dtype=torch.long).expand([1 << 40]))


def pads_beyond_the_size():
    return torch.constant_pad_nd(torch.ones([5]), [-9223372036854775807 - 1, 9223372036854775807], 7.0)


def mirrored_pads_beyond_the_size():
    return torch._C._nn.replication_pad1d(torch.arange(5).float().view(1, 5), [-9223372036854775807 - 1, 9223372036854775807])


def groups_of_no_channels():
    return torch.ops.torchvision.deform_conv2d(torch.zeros([1, 0, 2, 2]), torch.zeros([0, 0, 1, 1]), torch.zeros([1, 2, 2, 2]),
                                               torch.zeros([1, 0, 2, 2]), torch.zeros([0]), 1, 1, 0, 0, 1, 1, 4611686018427387904, 1, False)


def zero_point_beyond_bytes():
    return torch._make_per_tensor_quantized_tensor(torch.ones([2], dtype=torch.uint8), 1.0, 1 << 40)


def gradient_of_itself():
    a = torch.ones([2], requires_grad=True)
    a.grad = a
    return a


def complex_squares():
    return torch.mse_loss(torch.ones([2], dtype=torch.complex64), torch.ones([2], dtype=torch.complex64))


def segments_beyond_the_data():
    return torch.segment_reduce(torch.ones([3]), "sum", lengths=torch.tensor([1, 9223372036854775807]), unsafe=True)
