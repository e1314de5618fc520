# RUN: %exits 1 tsc-run %s --entry wider 2>&1 -O0 | FileCheck %s --check-prefix=WIDER
# RUN: %exits 1 tsc-run %s --entry wider 2>&1 --compile eager | FileCheck %s --check-prefix=WIDER
# RUN: %exits 1 tsc-run %s --entry truncated 2>&1 -O0 | FileCheck %s --check-prefix=TRUNCATED
# RUN: %exits 1 tsc-run %s --entry truncated 2>&1 --compile eager | FileCheck %s --check-prefix=TRUNCATED
# RUN: %exits 1 tsc-run %s --entry by_number 2>&1 -O0 | FileCheck %s --check-prefix=NUMBER
# RUN: %exits 1 tsc-run %s --entry by_number 2>&1 --compile eager | FileCheck %s --check-prefix=NUMBER
# RUN: %exits 1 tsc-run %s --entry later 2>&1 --compile eager | FileCheck %s --check-prefix=LATER
# RUN: tsc-run %s --entry held --compile eager --explain --args 'torch.ones([3, 4]), torch.arange(4.)' 2>&1 | FileCheck %s --check-prefix=HELD
# RUN: tsc-run %s --entry compared --compile eager --args 'torch.arange(4.)' | FileCheck %s --check-prefix=COMPARED
# RUN: tsc-run %s --entry compared -O0 --args 'torch.arange(4.)' | FileCheck %s --check-prefix=COMPARED
# RUN: tsc-run %s --entry itself --compile eager --args 'torch.ones([2]), torch.ones([2])' | FileCheck %s --check-prefix=ITSELF
# RUN: tsc-run %s --entry itself -O0 --args 'torch.ones([2]), torch.ones([2])' | FileCheck %s --check-prefix=ITSELF
import torch

# An in-place operator refuses what its tensor cannot hold, also where it is computed without writing.
def accumulate(x, w):
    y = x * 2
    y.add_(w)
    return y

# WIDER: RuntimeError: output with shape [4] doesn't match the broadcast shape [2, 4]
# WIDER: in-place.py", line {{[0-9]+}}, in accumulate
# WIDER:     y.add_(w)
def wider():
    return accumulate(torch.ones([4]), torch.ones([2, 4]))

# TRUNCATED: RuntimeError: result type Float can't be cast to the desired output type Long
# TRUNCATED:     y.add_(w)
def truncated():
    return accumulate(torch.ones([4], dtype=torch.long), torch.ones([4]))

# NUMBER: RuntimeError: result type Float can't be cast to the desired output type Int
# NUMBER:     x.add_(1).mul_(0.5)
def by_number():
    x = torch.ones([4], dtype=torch.int)
    x.add_(1).mul_(0.5)
    return x

# A plan that a right call made does not hide it.
# LATER: 1
# LATER: RuntimeError: output with shape [1, 4] doesn't match the broadcast shape [2, 4]
def later():
    print(accumulate(torch.ones([2, 4]), torch.ones([2, 4])).dim() - 1)
    return accumulate(torch.ones([1, 4]), torch.ones([2, 4]))

# The check costs no operator of its own.
# HELD: fusion group: aten::mul, aten::add, tsc::written, aten::tanh
# HELD: 1 fusion groups; 0 operators beside them
# HELD: 1 runs, 0 calls left to the plain nodes
def held(x, w):
    y = x * 2
    y.add_(w)
    return y.tanh_()

# COMPARED: tensor([1., 0., 0., 0.], dtype=torch.float64)
def compared(x):
    y = x.to(torch.float64) + 0
    return y.lt_(torch.ones([4]))

# A cast to the same dtype gives the tensor itself, also at the end of two, and what is written to it is seen.
# ITSELF: tensor([3., 3.]), tensor([2., 2.])
def itself(x, y):
    z = y * 2
    same = x.to(torch.float32).to(torch.float32)
    same.add_(2)
    return x, z
