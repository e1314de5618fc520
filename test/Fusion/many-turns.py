# Whether an operator becomes a part of a group is found by running its definition on what is known. Where an operand asks for
# billions of turns of a loop, that ends soon, and the operator runs as it is written, within its limits.
# RUN: not timeout 60 tsc-run %s --compile eager --max-steps 20000 --args 'torch.ones([3])' 2>&1 | FileCheck %s
# CHECK: the program exceeded its limit of steps
import torch


def forward(x):
    return torch.ops.aten._ncf_unsqueeze(x, 4294967296)
