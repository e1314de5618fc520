# RUN: tsc-run %s --entry rows --compile eager --explain --args 'torch.arange(1006) %% 3 == 0, torch.arange(1006) %% 2 == 0' 2>&1 | FileCheck %s
# RUN: tsc-run %s --entry ends --compile eager --args 'torch.arange(200) %% 3 == 0, torch.arange(200) %% 2 == 0' 2>&1 | FileCheck %s --check-prefix=ENDS
import torch

# Truth values are computed a whole vector of bytes at a time, whatever is left at the end of a row.
# CHECK: 1 fusion groups; 0 operators beside them
# CHECK: tensor([ True, False, False,  ..., False, False,  True])
def rows(a, b):
    return (a & ~b) | (a == b) & a

# ENDS: True
def ends(a, b):
    right = True
    for n in range(1, 200):
        x, y = a[:n], b[:n]
        least = (x & ~y).long() - x.long() * (1 - y.long())
        other = ((x < y) ^ (x != y)).long() - (x.long() - x.long() * y.long())
        right = right and not bool(least.any()) and not bool(other.any())
    return right
