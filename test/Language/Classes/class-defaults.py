# Defaults in a class body: constants, as the annotation has them, for each name of an assignment.
# RUN: %all_modes tsc-run %s | FileCheck %s
from typing import Dict, List, Optional, Tuple

LEAST = 2


class A:
    first = second = 7
    x: float = LEAST
    y: float = 1 + 2
    z: Optional[float] = None
    w: Optional[float] = 1
    names: List[str] = []
    pair: Tuple[int, float] = (1, 2)
    table: Dict[str, float] = {"a": 1}

    def __init__(self) -> None:
        pass


def main():
    a = A()
    # CHECK: 7 7 2.0 3.0 None 1.0 [] (1, 2.0) {'a': 1.0}
    print(a.first, a.second, a.x, a.y, a.z, a.w, a.names, a.pair, a.table)
