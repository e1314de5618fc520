# PyTorch issue 48307: static methods of enumerations; 150577: class Options(str, Enum).
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from enum import Enum, auto
from typing import Dict


class Modes(Enum):
    NEAREST = 0
    BILINEAR = 1

    @staticmethod
    def from_int(i: int) -> "Modes":
        if i == 1:
            return Modes.BILINEAR
        return Modes.NEAREST

    @classmethod
    def default(cls) -> "Modes":
        return cls.BILINEAR

    def doubled(self, more: int = 0) -> int:
        return self.value * 2 + more

    @property
    def label(self) -> str:
        return "<" + self.name.lower() + ">"


class Options(str, Enum):
    ABC = "abc"
    DEF = "def"


class Numbered(Enum):
    ONE = auto()
    TWO = auto()


def main() -> None:
    for i in range(10):
        mode = Modes.from_int(i % 2)
        table: Dict[str, int] = {Options.ABC.value: i}
        print(mode, mode.doubled(), mode.doubled(more=5), mode.label, Modes.default(), table,
              Options.ABC == "abc", Numbered.TWO.value)


# What Python prints:
# CHECK: Modes.NEAREST 0 5 <nearest> Modes.BILINEAR {'abc': 0} True 2
# CHECK-NEXT: Modes.BILINEAR 2 7 <bilinear> Modes.BILINEAR {'abc': 1} True 2
# CHECK: Modes.BILINEAR 2 7 <bilinear> Modes.BILINEAR {'abc': 9} True 2
