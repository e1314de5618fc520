# RUN: tsc-run %s --compile eager --print-kernels llvm --args 'torch.ones([4, 300])' | FileCheck %s
import torch

# The walk that computes most fetches what the first one will read, a row ahead, or a page if rows are shorter.
# CHECK:      entry:
# CHECK:      call i64 @llvm.smax.i64(i64 %{{.*}}, i64 4096)
# CHECK-NOT:  call void @llvm.prefetch
# CHECK:      fcmp ogt
# CHECK-NOT:  @llvm.fma
# CHECK:      call void @llvm.prefetch
# CHECK:      @llvm.fma
# CHECK-NOT:  call void @llvm.prefetch
# CHECK:      ret void
def forward(x):
    return torch.softmax(x * 2, -1)
