# The value of `and` and `or` is that of an operand.
# RUN: tsc-run %s --entry values --args '0, "", torch.jit.annotate(List[int], []), False, None' -O0 | FileCheck --check-prefix=FALSE %s
# RUN: tsc-run %s --entry values --args '0, "", torch.jit.annotate(List[int], []), False, None' -O1 | FileCheck --check-prefix=FALSE %s
# RUN: tsc-run %s --entry values --args '0, "", torch.jit.annotate(List[int], []), False, None' -O2 --compile=eager | FileCheck --check-prefix=FALSE %s
# RUN: tsc-run %s --entry values --args '0, "", torch.jit.annotate(List[int], []), False, None' -O3 --compile=eager | FileCheck --check-prefix=FALSE %s
# FALSE: (5, 'no', 'empty', [1], 0, 3, 9, 11, False, 'small', '?')
# RUN: tsc-run %s --entry values --args '4, "ab", [3], True, 5' -O0 | FileCheck --check-prefix=TRUE %s
# RUN: tsc-run %s --entry values --args '4, "ab", [3], True, 5' -O1 | FileCheck --check-prefix=TRUE %s
# RUN: tsc-run %s --entry values --args '4, "ab", [3], True, 5' -O2 --compile=eager | FileCheck --check-prefix=TRUE %s
# RUN: tsc-run %s --entry values --args '4, "ab", [3], True, 5' -O3 --compile=eager | FileCheck --check-prefix=TRUE %s
# TRUE: (4, 'yes', 'ab', [3], 7, 5, 4, 1, True, 'ab', 'a')
# RUN: tsc-run %s --entry floats --args 'True, 0.0' -O0 | FileCheck --check-prefix=FLOATS %s
# RUN: tsc-run %s --entry floats --args 'True, 0.0' -O1 | FileCheck --check-prefix=FLOATS %s
# RUN: tsc-run %s --entry floats --args 'True, 0.0' -O2 --compile=eager | FileCheck --check-prefix=FLOATS %s
# RUN: tsc-run %s --entry floats --args 'True, 0.0' -O3 --compile=eager | FileCheck --check-prefix=FLOATS %s
# FLOATS: 2.0
# RUN: tsc-run %s --entry tensors --args 'torch.zeros([1]), torch.ones([1])' -O0 | FileCheck --check-prefix=TENSORS %s
# RUN: tsc-run %s --entry tensors --args 'torch.zeros([1]), torch.ones([1])' -O1 | FileCheck --check-prefix=TENSORS %s
# RUN: tsc-run %s --entry tensors --args 'torch.zeros([1]), torch.ones([1])' -O2 --compile=eager | FileCheck --check-prefix=TENSORS %s
# RUN: tsc-run %s --entry tensors --args 'torch.zeros([1]), torch.ones([1])' -O3 --compile=eager | FileCheck --check-prefix=TENSORS %s
# TENSORS: (tensor([1.]), tensor([0.]))
from typing import List, Optional


def values(a: int, s: str, l: List[int], c: bool, o: Optional[int]):
    return (a or 5, c and "yes" or "no", s or "empty", l or [1], a and 7, o or 3, a or a or 9, len(l) or a or 11,
            c and a > 3, a > 3 and s or "small", s and s[0] or "?")


def floats(c: bool, x: float):
    return c and x or 2.0


def tensors(x, y):
    return x or y, x and y
