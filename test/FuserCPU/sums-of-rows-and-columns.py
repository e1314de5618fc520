# What is computed from sums of rows, and what from sums of columns, are a nest each, and there is no third one.
#
# RUN: env XDG_CACHE_HOME=%t tsc-run --compile eager --explain %s --entry scaled_sums \
# RUN:   --args 'torch.arange(500) * 1e-3, torch.arange(900) * 1e-3' 2>&1 | FileCheck %s
# CHECK: kernels: {{.*}} 2 runs
import torch
from torch import Tensor


def scaled_sums(a: Tensor, b: Tensor):
    m = torch.exp(a.unsqueeze(1) * b)
    return m.sum(1) * a, m.sum(0) * b
