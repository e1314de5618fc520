# Nothing that a program says of sizes, strides and offsets lets it read or write outside of a tensor's memory, or ask for
# more memory than numbers can count. Each function says in one call what is wrong; the check at the end tells of those
# that gave a value.
# RUN: %python %S/Inputs/check_refused.py tsc-run %S/Inputs/out_of_bounds.py

# There is no operator that maps a file.
# RUN: echo 'def f():' > %t.py
# RUN: echo '    return torch.from_file("/etc/passwd", False, 10)' >> %t.py
# RUN: not tsc-run %t.py 2>&1 | FileCheck %s
# CHECK: error: module 'torch' has no attribute 'from_file'
