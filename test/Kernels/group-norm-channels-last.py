# Groups of an image whose channels lie innermost are normalized as they lie, with the bits that rows have: blocks of sums that
# end within a channel or go over two, with every instruction set and number of threads.
# RUN: tsc-run --seed 0 %s | FileCheck %s
# RUN: tsc-run --seed 0 --threads 3 %s | FileCheck %s
# RUN: %if all-simd-levels && avx512 %{ env TSC_SIMD=v3 tsc-run --seed 0 %s | FileCheck %s %}
# RUN: %if all-simd-levels && avx512 %{ env TSC_SIMD=v2 tsc-run --seed 0 %s | FileCheck %s %}
import torch
import torch.nn.functional as F
from torch import Tensor


def check(x: Tensor, groups: int):
    inside = x.contiguous(memory_format=torch.channels_last)
    w = torch.rand([x.size(1)], dtype=x.dtype)
    b = torch.rand([x.size(1)], dtype=x.dtype)
    places = x.size(2) * x.size(3)
    of_rows = torch.native_group_norm(x, w, b, x.size(0), x.size(1), places, groups, 1e-5)
    found = torch.native_group_norm(inside, w, b, x.size(0), x.size(1), places, groups, 1e-5)
    assert found[0].is_contiguous(memory_format=torch.channels_last)
    same = torch.equal(of_rows[0], found[0]) and torch.equal(of_rows[1], found[1]) and torch.equal(of_rows[2], found[2])
    same = same and torch.equal(F.group_norm(x, groups), F.group_norm(inside, groups))
    # CHECK-COUNT-9: True
    print(same and torch.equal(F.group_norm(x, groups, None, b), F.group_norm(inside, groups, None, b)))


def main():
    check(torch.randn([2, 64, 56, 56]), 8)
    check(torch.randn([2, 6, 32, 32]), 2)  # one block a channel
    check(torch.randn([2, 6, 33, 37]), 2)
    check(torch.randn([3, 5, 41, 57]), 1)
    check(torch.randn([3, 5, 41, 57]), 5)
    check(torch.randn([3, 20, 41, 57], dtype=torch.double), 4)
    check(torch.randn([1, 24, 5, 205]) + 3, 3)
    check(torch.randn([3, 20, 10, 7]), 4)  # blocks of many channels
    check(torch.randn([2, 20, 33, 35]).half(), 4)


if __name__ == "__main__":
    main()
