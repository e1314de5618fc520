# Properties, truth values, enumerations and assertions as a program sees them.
# RUN: tsc-run %s --entry properties | FileCheck --check-prefix=PROPERTIES %s
# PROPERTIES: (6, 10)
# RUN: tsc-run %s --entry truths | FileCheck --check-prefix=TRUTHS %s
# TRUTHS: (True, False, False, True, 'empty', True)
# RUN: tsc-run %s --entry colors | FileCheck --check-prefix=COLORS %s
# COLORS:      Color.RED [<Color.RED: 1>] RED 1
# COLORS-NEXT: ('Color.RED', <Color.GREEN: 2>)
# RUN: %exits 1 tsc-run %s --entry asserted 2>&1 | FileCheck --check-prefix=ASSERTED %s
# ASSERTED: {{^}}tsc-run: error: AssertionError: x is 3{{$}}
# RUN: tsc-run %s --entry powers | FileCheck --check-prefix=POWERS %s
# POWERS: (tensor([4., 9.]), tensor([ 16., 729.]), tensor([ 8., 364.]))
from enum import Enum


class Counter:
    def __init__(self, n: int):
        self.n = n

    @property
    def twice(self) -> int:
        return self.n * 2

    @twice.setter
    def twice(self, value: int):
        self.n = value


class Color(Enum):
    RED = 1
    GREEN = 2


def properties():
    counter = Counter(3)
    before = counter.twice
    counter.twice = 5
    return before, counter.twice


def truths():
    d: Dict[int, int] = {}
    word = "empty"
    if d:
        word = "full"
    return bool([1]), bool(d), bool(""), bool("a"), word, not d


def colors():
    print(Color.RED, [Color.RED], Color.RED.name, Color.RED.value)
    return str(Color.RED), Color.GREEN


def asserted():
    x = 3
    assert x == 4, f"x is {x}"


def powers():
    x = torch.tensor([2., 3.])
    a = x.pow_(2).clone()
    x.pow_(torch.tensor([2., 3.]))
    b = x.clone()
    return a, b, x.floor_divide_(torch.tensor([2., 2.]))
