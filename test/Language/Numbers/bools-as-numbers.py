# A bool stands where a number is expected, as in Python: in calls of PyTorch's functions it keeps its part in dtypes. An int that a
# call wants, as a dimension, is no bool there either.
# RUN: split-file %s %t
# RUN: %all_modes tsc-run %t/program.py | FileCheck %s --match-full-lines
# RUN: %exits 2 tsc-run %t/dimension.py 2>&1 | FileCheck %s --check-prefix=DIMENSION
# DIMENSION: dimension.py:5:{{[0-9]+}}: error: 'sum' takes an Optional[List[int]] as 'dim', and a bool was given

#--- program.py
import torch


def main():
    x, flag = torch.tensor([2, 1]), True
    # CHECK: tensor([2, 1]) tensor([True, True]) tensor([True, True]) tensor([2, 1])
    print(torch.mul(x, flag), torch.add(x > 1, True), torch.full([2], flag), x.pow(True))
    # CHECK-NEXT: tensor([1, 1]) tensor([ True, False]) tensor([2, 1]) tensor([False, True])
    print(torch.full_like(x, True), torch.where(x > 1, True, False), x.clamp(min=True), torch.eq(x, True))
    # CHECK-NEXT: tensor([1, 1]) tensor(True) tensor([1, 1])
    print(torch.masked_fill(x, x > 1, flag), torch.full([], True), x.clone().fill_(True))
    # CHECK-NEXT: 1 0 1
    print(abs(True), abs(len(x) > 5), abs(False) + 1)


if __name__ == "__main__":
    main()

#--- dimension.py
import torch


def main():
    return torch.sum(torch.ones(2, 2), True)
