# REQUIRES: fake-cuda-driver
# RUN: tsc-run %s --cuda-driver %fake_cuda_driver --compile eager > %t 2>&1
# RUN: FileCheck %s --input-file %t
import torch
import torch.nn.functional as F
from torch import Tensor
from Inputs.nearness import close, g

# Averages and maxima over windows are kernels: of one to three dimensions, with padding, gaps and a ceiling, adaptive
# ones too, and maxima with where they are.
# CHECK-NOT: remark: 'aten::{{.*}}pool
# CHECK: 100 pools
# CHECK-NOT: remark: 'aten::{{.*}}pool
def main():
    torch.manual_seed(5)
    count = 0
    for dtype in [torch.float, torch.double, torch.half, torch.bfloat16]:
        x = torch.randn([2, 3, 9, 10]).to(dtype)
        x[0, 0, 3, 3] = float('nan') if dtype == torch.float else 7.0
        line, volume = x[0, :, 0], torch.randn([1, 2, 5, 6, 7]).to(dtype)
        clean = torch.nan_to_num(x)
        close(torch.nan_to_num(F.max_pool2d(x, 3)), torch.nan_to_num(F.max_pool2d(g(x), 3)), 'max_pool2d')
        for here, there in zip(F.max_pool2d(clean, [3, 2], 2, 1, 2, return_indices=True),
                               F.max_pool2d(g(clean), [3, 2], 2, 1, 2, return_indices=True)):
            close(here, there, 'with indices')
        close(F.max_pool2d(clean, 2, 3, 0, 1, True), F.max_pool2d(g(clean), 2, 3, 0, 1, True), 'ceiling')
        close(F.max_pool1d(line, 3, 2, 1), F.max_pool1d(g(line), 3, 2, 1), 'max_pool1d')
        close(F.max_pool3d(volume, 2), F.max_pool3d(g(volume), 2), 'max_pool3d')
        close(F.avg_pool2d(clean, 3, 2, 1), F.avg_pool2d(g(clean), 3, 2, 1), 'avg_pool2d')
        close(F.avg_pool2d(clean, 3, 2, 1, False, False), F.avg_pool2d(g(clean), 3, 2, 1, False, False), 'without padding')
        close(F.avg_pool2d(clean, 3, 2, 0, True, True, 5), F.avg_pool2d(g(clean), 3, 2, 0, True, True, 5), 'a divisor')
        close(F.avg_pool2d(clean, [2, 5], [2, 5]), F.avg_pool2d(g(clean), [2, 5], [2, 5]), 'far apart')
        close(F.avg_pool1d(line, 4), F.avg_pool1d(g(line), 4), 'avg_pool1d')
        close(F.avg_pool3d(volume, [2, 3, 1], 2), F.avg_pool3d(g(volume), [2, 3, 1], 2), 'avg_pool3d')
        close(F.adaptive_avg_pool2d(clean, [4, 3]), F.adaptive_avg_pool2d(g(clean), [4, 3]), 'adaptive_avg_pool2d')
        close(F.adaptive_avg_pool2d(clean, 1), F.adaptive_avg_pool2d(g(clean), 1), 'one window')
        close(F.adaptive_avg_pool1d(line, 3), F.adaptive_avg_pool1d(g(line), 3), 'adaptive_avg_pool1d')
        close(F.adaptive_avg_pool3d(volume, [2, 3, 4]), F.adaptive_avg_pool3d(g(volume), [2, 3, 4]), 'adaptive_avg_pool3d')
        close(F.adaptive_max_pool2d(clean, [4, 3]), F.adaptive_max_pool2d(g(clean), [4, 3]), 'adaptive_max_pool2d')
        close(F.max_pool2d(clean[0], 2), F.max_pool2d(g(clean[0]), 2), 'no batch')
        count += 17
        # Channels that lie inside stay there.
        for image, many in [(clean.contiguous(memory_format=torch.channels_last), False),
                            (volume.contiguous(memory_format=torch.channels_last_3d), True)]:
            if many:
                close(F.max_pool3d(image, 2), F.max_pool3d(g(image), 2), 'max_pool3d, channels inside')
                close(F.avg_pool3d(image, [2, 3, 1], 2), F.avg_pool3d(g(image), [2, 3, 1], 2), 'avg_pool3d, channels inside')
                close(F.adaptive_avg_pool3d(image, 1), F.adaptive_avg_pool3d(g(image), 1), 'one window of a volume')
            else:
                for here, there in zip(F.max_pool2d(image, [3, 2], 2, 1, 2, return_indices=True),
                                       F.max_pool2d(g(image), [3, 2], 2, 1, 2, return_indices=True)):
                    close(here, there, 'with indices, channels inside')
                close(F.avg_pool2d(image, [2, 5], [2, 5]), F.avg_pool2d(g(image), [2, 5], [2, 5]), 'far apart, channels inside')
                close(F.adaptive_avg_pool2d(image, [4, 3]), F.adaptive_avg_pool2d(g(image), [4, 3]), 'adaptive, channels inside')
                close(F.adaptive_avg_pool2d(image, 1), F.adaptive_avg_pool2d(g(image), 1), 'one window, channels inside')
        close(F.avg_pool2d(clean[:, :, 1:], 3), F.avg_pool2d(g(clean)[:, :, 1:], 3), 'rows with gaps')
        count += 8
    print(count, 'pools')
