# A file of functions whose main block is run, as Python runs it; another entry leaves it alone.
# RUN: tsc-run %s | FileCheck %s
# RUN: tsc-run %s --entry twice --args 4 | FileCheck %s --check-prefix=ENTRY
# RUN: not tsc-run %s --args 4 2>&1 | FileCheck %s --check-prefix=ARGS
# RUN: sed 's/twice(i)/twyce(i)/' %s > %t.py && not tsc-run %t.py 2>&1 | FileCheck %s --check-prefix=WRONG
import torch

SCALE = 3


def twice(x: int) -> int:
    return x * 2


def scaled(x: torch.Tensor) -> torch.Tensor:
    return x * SCALE


if __name__ == "__main__":
    total = 0
    for i in range(4):
        total += twice(i)
    print("total", total)
    print(scaled(torch.ones([2])))

# CHECK: total 12
# CHECK-NEXT: tensor([3., 3.])
# ENTRY: {{^}}8{{$}}
# ENTRY-NOT: total
# ARGS: error: 'if __name__ == "__main__":' of {{.*}} takes no arguments: name the function that does
# WRONG: main-block.py.tmp.py:22:18: error: NameError: name 'twyce' is not defined
# WRONG-NEXT:     total += twyce(i)
# WRONG-NEXT:              ^~~~~
