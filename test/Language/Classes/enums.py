# Enumerations: by value and by name, as keys, as numbers.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
from enum import Enum, IntEnum, StrEnum, auto
from typing import Dict, List


class Color(Enum):
    RED = "r"
    GREEN = "g"


class Code(IntEnum):
    OK = 0
    BAD = 2


class Level(StrEnum):
    LOW = auto()
    HIGH = "top"
    MIDDLE = auto()


def count(colors: List[Color]) -> Dict[Color, int]:
    counts: Dict[Color, int] = {}
    for color in colors:
        counts[color] = counts.get(color, 0) + 1
    return counts


def main() -> None:
    print(Color("g").name, Color["RED"].value, [c.name for c in Color], len(Color))
    counts = count([Color.RED, Color.GREEN, Color.RED])
    print(counts[Color.RED], counts[Color.GREEN], Color.RED in counts, len(counts))
    print(Color.RED == Color("r"), Color.RED is Color.RED, Color.RED != Color.GREEN, Color.RED in [Color.RED])
    print(Code(2).name, Code.BAD + 1, Code.OK < Code.BAD, Code.BAD == 2, Code.OK == Code.OK, [5, 6, 7][Code.BAD])
    try:
        print(Code(7).name)
    except ValueError as e:
        print(e)
    print(Level.LOW.value, Level.HIGH.value, Level.MIDDLE.value, Level.LOW == "low")


# What Python prints:
# CHECK: GREEN r ['RED', 'GREEN'] 2
# CHECK-NEXT: 2 1 True 2
# CHECK-NEXT: True True True True
# CHECK-NEXT: BAD 3 True True True 7
# CHECK-NEXT: 7 is not a valid Code
# CHECK-NEXT: low top middle True
