# A write to a container that fails is an effect: it raises at every level, though nobody reads what it wrote.
# RUN: %exits 1 tsc-run %s --entry pop -O0 2>&1 | FileCheck --check-prefix=POP %s
# RUN: %exits 1 tsc-run %s --entry pop -O1 2>&1 | FileCheck --check-prefix=POP %s
# RUN: %exits 1 tsc-run %s --entry pop -O3 2>&1 | FileCheck --check-prefix=POP %s
# POP: IndexError: pop from empty list
# RUN: %exits 1 tsc-run %s --entry delete -O0 2>&1 | FileCheck --check-prefix=DELETE %s
# RUN: %exits 1 tsc-run %s --entry delete -O1 2>&1 | FileCheck --check-prefix=DELETE %s
# RUN: %exits 1 tsc-run %s --entry delete -O3 2>&1 | FileCheck --check-prefix=DELETE %s
# DELETE: KeyError: 1
# RUN: %exits 1 tsc-run %s --entry dict_pop -O0 2>&1 | FileCheck --check-prefix=DICT_POP %s
# RUN: %exits 1 tsc-run %s --entry dict_pop -O1 2>&1 | FileCheck --check-prefix=DICT_POP %s
# RUN: %exits 1 tsc-run %s --entry dict_pop -O3 2>&1 | FileCheck --check-prefix=DICT_POP %s
# DICT_POP: KeyError: 3
# RUN: %exits 1 tsc-run %s --entry popitem -O0 2>&1 | FileCheck --check-prefix=POPITEM %s
# RUN: %exits 1 tsc-run %s --entry popitem -O1 2>&1 | FileCheck --check-prefix=POPITEM %s
# RUN: %exits 1 tsc-run %s --entry popitem -O3 2>&1 | FileCheck --check-prefix=POPITEM %s
# POPITEM: KeyError: popitem(): dictionary is empty
# RUN: %exits 1 tsc-run %s --entry set_item -O0 2>&1 | FileCheck --check-prefix=SET_ITEM %s
# RUN: %exits 1 tsc-run %s --entry set_item -O1 2>&1 | FileCheck --check-prefix=SET_ITEM %s
# RUN: %exits 1 tsc-run %s --entry set_item -O3 2>&1 | FileCheck --check-prefix=SET_ITEM %s
# SET_ITEM: IndexError: list index out of range
# RUN: %exits 1 tsc-run %s --entry remove -O0 2>&1 | FileCheck --check-prefix=REMOVE %s
# RUN: %exits 1 tsc-run %s --entry remove -O1 2>&1 | FileCheck --check-prefix=REMOVE %s
# RUN: %exits 1 tsc-run %s --entry remove -O3 2>&1 | FileCheck --check-prefix=REMOVE %s
# REMOVE: ValueError: list.remove(x): x not in list
from typing import List


def pop():
    a: List[int] = []
    a.pop()


def delete():
    d = {1: 2}
    del d[1]
    del d[1]


def dict_pop():
    d = {1: 2}
    d.pop(3)


def popitem():
    d = {1: 2}
    d.popitem()
    d.popitem()


def set_item():
    a = [1]
    a[3] = 5


def remove():
    a = [1]
    a.remove(3)
