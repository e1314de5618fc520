# Dicts whose keys are tuples or members of enumerations do what other dicts do in Python.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: %exits 1 tsc-run %s --entry unread 2>&1 | FileCheck %s --check-prefix=UNREAD
# UNREAD: error: KeyError: (3, 4)
from enum import Enum
from typing import Dict, Tuple


class Color(Enum):
    RED = 1
    BLUE = 2


def unread():
    d = {(1, 2): 1}
    del d[(3, 4)]  # fails, although nobody looks at the dict afterwards
    return 0


def main():
    d: Dict[Tuple[int, int], int] = {(1, 2): 10, (3, 4): 20}
    # CHECK: ((3, 4), 20) 1 True False
    print(d.popitem(), len(d), (1, 2) in d, (3, 4) in d)
    e = {Color.RED: 1, Color.BLUE: 2}
    # CHECK-NEXT: 2 1
    print(e.popitem()[1], len(e))
    # CHECK-NEXT: 1 7
    print(e.get(Color.RED), e.get(Color.BLUE, 7))
