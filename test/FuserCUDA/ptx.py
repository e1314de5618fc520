# REQUIRES: nvrtc
# RUN: tsc-run %s --print-kernels ptx --args 'torch.ones([4, 300]), torch.ones([300])' | FileCheck %s
import torch

# Products and sums are rounded each, and accesses are of 16 bytes.
# CHECK:     .target sm_90
# CHECK:     ld.global.v4.{{[bfu]}}32
# CHECK-NOT: fma
# CHECK:     st.global.v4.{{[bfu]}}32
def main(x, y):
    return x * y + x
