# REQUIRES: avx512
# RUN: tsc-run %s --compile eager --print-kernels llvm --entry much --args 'torch.ones([100])' | FileCheck --check-prefix=FOUR %s
# RUN: tsc-run %s --compile eager --print-kernels llvm --entry little --args 'torch.ones([100])' | FileCheck --check-prefix=TWO %s
import torch

# Where an element takes many steps, four vectors wait for each other; two are enough for the end of a row.
# FOUR:     element:
# FOUR:     load <64 x float>
# FOUR:     call <32 x float> @llvm.masked.load
# FOUR-NOT: call {{.*}}masked.load
def much(x):
    return torch.erf(x) * torch.exp(x)

# TWO:      element:
# TWO:      load <32 x float>
# TWO:      call <32 x float> @llvm.masked.load
def little(x):
    return x * 2 + 1
