# Channels of lines that are convolved alone, whose last vector may begin among the columns of the one before, and transposed
# convolutions whose windows are two apart, of kernels with an even and an odd number of columns.
# RUN: tsc-run --seed 0 %s | FileCheck %s
# RUN: %if all-simd-levels && avx512 %{ env TSC_SIMD=v3 tsc-run --seed 0 %s | FileCheck %s %}
# RUN: %if all-simd-levels && avx512 %{ env TSC_SIMD=v2 tsc-run --seed 0 %s | FileCheck %s %}
import torch
import torch.nn.functional as F
from torch import Tensor


def far(found: Tensor, expected: Tensor) -> bool:
    return not bool((found.double() - expected).abs().max() < 1e-4)


def main():
    for n in [1, 5, 7, 8, 15, 16, 17, 31, 33, 40, 63, 64, 65, 72, 97, 100, 200, 900, 1100]:
        for k in [1, 3, 7]:
            for step in [1, 2]:
                x = torch.randn([2, 6, n])
                w = torch.randn([6, 1, k])
                b = torch.randn([6])
                expected = F.conv1d(x.double(), w.double(), b.double(), step, k // 2, 1, 6)
                if far(F.conv1d(x, w, b, step, k // 2, 1, 6), expected):
                    print("lines", n, k, step)
    for k in [2, 3, 4, 6]:
        for padding in [0, 1, 2, 3]:
            for n in [1, 2, 5, 9, 28]:
                if (n - 1) * 2 - 2 * padding + k < 1:
                    continue
                x = torch.randn([2, 3, n, n + 1])
                w = torch.randn([3, 2, k, k])
                expected = F.conv_transpose2d(x.to(torch.complex128), w.to(torch.complex128), None, 2, padding).real
                if far(F.conv_transpose2d(x, w, None, 2, padding), expected):
                    print("transposed", k, padding, n)
    x = torch.randn([2, 20, 5, 9, 11]).contiguous(memory_format=torch.channels_last_3d)
    w = torch.randn([20, 1, 3, 3, 3])
    for dilation in [1, 2]:
        expected = F.conv3d(x.double(), w.double(), None, [1, 2, 1], [2, 3, 2], [1, 1, dilation], 20)
        if far(F.conv3d(x, w, None, [1, 2, 1], [2, 3, 2], [1, 1, dilation], 20), expected):
            print("inside", dilation)
    # CHECK-NOT: {{lines|transposed|inside}}
    # CHECK: done
    print("done")


if __name__ == "__main__":
    main()
