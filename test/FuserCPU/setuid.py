# REQUIRES: root
# UNSUPPORTED: sanitizer, emulator
# A program that runs with other rights than those of who started it takes no code from where the environment says, which
# the same user's own process does.
# RUN: rm -rf %t && mkdir -p %t/cache && chown 12345:12345 %t/cache && chmod 700 %t/cache
# RUN: %python %S/Inputs/copy_program.py tsc-run %t/plain %t/setuid 12345
# RUN: env XDG_CACHE_HOME=%t/cache HOME=%t/cache %t/setuid %s --args 'torch.ones([3])' --compile=eager --explain 2>&1 | FileCheck %s
# RUN: test ! -e %t/cache/tsc && test ! -e %t/cache/.cache
# RUN: env XDG_CACHE_HOME=%t/cache %python -c "import os, sys; os.setgid(12345); os.setuid(12345); os.execv(sys.argv[1], sys.argv[1:])" %t/plain %s --args 'torch.ones([3])' --compile=eager --explain 2>&1 | FileCheck %s
# RUN: test -e %t/cache/tsc/kernels/key
# CHECK-NOT: warning
# CHECK: kernels: 1 compiled in {{.*}}, 0 from the disk cache
import torch


def main(x: torch.Tensor) -> torch.Tensor:
    return torch.tanh(x * 0.5 + 0.5)[0]
