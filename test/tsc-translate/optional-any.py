# Optional[Any] stays what it is: PyTorch takes `x is not None` as true where x is an Any.
# RUN: tsc-translate %s --entry f --to py | FileCheck %s
# RUN: tsc-translate %s --entry f -o %t.pt
# RUN: tsc-run %t.pt --args 'None' | FileCheck %s --check-prefix=NONE
# RUN: tsc-run %t.pt --args '3' | FileCheck %s --check-prefix=GIVEN
# RUN: tsc-translate %t.pt --to py | FileCheck %s
from typing import Any, Optional


# CHECK: Optional[Any]
def f(x: Optional[Any]) -> int:
    # NONE: 1
    # GIVEN: 2
    if x is not None:
        return 2
    return 1
