# Functions that gather arguments: *values and **options, with annotations and without.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from typing import Dict, List


def total(*values: int) -> int:
    s = 0
    for v in values:
        if v < 0:
            break
        s += v
    return s


def labelled(name: str, *values: float, sep: str = ":", **options: int) -> str:
    text = name + sep + str(len(values))
    for key, value in options.items():
        text += f" {key}={value}"
    return text


def forwarded(*args, **kwargs):
    return labelled(*args, **kwargs)


def tensors(*parts: torch.Tensor) -> torch.Tensor:
    return torch.cat(parts)


class Log:
    def __init__(self, *first: str):
        self.lines = list(first)

    def add(self, *lines: str) -> int:
        self.lines.extend(lines)
        return len(self.lines)


def chosen(**kwargs):
    return kwargs["a"] + kwargs.get("b", 0) if "b" in kwargs else kwargs["a"]


def default(**kwargs):
    return kwargs.get("a", 7)


def main():
    more = [4, 5]
    options = {"k": 1}
    print(total(), total(1, 2), total(*more), total(1, *more, 6), total(*(1, 2), *more), total(1, -1, 5))
    print(labelled("a"), labelled("b", 1.0, 2.0, sep="-", x=3), labelled("c", **{"y": 4}), labelled("d", **options, z=2))
    print(forwarded("e", 1.5, w=1), tensors(torch.ones(1), torch.zeros(2)))
    log = Log("x", "y")
    print(log.add("z"), log.add(), log.add(*["p", "q"]), log.lines, chosen(a=1), chosen(a=1, b=2))
    print(default(), default(a=3), default(a="x", b=2.0), default(b=1))


# What Python prints:
# CHECK: 0 3 9 16 12 1
# CHECK-NEXT: a:0 b-2 x=3 c:0 y=4 d:0 k=1 z=2
# CHECK-NEXT: e:1 w=1 tensor([1., 0., 0.])
# CHECK-NEXT: 3 3 5 ['x', 'y', 'z', 'p', 'q'] 1 3
# CHECK-NEXT: 7 3 x 7
