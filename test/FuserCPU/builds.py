# Kernels on disk are for one build, whichever way the program was found; another build makes its own.
# REQUIRES: tsc-run
# UNSUPPORTED: emulator
# RUN: rm -rf %t && mkdir -p %t/one %t/other
# RUN: cp %build_dir/bin/tsc-run %t/one/runner
# RUN: %python %S/Inputs/change_build_id.py %t/one/runner %t/other/runner
# RUN: env XDG_CACHE_HOME=%t/cache sh -c 'PATH=%t/one; runner %s --args "torch.ones([100])" --explain' 2>&1 | FileCheck --check-prefix=MADE %s
# RUN: env XDG_CACHE_HOME=%t/cache sh -c 'PATH=%t/other; runner %s --args "torch.ones([100])" --explain' 2>&1 | FileCheck --check-prefix=MADE %s
# RUN: env XDG_CACHE_HOME=%t/cache sh -c 'PATH=%t/one; runner %s --args "torch.ones([100])" --explain' 2>&1 | FileCheck --check-prefix=FOUND %s
# RUN: env XDG_CACHE_HOME=%t/cache %t/one/runner %s --args 'torch.ones([100])' --explain 2>&1 | FileCheck --check-prefix=FOUND %s
# RUN: rm -r %t/one %t/other
# MADE:  kernels: 1 compiled in {{.*}}, 0 from the disk cache
# FOUND: kernels: 0 compiled in {{.*}}, 1 from the disk cache
import torch


def main(x: torch.Tensor):
    return torch.relu(x * 2 + 1)
