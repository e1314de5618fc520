# RUN: tsc-run %s --entry doubled --args 5 | FileCheck --check-prefix=DOUBLED %s
# RUN: tsc-run %s --entry linked --args 3 | FileCheck --check-prefix=LINKED %s
# RUN: tsc-run %s --entry chained --args 1000000 | FileCheck --check-prefix=CHAINED %s
from typing import List, Optional


# An operator that is given one list twice, for the last time.
# DOUBLED: [5, 5, 5, 5]
def doubled(n: int):
    a = [n]
    for _ in range(2):
        a = a + a
    return a


# An attribute's annotation holds, though its first value says less.
class Link:
    def __init__(self, value: int):
        self.value = value
        self.next: Optional[Link] = None


# LINKED: 6
def linked(n: int):
    first = Link(0)
    last = first
    for i in range(1, n + 1):
        link = Link(i)
        last.next = link
        last = link
    total = 0
    at: Optional[Link] = first
    while at is not None:
        assert at is not None
        total += at.value
        at = at.next
    return total


# A million objects, each held by the one before it, are freed without a million nested calls.
# CHAINED: 1000000
def chained(n: int):
    first = Link(0)
    for i in range(1, n + 1):
        link = Link(i)
        link.next = first
        first = link
    return first.value
