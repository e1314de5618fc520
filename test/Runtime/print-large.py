# The text of an expanded tensor may be of any length, however little memory the tensor has. Who makes it looks at the
# limits of the call, and a text that no str could hold is refused before any of it is made.
# RUN: %exits 1 tsc-run --max-steps 100 %s --entry text 2>&1 | FileCheck --check-prefix=STEPS %s
# RUN: %exits 1 tsc-run --max-steps 100 %s --entry printed 2>&1 | FileCheck --check-prefix=STEPS %s
# STEPS: the program exceeded its limit of steps (--max-steps)
# RUN: %exits 1 tsc-run --max-memory 4M %s --entry text 2>&1 | FileCheck --check-prefix=MEMORY %s
# RUN: %exits 1 tsc-run --max-memory 4M %s --entry printed 2>&1 | FileCheck --check-prefix=MEMORY %s
# MEMORY: the program exceeded its limit of memory
# RUN: %exits 1 tsc-run %s --entry endless 2>&1 | FileCheck --check-prefix=ENDLESS %s
# RUN: %exits 1 tsc-run %s --entry endlessPrinted 2>&1 | FileCheck --check-prefix=ENDLESS %s
# ENDLESS: MemoryError
# RUN: tsc-run %s --entry summarized | FileCheck %s


def text() -> int:
    return len(str(torch.zeros([1]).expand([2] * 22)))


def printed() -> None:
    print(torch.zeros([1]).expand([2] * 22))


def endless() -> int:
    return len(str(torch.zeros([1]).expand([2] * 40)))


def endlessPrinted() -> None:
    print(torch.zeros([1]).expand([2] * 40))


# Of more than a thousand elements the edges alone are looked at.
def summarized() -> None:
    # CHECK:      tensor({{\[}}[0., 0., 0.,  ..., 0., 0., 0.],
    # CHECK-NEXT:         [0., 0., 0.,  ..., 0., 0., 0.],
    # CHECK-NEXT:         [0., 0., 0.,  ..., 0., 0., 0.],
    # CHECK-NEXT:         ...,
    # CHECK-NEXT:         [0., 0., 0.,  ..., 0., 0., 0.],
    # CHECK-NEXT:         [0., 0., 0.,  ..., 0., 0., 0.],
    # CHECK-NEXT:         [0., 0., 0.,  ..., 0., 0., 0.]])
    print(torch.zeros([1]).expand([1000000, 1000000]))
    # CHECK-NEXT: tensor([1.+2.j, 1.+2.j, 1.+2.j,  ..., 1.+2.j, 1.+2.j, 1.+2.j])
    print(torch.tensor([1 + 2j]).expand([1000000000000]))
    # CHECK-NEXT: tensor([    0,     1,     2,  ..., 99997, 99998, 99999])
    print(torch.arange(100000))
    # CHECK-NEXT: tensor({{\[}}{{\[}}[ 1.0000,     nan],
    # CHECK-NEXT:          [    inf, -2.5000]],
    # CHECK-EMPTY:
    # CHECK-NEXT:         {{\[}}[ 1.0000,     nan],
    # CHECK-NEXT:          [    inf, -2.5000]]])
    print(torch.tensor([1.0, float("nan"), float("inf"), -2.5]).view(2, 2).expand([2, 2, 2]))
