# What Python raises a TypeError for, and PyTorch's overloads would take.
# RUN: not tsc-run --check-only %s 2>&1 | FileCheck %s
import math
from typing import List, Optional


def numbers(z: complex, n: int, x: float) -> None:
    # CHECK: :[[#@LINE+1]]:11: error: '<' is not defined for float and complex
    print(x < z)
    # CHECK: :[[#@LINE+1]]:11: error: '%' is not defined for complex and int
    print(z % n)
    # CHECK: :[[#@LINE+1]]:11: error: float() takes a real number or a text, not a complex number; .real is its real part
    print(float(z))
    # CHECK: :[[#@LINE+1]]:11: error: math.sin() takes a real number or a text, not a complex number; .real is its real part
    print(math.sin(z))
    # CHECK: :[[#@LINE+1]]:11: error: {{.*}}int{{.*}} object is not iterable
    print(sum(n))
    # CHECK: :[[#@LINE+1]]:11: error: {{.*}}float{{.*}} object is not iterable
    print(any(x))
    # CHECK: :[[#@LINE+1]]:11: error: {{.*}}int{{.*}} object is not iterable
    print(max(n))


def elements(n: Optional[int]) -> None:
    held: List[int] = [1]
    # CHECK: :[[#@LINE+2]]:5: error: {{.*}}append
    # CHECK-NEXT: Expected a value of type 'int' for argument 'el' but instead found type 'NoneType'.
    held.append(None)
    # CHECK: :[[#@LINE+2]]:5: error: {{.*}}insert
    # CHECK-NEXT: Expected a value of type 'int' for argument 'el' but instead found type 'Optional[int]'.
    held.insert(0, n)
