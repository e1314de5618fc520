# --all-overloads: an error in a function is followed by who called it, up to the function that was asked for.
# RUN: %exits 2 tsc-run --check-only --all-overloads %s 2>&1 | FileCheck --strict-whitespace --match-full-lines %s
# CHECK:{{.*}}all-callers.py:[[# @LINE+18]]:12: error: {{.*}}
# CHECK:{{.*}}all-callers.py:[[# @LINE+13]]:12: note: 'inner' is being compiled since it was called from 'middle'
# CHECK-NEXT:    return inner(x)
# CHECK-NEXT:           ^~~~~~~~
# CHECK-NEXT:{{.*}}all-callers.py:[[# @LINE+6]]:12: note: 'middle' is being compiled since it was called from 'outer'
# CHECK-NEXT:    return middle(x)
# CHECK-NEXT:           ^~~~~~~~~


def outer(x):
    return middle(x)


def middle(x):
    return inner(x)


def inner(x):
    return "a" - x
