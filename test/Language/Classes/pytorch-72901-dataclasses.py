# PyTorch issue 72901: dataclasses in TorchScript.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from dataclasses import dataclass, field
from typing import List


@dataclass
class Mixup:
    alpha: float = 0.125
    scale: float = 5.0
    ids: List[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.scale = self.scale * 2


@dataclass(order=True)
class Version:
    major: int
    minor: int


def newest(a: Version, b: Version) -> Version:
    if a < b:
        return b
    return a


def main() -> None:
    for i in range(10):
        m = Mixup(scale=1.0)
        m.ids.append(3)
        print(m.alpha, m.scale, m.ids, Mixup().ids, m == Mixup(0.125, 1.0, [3]), m != Mixup())
        print(newest(Version(1, 2), Version(1, 13)).minor, Version(1, 2) >= Version(1, 2))


# What Python prints:
# CHECK: 0.125 2.0 [3] [] True True
# CHECK-NEXT: 13 True
# CHECK-NEXT: 0.125 2.0 [3] [] True True
# CHECK-NEXT: 13 True
# CHECK-NEXT: 0.125 2.0 [3] [] True True
# CHECK-NEXT: 13 True
# CHECK-NEXT: 0.125 2.0 [3] [] True True
# CHECK-NEXT: 13 True
# CHECK-NEXT: 0.125 2.0 [3] [] True True
# CHECK-NEXT: 13 True
# CHECK-NEXT: 0.125 2.0 [3] [] True True
# CHECK-NEXT: 13 True
# CHECK-NEXT: 0.125 2.0 [3] [] True True
# CHECK-NEXT: 13 True
# CHECK-NEXT: 0.125 2.0 [3] [] True True
# CHECK-NEXT: 13 True
# CHECK-NEXT: 0.125 2.0 [3] [] True True
# CHECK-NEXT: 13 True
# CHECK-NEXT: 0.125 2.0 [3] [] True True
# CHECK-NEXT: 13 True
