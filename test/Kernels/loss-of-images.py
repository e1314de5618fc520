# The cross entropy of images computes the logarithms that targets ask for, which are those of log_softmax, bit for bit.
# RUN: tsc-run --seed 0 %s | FileCheck %s
# RUN: %if all-simd-levels && avx512 %{ env TSC_SIMD=v3 tsc-run --seed 0 %s | FileCheck %s %}
# RUN: %if all-simd-levels && avx512 %{ env TSC_SIMD=v2 tsc-run --seed 0 %s | FileCheck %s %}
# RUN: not tsc-run --entry outside %s 2>&1 | FileCheck %s --check-prefix=OUTSIDE
import torch
import torch.nn.functional as F
from torch import Tensor


def check(x: Tensor):
    t = torch.randint(x.size(1), [x.size(0)] + list(x.size())[2:])
    t[0, 0] = -100
    w = torch.rand([x.size(1)], dtype=x.dtype)
    logs = F.log_softmax(x, 1)
    same = torch.equal(F.cross_entropy(x, t, reduction="none"), F.nll_loss(logs, t, reduction="none"))
    same = same and torch.equal(F.cross_entropy(x, t), F.nll_loss(logs, t))
    # CHECK-COUNT-6: True
    print(same and torch.equal(F.cross_entropy(x, t, w, reduction="sum"), F.nll_loss(logs, t, w, reduction="sum")))


def main():
    check(torch.randn([2, 21, 9, 11]))
    check(torch.randn([2, 21, 9, 11], dtype=torch.double))
    check(torch.randn([1, 3, 7]))
    check(torch.randn([2, 70, 40]))  # more classes than stay beside each other
    check(torch.randn([1, 1100, 3, 3]))  # several blocks of a sum
    check(torch.randn([2, 5, 4, 6]).transpose(2, 3))
    bad = torch.randn([1, 3, 2, 2])
    bad[0, 1, 0, 0] = float("nan")
    bad[0, 2, 0, 1] = float("inf")
    # CHECK-NEXT: tensor({{\[\[\[}} True,  True],
    # CHECK-NEXT: [False, False]]])
    print(F.cross_entropy(bad, torch.zeros([1, 2, 2], dtype=torch.long), reduction="none").isfinite().logical_not())


# OUTSIDE: Target 3 is out of bounds.
def outside():
    print(F.cross_entropy(torch.randn([1, 3, 2]), torch.tensor([[0, 3]])))


if __name__ == "__main__":
    main()
