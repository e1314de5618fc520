# Limits hold in every tier, whatever it is that takes steps, memory or output.
# UNSUPPORTED: emulator
# RUN: %python %S/Inputs/check_limits.py tsc-run %S/Inputs/endless.py
# Appending to a text takes as long as what is appended.
# RUN: tsc-run --max-steps 1001000 %S/Inputs/endless.py --entry written | FileCheck --check-prefix=WRITTEN %s
# RUN: tsc-run --max-steps 1001000 -O0 %S/Inputs/endless.py --entry written | FileCheck --check-prefix=WRITTEN %s
# WRITTEN: 1000000
# A tensor has no more dimensions than PyTorch's.
# RUN: %exits 1 tsc-run %S/Inputs/endless.py --entry ranks 2>&1 | FileCheck --check-prefix=RANKS %s
# RANKS: only tensors with up to 64 dims are supported
# A program of another size is let go on.
# RUN: not tsc-run --max-memory 64M --max-steps 100K --max-output 1K %s 2>&1 | FileCheck --check-prefix=STEPS %s
# STEPS: error: option '--max-steps' takes N, not '100K'
# RUN: tsc-run --max-memory 64M --max-steps 100000 --max-depth 4 --max-output 1K %S/Inputs/endless.py --entry modest | FileCheck %s
# CHECK: done
# CHECK: 101

# RUN: not tsc-run --max-memory 12Q %s 2>&1 | FileCheck --check-prefix=UNIT %s
# UNIT: error: option '--max-memory' takes BYTES, not '12Q'
# RUN: not tsc-run --max-memory 99999999999999999999 %s 2>&1 | FileCheck --check-prefix=HUGE %s
# HUGE: error: option '--max-memory' takes BYTES
# RUN: not tsc-run --max-memory 999999999T %s 2>&1 | FileCheck --check-prefix=HUGE %s
# RUN: not tsc-run --max-depth 0 %s 2>&1 | FileCheck --check-prefix=DEPTH %s
# DEPTH: error: option '--max-depth' takes N, not '0'
# RUN: not tsc-run --max-output= %s 2>&1 | FileCheck --check-prefix=OUTPUT %s
# OUTPUT: error: option '--max-output' takes BYTES, not ''
