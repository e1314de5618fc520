# --pass-remarks tells at the lines of the source what passes did, and --pass-remarks-missed what they did not.
# RUN: tsc-run %s --args 'torch.ones([4, 4])' --pass-remarks fuse --pass-remarks-missed fuse 2>&1 >/dev/null | FileCheck %s
# RUN: tsc-run %s --entry alone --args 'torch.ones([4, 4])' --pass-remarks-missed fuse 2>&1 >/dev/null | FileCheck --check-prefix=MISSED %s
# RUN: not tsc-run %s --args 'torch.ones([4, 4])' --pass-remarks '(' 2>&1 | FileCheck --check-prefix=PATTERN %s
# PATTERN: error: option '--pass-remarks' takes REGEX, not '('
import torch


# CHECK-DAG: remarks.py:[[# @LINE + 2]]:{{[0-9]+}}: remark: {{.*}} [fuse]
def main(x: torch.Tensor):
    return torch.relu(x * 2 + 1)


# MISSED: remarks.py:[[# @LINE + 2]]:{{[0-9]+}}: remark: {{.*}}not fused: {{.*}} [fuse, missed]
def alone(x: torch.Tensor):
    return torch.relu(x)
