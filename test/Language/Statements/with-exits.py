# What a `with` statement entered is left on every path, as in Python: by return, break and continue from any depth, at
# the end of the body, and when an exception passes.
# RUN: tsc-run %s --entry paths --args '' -O0 | FileCheck --check-prefix=PATHS %s
# RUN: tsc-run %s --entry paths --args '' -O1 | FileCheck --check-prefix=PATHS %s
# RUN: tsc-run %s --entry paths --args '' -O2 | FileCheck --check-prefix=PATHS %s
# RUN: tsc-run %s --entry paths --args '' -O3 | FileCheck --check-prefix=PATHS %s
# RUN: tsc-run %s --entry paths --args '' --compile=eager | FileCheck --check-prefix=PATHS %s
# PATHS:      loop: +0 +1 -1 -0 ; +1 +2 -2 -1 +2 +3 -3 -2 ; +3 +4 -4 -3 ; +4 +5 -5 -4 4
# PATHS-NEXT: loop: +0 +1 -1 -0 ; +1 +2 -2 -1 +2 +3 -3 -2 2
# PATHS-NEXT: deep: +1 +2 +3 -3 -2 -1 5
# PATHS-NEXT: deep: +1 +2 +3 -3 -2 -1 6
# PATHS-NEXT: deep: +1 +2 +3 -3 +3 -3 -2 -1 7
# PATHS-NEXT: result: +1 +9 -9 -1 2
# PATHS-NEXT: 1 0 True

# A forked call fails at once and is asked later: meanwhile the grad mode is seen that it left behind.
# RUN: tsc-run %s --entry forks --args 'torch.ones([4])' -O0 | FileCheck --check-prefix=FORKS %s
# RUN: tsc-run %s --entry forks --args 'torch.ones([4])' -O1 | FileCheck --check-prefix=FORKS %s
# RUN: tsc-run %s --entry forks --args 'torch.ones([4])' -O2 | FileCheck --check-prefix=FORKS %s
# RUN: tsc-run %s --entry forks --args 'torch.ones([4])' -O3 | FileCheck --check-prefix=FORKS %s
# RUN: tsc-run %s --entry forks --args 'torch.ones([4])' --compile=eager | FileCheck --check-prefix=FORKS %s
# FORKS:      +1
# FORKS-NEXT: +2
# FORKS-NEXT: -2 False
# FORKS-NEXT: -1 False
# FORKS-NEXT: +5
# FORKS-NEXT: +2
# FORKS-NEXT: -2 False
# FORKS-NEXT: -5 False
# FORKS-NEXT: True

# Objects of callers are left, too, innermost first; what __enter__ did not enter is not left; an exception of __exit__
# takes the place of the one that passes.
# RUN: %exits 1 tsc-run %s --entry calls --args 'torch.ones([4]), 1' -O0 2>%t.err | FileCheck --check-prefix=BODY %s
# RUN: FileCheck --check-prefix=BODY-ERROR %s <%t.err
# RUN: %exits 1 tsc-run %s --entry calls --args 'torch.ones([4]), 1' -O1 2>%t.err | FileCheck --check-prefix=BODY %s
# RUN: FileCheck --check-prefix=BODY-ERROR %s <%t.err
# RUN: %exits 1 tsc-run %s --entry calls --args 'torch.ones([4]), 1' -O2 2>%t.err | FileCheck --check-prefix=BODY %s
# RUN: FileCheck --check-prefix=BODY-ERROR %s <%t.err
# RUN: %exits 1 tsc-run %s --entry calls --args 'torch.ones([4]), 1' -O3 2>%t.err | FileCheck --check-prefix=BODY %s
# RUN: FileCheck --check-prefix=BODY-ERROR %s <%t.err
# RUN: %exits 1 tsc-run %s --entry calls --args 'torch.ones([4]), 1' --compile=eager 2>%t.err | FileCheck --check-prefix=BODY %s
# RUN: FileCheck --check-prefix=BODY-ERROR %s <%t.err
# BODY:      +7
# BODY-NEXT: +1
# BODY-NEXT: +2
# BODY-NEXT: -2 False
# BODY-NEXT: -1 False
# BODY-NEXT: -7 True
# BODY-ERROR: ValueError: the body fails
# RUN: %exits 1 tsc-run %s --entry calls --args 'torch.ones([4]), 5' -O0 2>%t.err | FileCheck --check-prefix=OPERATOR %s
# RUN: FileCheck --check-prefix=OPERATOR-ERROR %s <%t.err
# RUN: %exits 1 tsc-run %s --entry calls --args 'torch.ones([4]), 5' -O1 2>%t.err | FileCheck --check-prefix=OPERATOR %s
# RUN: FileCheck --check-prefix=OPERATOR-ERROR %s <%t.err
# RUN: %exits 1 tsc-run %s --entry calls --args 'torch.ones([4]), 5' -O2 2>%t.err | FileCheck --check-prefix=OPERATOR %s
# RUN: FileCheck --check-prefix=OPERATOR-ERROR %s <%t.err
# RUN: %exits 1 tsc-run %s --entry calls --args 'torch.ones([4]), 5' -O3 2>%t.err | FileCheck --check-prefix=OPERATOR %s
# RUN: FileCheck --check-prefix=OPERATOR-ERROR %s <%t.err
# RUN: %exits 1 tsc-run %s --entry calls --args 'torch.ones([4]), 5' --compile=eager 2>%t.err | FileCheck --check-prefix=OPERATOR %s
# RUN: FileCheck --check-prefix=OPERATOR-ERROR %s <%t.err
# OPERATOR:      +7
# OPERATOR-NEXT: +5
# OPERATOR-NEXT: +2
# OPERATOR-NEXT: -2 False
# OPERATOR-NEXT: -5 False
# OPERATOR-NEXT: -7 True
# OPERATOR-ERROR: RuntimeError: shape '[3]' is invalid for input of size 4
# RUN: %exits 1 tsc-run %s --entry calls --args 'torch.ones([4]), 99' -O0 2>%t.err | FileCheck --check-prefix=ENTER %s
# RUN: FileCheck --check-prefix=ENTER-ERROR %s <%t.err
# RUN: %exits 1 tsc-run %s --entry calls --args 'torch.ones([4]), 99' -O1 2>%t.err | FileCheck --check-prefix=ENTER %s
# RUN: FileCheck --check-prefix=ENTER-ERROR %s <%t.err
# RUN: %exits 1 tsc-run %s --entry calls --args 'torch.ones([4]), 99' -O2 2>%t.err | FileCheck --check-prefix=ENTER %s
# RUN: FileCheck --check-prefix=ENTER-ERROR %s <%t.err
# RUN: %exits 1 tsc-run %s --entry calls --args 'torch.ones([4]), 99' -O3 2>%t.err | FileCheck --check-prefix=ENTER %s
# RUN: FileCheck --check-prefix=ENTER-ERROR %s <%t.err
# RUN: %exits 1 tsc-run %s --entry calls --args 'torch.ones([4]), 99' --compile=eager 2>%t.err | FileCheck --check-prefix=ENTER %s
# RUN: FileCheck --check-prefix=ENTER-ERROR %s <%t.err
# ENTER:      +7
# ENTER-NEXT: +99
# ENTER-NEXT: -7 True
# ENTER-ERROR: ValueError: not entered
# RUN: %exits 1 tsc-run %s --entry calls --args 'torch.ones([4]), 77' -O0 2>%t.err | FileCheck --check-prefix=EXIT %s
# RUN: FileCheck --check-prefix=EXIT-ERROR %s <%t.err
# RUN: %exits 1 tsc-run %s --entry calls --args 'torch.ones([4]), 77' -O1 2>%t.err | FileCheck --check-prefix=EXIT %s
# RUN: FileCheck --check-prefix=EXIT-ERROR %s <%t.err
# RUN: %exits 1 tsc-run %s --entry calls --args 'torch.ones([4]), 77' -O2 2>%t.err | FileCheck --check-prefix=EXIT %s
# RUN: FileCheck --check-prefix=EXIT-ERROR %s <%t.err
# RUN: %exits 1 tsc-run %s --entry calls --args 'torch.ones([4]), 77' -O3 2>%t.err | FileCheck --check-prefix=EXIT %s
# RUN: FileCheck --check-prefix=EXIT-ERROR %s <%t.err
# RUN: %exits 1 tsc-run %s --entry calls --args 'torch.ones([4]), 77' --compile=eager 2>%t.err | FileCheck --check-prefix=EXIT %s
# RUN: FileCheck --check-prefix=EXIT-ERROR %s <%t.err
# EXIT:      +7
# EXIT-NEXT: +77
# EXIT-NEXT: +2
# EXIT-NEXT: -2 False
# EXIT-NEXT: -77 False
# EXIT-NEXT: -7 True
# EXIT-ERROR: ValueError: not left

# The graph has an exit on each path, and none behind an exception.
# RUN: tsc-run %s --entry early --args True --print-ir=frontend 2>&1 >/dev/null | FileCheck --check-prefix=GRAPH %s
# GRAPH:     prim::Enter
# GRAPH:     prim::If
# GRAPH:       prim::Exit
# GRAPH:     block1
# GRAPH:       prim::Exit
# GRAPH-NOT: prim::Exit
# GRAPH:     return
import torch
from typing import Any, List


class Noted:
    def __init__(self, log: List[str], number: int):
        self.log = log
        self.number = number

    def __enter__(self) -> int:
        self.log.append("+" + str(self.number))
        return self.number

    def __exit__(self, kind: Any, value: Any, traceback: Any):
        self.log.append("-" + str(self.number))


def loop(log: List[str], last: int) -> int:
    for i in range(9):
        with Noted(log, i) as a, Noted(log, i + 1) as b:
            if i == 1:
                continue
            if i == 4:
                break
            if i == last:
                return b - 1
        log.append(";")
    return 4


def deep(log: List[str], n: int) -> int:
    with Noted(log, 1):
        with Noted(log, 2):
            while True:
                with Noted(log, 3):
                    if n == 0:
                        return 5
                    elif n == 1:
                        break
                    n -= 1
                if n == 1:
                    with Noted(log, 3):
                        return 7
            if n == 1:
                return 6
    return 8


def result(log: List[str]) -> int:
    with Noted(log, 1):
        if len(log) == 1:
            with Noted(log, 9):
                return len(log)
    return 0


def early(f: bool) -> int:
    with torch.no_grad():
        if f:
            return 1
    return 0


def show(name: str, log: List[str], value: int):
    print(name, " ".join(log), value)
    log.clear()


def paths():
    log: List[str] = []
    for last in [8, 2]:
        show("loop:", log, loop(log, last))
    for n in range(3):
        show("deep:", log, deep(log, n))
    show("result:", log, result(log))
    print(early(True), early(False), torch.is_grad_enabled())


class Printed:
    def __init__(self, number: int):
        self.number = number

    def __enter__(self):
        print("+" + str(self.number))
        if self.number == 99:
            raise ValueError("not entered")

    def __exit__(self, kind: Any, value: Any, traceback: Any):
        print("-" + str(self.number), torch.is_grad_enabled())
        if self.number == 77:
            raise ValueError("not left")


def fail(x: torch.Tensor, n: int) -> int:
    with torch.no_grad():
        with Printed(n), Printed(2):
            if n == 5:
                return x.view(3).size(0)
            raise ValueError("the body fails")


def calls(x: torch.Tensor, n: int) -> int:
    with Printed(7):
        return fail(x, n)


def forks(x: torch.Tensor):
    first = torch.jit.fork(fail, x, 1)
    second = torch.jit.fork(fail, x, 5)
    print(torch.is_grad_enabled())
    if not torch.is_grad_enabled():
        torch.jit.wait(first)
        torch.jit.wait(second)
