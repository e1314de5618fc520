# An error that passes a `try` says where it was raised, and not where the `try` stands.
# RUN: not tsc-run %s --entry passes 2>&1 | FileCheck --check-prefix=ALL %s
# RUN: not tsc-run %s --entry raised_again 2>&1 | FileCheck --check-prefix=ALL %s
# RUN: not tsc-run %s --entry behind_finally 2>&1 | FileCheck --check-prefix=ALL %s
# RUN: tsc-translate %s --entry passes -o %t.pt && not tsc-run %t.pt 2>&1 | FileCheck --check-prefix=ALL %s


def inner(n: int) -> int:
    below = n - 1
    # ALL: in inner
    # ALL: return 10 // below
    # ALL-NEXT: ~~~~~~~~~~~ <--- HERE
    # ALL-NEXT: ZeroDivisionError: integer division or modulo by zero
    return 10 // below


def passes() -> int:
    try:
        return inner(1)
    except KeyError:
        return -1


def raised_again() -> int:
    try:
        return inner(1)
    except ArithmeticError as e:
        print("seen", e)
        raise


def behind_finally() -> int:
    try:
        return inner(1)
    finally:
        print("left")

