# Many processes compile the same kernels at once into one folder; all are right, and the next one finds what they wrote.
# RUN: rm -rf %t && mkdir %t
# RUN: sh -c 'for i in 1 2 3 4 5 6; do XDG_CACHE_HOME=%t tsc-run %s --args "torch.ones([3])" --compile=eager >%t/$i.out & done; wait'
# RUN: cat %t/1.out %t/2.out %t/3.out %t/4.out %t/5.out %t/6.out | FileCheck --check-prefix=RESULTS %s
# RUN: env XDG_CACHE_HOME=%t tsc-run %s --args 'torch.ones([3])' --compile=eager --explain 2>&1 | FileCheck --check-prefix=HOT %s
# RESULTS-COUNT-6: 0.7616
# HOT: kernels: 0 compiled in {{.*}}, 1 from the disk cache, 1 runs, 0 calls left to the plain nodes

# When the budget for compiling is spent, kernels come from the disk alone.
# RUN: env XDG_CACHE_HOME=%t tsc-run %s --args 'torch.ones([3])' --compile=eager --compile-budget=0 --explain 2>&1 | FileCheck --check-prefix=HOT %s
# RUN: env XDG_CACHE_HOME=%t/none tsc-run %s --args 'torch.ones([3])' --compile=eager --compile-budget=0 --explain 2>&1 | FileCheck --check-prefix=BUDGET %s
# BUDGET-DAG: 0.7616
# BUDGET-DAG: kernels: 0 compiled in {{.*}}, 0 from the disk cache, 0 runs, 1 calls left to the plain nodes

# A folder that cannot be written, or is none, costs the cache and nothing else.
# RUN: env XDG_CACHE_HOME=%t/1.out tsc-run %s --args 'torch.ones([3])' --compile=eager | FileCheck --check-prefix=RESULTS-1 %s
# RESULTS-1: 0.7616

# So does a file system that takes no more; nothing is left behind.
# RUN: sh -c 'ulimit -f 1; XDG_CACHE_HOME=%t/small tsc-run %s --args "torch.ones([3])" --compile=eager' | FileCheck --check-prefix=RESULTS-1 %s
# RUN: find %t/small -name 'new-*' | count 0

# A folder that is not absolute is none.
# RUN: mkdir %t/here && cd %t/here && env XDG_CACHE_HOME=relative HOME=%t/home tsc-run %s --args 'torch.ones([3])' --compile=eager | FileCheck --check-prefix=RESULTS-1 %s
# RUN: env XDG_CACHE_HOME= HOME=%t/home tsc-run %s --args 'torch.ones([3])' --compile=eager --explain 2>&1 | FileCheck --check-prefix=HOT %s
# RUN: test ! -e %t/here/relative && test -d %t/home/.cache/tsc/kernels
import torch


def main(x: torch.Tensor) -> torch.Tensor:
    return torch.tanh(x * 0.5 + 0.5)[0]
