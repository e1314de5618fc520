# RUN: tsc-run %s --compile eager --bench 3 --pass-remarks-missed fuse --args 'torch.ones([2, 4, 3]).half(), torch.ones([4]).half()' 2>&1 | FileCheck %s
# RUN: tsc-run %s --compile eager --pass-remarks-missed fuse --args 'torch.ones([2, 3, 4]).transpose(1, 2), torch.ones([4])' 2>&1 | FileCheck %s --check-prefix=FINE --implicit-check-not=remark
import torch
import torch.nn.functional as F

# group_norm of half types computes in float: it is left to the plain nodes, and its group with it. That is said once.
# CHECK:     refused.py:[[#@LINE+5]]:12: remark: 'aten::add' its group runs as plain nodes: there is no code for operands of these dtypes or layouts [fuse, missed]
# CHECK-NOT: remark
# FINE:      tensor(
def main(x, w):
    y = F.group_norm(torch.relu(x), 2, w)
    return y * 2.0 + 1.0
