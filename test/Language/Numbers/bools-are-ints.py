# A bool is an int where a file follows Python, and a dict at the top of a file is not changed without a word.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: %exits 2 tsc-run %s --entry changed 2>&1 | FileCheck %s --check-prefix=CHANGED
import torch

TABLE = {"a": 1}


def main():
    # CHECK: True True False True
    print(isinstance(True, int), isinstance(1, int), isinstance(1, bool), isinstance(True, (int, float)))


def changed() -> int:
    # CHANGED: error: 'TABLE' is made once for all calls, and a program does not change it
    TABLE["b"] = 2
    return len(TABLE)
