# RUN: tsc-run %s --compile off | FileCheck %s
# RUN: %exits 1 tsc-run %s --entry summed --compile off 2>&1 | FileCheck %s --check-prefix=SUMMED
# RUN: tsc-run %s --entry shown --compile off | FileCheck %s --check-prefix=SHOWN
import torch

# A plain tensor is none whose channels lie in blocks, whatever its sizes and strides; one that is comes back as it was.
# CHECK: torch.Size([1, 2, 3, 3, 16, 5])
# CHECK: True
def main():
    plain = torch.rand([1, 2, 3, 3, 16, 1]).expand([1, 2, 3, 3, 16, 5])
    print(torch.ops.tsc.from_blocked(plain).shape)
    image = torch.rand([2, 21, 3, 5])
    print(bool((torch.ops.tsc.from_blocked(torch.ops.tsc.to_blocked(image)) == image).all()))

# Operators that know nothing of blocks refuse them.
# SUMMED: error:
def summed():
    return torch.ops.tsc.to_blocked(torch.rand([1, 16, 2, 2])).sum()

# SHOWN: torch.Size([1, 16, 2, 2]) 4
def shown():
    x = torch.ops.tsc.to_blocked(torch.rand([1, 16, 2, 2]))
    print(x.shape, x.dim())
