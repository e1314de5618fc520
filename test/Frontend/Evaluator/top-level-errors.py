# RUN: not tsc-run %s 2>&1 | FileCheck %s
import torch

x = torch.ones([3], requires_grad=True)
# CHECK: error: RuntimeError: grad can be implicitly created only for scalar outputs
# CHECK: File "{{.*}}top-level-errors.py", line [[# @LINE + 1]], in <module>
(x * 2).backward()
