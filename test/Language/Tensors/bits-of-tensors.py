# Operators on bits with a number on the left of a tensor: Python asks the tensor, TorchScript would make an int of it.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch


def main() -> None:
    i = torch.tensor([1, 2, 3])
    b = torch.tensor([[False, True], [False, False]])
    n = 3
    print(3 & i, n | i, n ^ i)
    print(3 << i, n >> i)
    print(n & b, True & b, True ^ i)
    print(3 & torch.tensor(2))


# CHECK: tensor([1, 2, 3]) tensor([3, 3, 3]) tensor([2, 1, 0])
# CHECK-NEXT: tensor([ 6, 12, 24]) tensor([1, 0, 0])
# CHECK-NEXT: tensor({{\[\[}}0, 1],
# CHECK-NEXT:         [0, 0]]) tensor({{\[\[}}False,  True],
# CHECK-NEXT:         [False, False]]) tensor([0, 3, 2])
# CHECK-NEXT: tensor(2)
