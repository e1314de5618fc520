# Members of an enumeration are themselves; popitem takes the newest entry; what containers hold is changed in place.
# RUN: tsc-run %s --entry members -O0 | FileCheck --check-prefix=MEMBERS %s
# RUN: tsc-run %s --entry members -O1 | FileCheck --check-prefix=MEMBERS %s
# RUN: tsc-run %s --entry members -O2 --compile=eager | FileCheck --check-prefix=MEMBERS %s
# RUN: tsc-run %s --entry members -O3 --compile=eager | FileCheck --check-prefix=MEMBERS %s
# MEMBERS: (True, False, False)
# RUN: tsc-run %s --entry pop -O0 | FileCheck --check-prefix=POP %s
# RUN: tsc-run %s --entry pop -O1 | FileCheck --check-prefix=POP %s
# RUN: tsc-run %s --entry pop -O2 --compile=eager | FileCheck --check-prefix=POP %s
# RUN: tsc-run %s --entry pop -O3 --compile=eager | FileCheck --check-prefix=POP %s
# POP: (('c', 3), ('b', 2), {'a': 1})
# RUN: tsc-run %s --entry in_place -O0 | FileCheck --check-prefix=PLACE %s
# RUN: tsc-run %s --entry in_place -O1 | FileCheck --check-prefix=PLACE %s
# RUN: tsc-run %s --entry in_place -O2 --compile=eager | FileCheck --check-prefix=PLACE %s
# RUN: tsc-run %s --entry in_place -O3 --compile=eager | FileCheck --check-prefix=PLACE %s
# PLACE: (tensor([6., 6.]), {'a': tensor([6., 6.])}, [1, 2], tensor([1.]), [4])
from enum import Enum


class Op(Enum):
    ADD = 1
    MUL = 2


def same(o: Op):
    return o is Op.MUL


def members():
    return same(Op.MUL), same(Op.ADD), Op.MUL is not Op.MUL


def pop():
    d = {"a": 1, "b": 2, "c": 3}
    last = d.popitem()
    return last, d.popitem(), d


def in_place():
    x = torch.ones([2])
    d = {"a": x}
    d["a"] += 1
    l = [x]
    l[0] *= 3
    nested = [[1]]
    inner = nested[0]
    nested[0] += [2]
    y = torch.tensor([-5.0])
    y %= 3.0
    n = [3]
    n[0] += 1
    return x, d, inner, y, n
