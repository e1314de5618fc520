# A program is refused before anything of it runs, also where what does not compile would not have been reached.
# RUN: %all_modes --status 2 tsc-run %s --args 'False' | FileCheck %s
# RUN: %all_modes tsc-run %s --entry other --args '3' | FileCheck --check-prefix=OTHER %s
# CHECK-NOT: begins
# CHECK: uncompilable-callee.py:[[@LINE+3]]:{{[0-9]+}}: error:
def broken(n: int) -> str:
    if n > 0:
        return n
    return ""


def main(flag: bool) -> int:
    print("begins")
    if flag:
        print(broken(3))
    return 1


# OTHER: {{^}}4{{$}}
def other(n: int) -> int:
    return n + 1
