# Names that loops and branches of a main block bind are there behind them, where they were bound.
# RUN: tsc-run %s | FileCheck %s
# RUN: not tsc-run %s --entry none 2>&1 | FileCheck %s --check-prefix=NONE
import torch
from typing import List, Optional


def twice(n: int) -> int:
    return 2 * n


if __name__ == "__main__":
    for i in range(3):
        last = twice(i)
        if i == 1:
            middle: Optional[int] = None
            found = "at " + str(i)
    print(i, last, middle, found)
    n = 0
    while n < 4:
        n += 1
        x = torch.ones(n)
        values: List[float] = [float(v) for v in x]
    print(x, values)
    if n > 3:
        word, size = "big", 2.5
    print(word, size)
    with torch.no_grad():
        y = x * 2
    print(y.sum().item())
    for row in torch.eye(2):
        for element in row:
            total = element + 1
    print(row, total.tolist(), element.item())
    for never in range(0):
        unset = 1
    try:
        print(5 // n)
    except ZeroDivisionError:
        print("none")

# What Python prints:
# CHECK: 2 4 None at 1
# CHECK-NEXT: tensor([1., 1., 1., 1.]) [1.0, 1.0, 1.0, 1.0]
# CHECK-NEXT: big 2.5
# CHECK-NEXT: 8.0
# CHECK-NEXT: tensor([0., 1.]) 2.0 1.0
# CHECK-NEXT: 1
# NONE: error: there is no function
