# What prints at its top was run when the file was loaded: without arguments there is nothing more to call.
# RUN: tsc-run %s | FileCheck %s
# RUN: tsc-run %s --args 'torch.ones([1, 2])' | FileCheck %s --check-prefixes=CHECK,CALL
import torch
from torch import nn

model = nn.Linear(2, 3)
nn.init.ones_(model.weight)
nn.init.zeros_(model.bias)
with torch.no_grad():
    # CHECK: tensor([3., 3., 3.])
    print(model(torch.tensor([1.0, 2.0])))
# CALL-NEXT: tensor({{\[\[}}2., 2., 2.]], requires_grad=True)
# CHECK-NOT: {{.}}
