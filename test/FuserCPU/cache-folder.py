# Kernels are kept where nobody else can put code. Where somebody could, nothing is read or written, which is said once.
# RUN: rm -rf %t && mkdir -p %t/safe %t/parent
# RUN: env XDG_CACHE_HOME=%t/safe tsc-run %s --args 'torch.ones([3])' --compile=eager --explain 2>&1 | FileCheck --check-prefix=MADE %s
# RUN: env XDG_CACHE_HOME=%t/safe tsc-run %s --args 'torch.ones([3])' --compile=eager --explain 2>&1 | FileCheck --check-prefix=FOUND %s
# MADE-NOT: warning
# MADE: kernels: 1 compiled in {{.*}}, 0 from the disk cache
# FOUND-NOT: warning
# FOUND: kernels: 0 compiled in {{.*}}, 1 from the disk cache

# RUN: chmod 777 %t/safe/tsc
# RUN: env XDG_CACHE_HOME=%t/safe tsc-run %s --args 'torch.ones([3])' --entry twice --compile=eager --explain 2>&1 | FileCheck --check-prefix=UNSAFE %s
# UNSAFE: tsc-run: warning: kernels are not kept in '{{.*}}/safe/tsc/kernels', where others could put code: '{{.*}}/safe/tsc' can be written to by other users
# UNSAFE-NOT: warning
# UNSAFE: kernels: 2 compiled in {{.*}}, 0 from the disk cache
# RUN: chmod 755 %t/safe/tsc

# A key that others may have read is replaced, and with it all that was made under it.
# RUN: chmod 644 %t/safe/tsc/kernels/key
# RUN: env XDG_CACHE_HOME=%t/safe tsc-run %s --args 'torch.ones([3])' --compile=eager --explain 2>&1 | FileCheck --check-prefix=MADE %s
# RUN: env XDG_CACHE_HOME=%t/safe tsc-run %s --args 'torch.ones([3])' --compile=eager --explain 2>&1 | FileCheck --check-prefix=FOUND %s

# Kernels of another folder of the same user's are no kernels of this one.
# RUN: env XDG_CACHE_HOME=%t/parent tsc-run %s --args 'torch.ones([3])' --compile=eager --explain 2>&1 | FileCheck --check-prefix=MADE %s
# RUN: sh -c 'cd %t/parent/tsc/kernels && for name in ????????????????????????????????; do cp $name %t/safe/tsc/kernels/; done'
# RUN: env XDG_CACHE_HOME=%t/safe tsc-run %s --args 'torch.ones([3])' --compile=eager --explain 2>&1 | FileCheck --check-prefix=MADE %s
import torch


def main(x: torch.Tensor) -> torch.Tensor:
    return torch.tanh(x * 0.5 + 0.5)[0]


def twice(x: torch.Tensor) -> torch.Tensor:
    y = torch.tanh(x * 0.5 + 0.5)
    print(y[0])
    return torch.sigmoid(y.view(3, 1).expand(3, 3).contiguous() * 2)
