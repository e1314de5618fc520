# A missing key stands in TorchScript's message as print() shows it; Python's exception writes it as repr() does.
# RUN: %exits 1 tsc-run %s --entry at -O0 2>&1 | FileCheck --check-prefix=UNCAUGHT %s
# RUN: %exits 1 tsc-run %s --entry at -O2 2>&1 | FileCheck --check-prefix=UNCAUGHT %s
# RUN: %exits 1 tsc-run %s --entry erase -O2 2>&1 | FileCheck --check-prefix=UNCAUGHT %s
# UNCAUGHT: tsc-run: error: KeyError: dne
# RUN: tsc-run %s --entry caught -O0 | FileCheck --check-prefix=CAUGHT %s
# RUN: tsc-run %s --entry caught -O2 | FileCheck --check-prefix=CAUGHT %s
# CAUGHT: 'dne'
# CAUGHT: 3
def at():
    d = {"a": 1}
    return d["dne"]


def erase():
    d = {"a": 1}
    del d["dne"]


def caught():
    d = {"a": 1}
    e = {1: 2}
    try:
        print(d["dne"])
    except KeyError as error:
        print(error)
    try:
        print(e[3])
    except KeyError as error:
        print(error)
