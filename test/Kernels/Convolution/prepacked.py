# What a model prepared for a phone calls: operators of torch.ops.prepacked on parameters in objects.
import torch


# RUN: %all_modes tsc-run %s --entry convolution | FileCheck --check-prefix=CONVOLUTION %s
# CONVOLUTION:      tensor({{\[\[\[\[}} 1.,  0.,  0.,  1.],
# CONVOLUTION-NEXT: [ 1.,  0.,  0.,  1.]],
# CONVOLUTION-EMPTY:
# CONVOLUTION-NEXT: {{\[\[}} 0., 60., 76.,  0.],
# CONVOLUTION-NEXT: [ 0., 48., 60.,  0.]]]])
def convolution():
    x = torch.arange(8.).reshape(1, 2, 2, 2)
    weight = torch.arange(12.).reshape(2, 2, 3, 1) - 5
    packed = torch.ops.prepacked.conv2d_clamp_prepack(weight, torch.tensor([1., -2.]), [1, 1], [1, 1], [1, 1], 1, 0., None)
    return torch.ops.prepacked.conv2d_clamp_run(x, packed)


# RUN: %all_modes tsc-run %s --entry transposed | FileCheck --check-prefix=TRANSPOSED %s
# TRANSPOSED: tensor({{\[}}8.0000, 6.0000, 8.0000, 4.0000, 4.0000, 2.0000, 9.5000, 9.5000, 9.5000,
# TRANSPOSED-NEXT: 9.5000, 9.5000, 9.5000, 9.5000, 9.5000, 9.5000, 9.5000])
def transposed():
    x = torch.arange(8.).reshape(1, 2, 2, 2)
    weight = torch.arange(12.).reshape(2, 2, 3, 1) - 5
    packed = torch.ops.prepacked.conv2d_transpose_clamp_prepack(weight, None, [2, 1], [1, 0], [1, 0], [1, 1], 1,
                                                                output_max=9.5)
    return torch.ops.prepacked.conv2d_transpose_clamp_run(x, packed).flatten()


# RUN: %all_modes tsc-run %s --entry linear | FileCheck --check-prefix=LINEAR %s
# LINEAR: tensor([-1.,  0.,  3.,  4.])
def linear():
    packed = torch.ops.prepacked.linear_clamp_prepack(torch.eye(4) * 3, None, -1., 4.)
    return torch.ops.prepacked.linear_clamp_run(torch.arange(4.) - 1, packed)


# What prepares a model moves products out of branches: some run on what they are not meant for, and nobody reads the result.
# RUN: %all_modes tsc-run %s --entry hoisted | FileCheck --check-prefix=HOISTED %s
# HOISTED: (tensor([3., 3.]), tensor([12.]), True, [1, 2, 4, 3], [2, 4])
def hoisted():
    channels = [torch.ones(1, 2, 4, 4), torch.ones(1, 3, 4, 5)]
    packed = [torch.ops.prepacked.conv2d_clamp_prepack(torch.ones(2, 3, 1, 3), None, [1, 1], [0, 0], [1, 1], 1),
              torch.ops.prepacked.conv2d_clamp_prepack(torch.ones(1, 2, 2, 3), None, [1, 1], [0, 0], [1, 1], 1)]
    first = torch.zeros(0)
    second = torch.zeros(0)
    for i in range(2):
        x = torch.ops.prepacked.conv2d_clamp_run(channels[i], packed[0])
        y = torch.ops.prepacked.conv2d_clamp_run(channels[i], packed[1])
        if i == 1:
            first = x.flatten(2)[0, :, 0] / 3
        else:
            second = y.flatten()[:1]
    unread = torch.ops.prepacked.conv2d_clamp_run(torch.ones(1, 1, 4, 5), packed[0])
    linear = torch.ops.prepacked.linear_clamp_prepack(torch.ones(4, 4))
    return first, second, bool(unread.isnan().all()), unread.shape, torch.ops.prepacked.linear_clamp_run(torch.ones(2, 3), linear).shape


# RUN: %exits 1 tsc-run %s --entry planar 2>&1 | FileCheck --check-prefix=PLANAR %s
# PLANAR: RuntimeError: prepacked::conv2d_clamp_run: expected 4 dimensions, but got 3
def planar():
    packed = torch.ops.prepacked.conv2d_clamp_prepack(torch.ones(2, 3, 1, 3), None, [1, 1], [0, 0], [1, 1], 1)
    return torch.ops.prepacked.conv2d_clamp_run(torch.ones(3, 4, 5), packed)


# The object of another operator does not fit.
# RUN: %exits 2 tsc-run %s --entry other 2>&1 | FileCheck --check-prefix=OTHER %s
# OTHER: error: conv2d_clamp_run(Tensor X, __torch__.torch.classes.xnnpack.Conv2dOpContext W_prepack) -> Tensor:
# OTHER-NEXT: Expected a value of type {{.*}} but instead found type '__torch__.torch.classes.xnnpack.LinearOpContext'
def other():
    packed = torch.ops.prepacked.linear_clamp_prepack(torch.eye(4))
    return torch.ops.prepacked.conv2d_clamp_run(torch.ones(1, 1, 4, 4), packed)
