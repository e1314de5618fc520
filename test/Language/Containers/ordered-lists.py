# Lists and tuples are ordered by their first difference, also where a file is run.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x


if __name__ == "__main__":
    net = Net()
    # CHECK: True False True True
    print([1, 2] < [1, 3], [2] < [1, 5], [1] < [1, 0], [[1], [2]] <= [[1], [2]])
    # CHECK-NEXT: True True False
    print((1, "b") > (1, "a"), ["a", "c"] >= ["a", "b"], (1, 2) < (1, 2))
    # CHECK-NEXT: [1] [3, 1] {{\[\[}}1, 2], [1, 3], [2]]
    print(min([3, 1], [1]), max([3, 1], [1]), sorted([[2], [1, 3], [1, 2]]))
    try:
        print([1] < ["a"])
    except TypeError as e:
        # CHECK-NEXT: '<' not supported between instances of 'int' and 'str'
        print(e)
