# RUN: tsc-run %s --compile eager --print-kernels llvm --tune icelake-server --args 'torch.ones([4, 300])' | FileCheck %s
# RUN: tsc-run %s --compile eager --print-kernels llvm --tune znver4 --args 'torch.ones([4, 300])' | FileCheck %s
# RUN: tsc-run %s --compile eager --print-kernels llvm --tune znver4 --entry once --args 'torch.ones([4, 300])' | FileCheck --check-prefix=ZEN %s
# RUN: tsc-run %s --compile eager --print-kernels llvm --tune icelake-server --entry once --args 'torch.ones([4, 300])' | FileCheck --check-prefix=AHEAD %s
# RUN: tsc-run %s --compile eager --print-kernels llvm --tune znver4 --entry blocks --args 'torch.ones([4, 3, 300])' | FileCheck --check-prefix=BLOCKS %s
# RUN: tsc-run %s --compile eager --print-kernels llvm --tune znver4 --entry more --args 'torch.ones([4, 3, 300])' | FileCheck --check-prefix=MORE %s
# RUN: tsc-run %s --compile eager --tune nonesuch --args 'torch.ones([4, 300])' 2>&1 >/dev/null | FileCheck --check-prefix=UNKNOWN %s
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
# UNKNOWN:    tsc-run: warning: LLVM knows no processor 'nonesuch' to tune kernels for
# UNKNOWN-NOT: warning
def forward(x):
    return torch.softmax(x * 2, -1)

# What is walked once is left to processors that fetch beyond a page by themselves.
# ZEN-NOT:    @llvm.prefetch
# ZEN:        ret void
# AHEAD:      call void @llvm.prefetch
def once(x):
    return x * 2 + 1

# But where nothing is written and little computed, a kernel fetches into the second cache when its caller says that the
# inputs come from memory. The end of a block, under a mask, does not.
# BLOCKS:      element:
# BLOCKS-NEXT: %i = phi
# BLOCKS:      %[[ASKED:[0-9]+]] = icmp ne i64 %7, 0
# BLOCKS-NEXT: br i1 %[[ASKED]], label %ahead, label %fetched
# BLOCKS:      {{^}}ahead:
# BLOCKS:      call void @llvm.prefetch.p0(ptr %{{[0-9]+}}, i32 0, i32 2, i32 1)
# BLOCKS:      {{^}}fetched:
# BLOCKS-NOT:  call void @llvm.prefetch
# BLOCKS:      declare void @llvm.prefetch
def blocks(x):
    return (x * x).sum([0, 2])

# MORE-NOT: @llvm.prefetch
# MORE:     ret void
# MORE-NOT: @llvm.prefetch
def more(x):
    return torch.tanh(x).sum([0, 2])
