# A file of functions whose main block is run, as Python runs it; another entry leaves it alone.
# RUN: tsc-run %s | FileCheck %s
# RUN: tsc-run %s --entry twice --args 4 | FileCheck %s --check-prefix=ENTRY
# RUN: not tsc-run %s --args 4 2>&1 | FileCheck %s --check-prefix=ARGS
# RUN: sed 's/twice(i)/twyce(i)/' %s > %t.py && not tsc-run %t.py 2>&1 | FileCheck %s --check-prefix=WRONG
import torch

SCALE = 3


def twice(x: int) -> int:
    return x * 2


def scaled(x: torch.Tensor) -> torch.Tensor:
    return x * SCALE


class Length:
    def __init__(self, metres: float) -> None:
        self.metres = metres

    def __eq__(self, other: "Length") -> bool:
        return self.metres == other.metres

    def __add__(self, other: "Length") -> "Length":
        return Length(self.metres + other.metres)


weight = torch.zeros([2])  # no constant: it is made when the file is run

if __name__ == "__main__":
    total = 0
    for i in range(4):
        total += twice(i)
    print("total", total)
    print(scaled(torch.ones([2])))
    same = Length(1.0) + Length(2.0) == Length(3.0)
    print(same, Length(1.0) == Length(2.0))
    weight.requires_grad_()
    for step in range(20):
        loss = ((weight - 2) ** 2).sum()
        loss.backward()
        with torch.no_grad():
            gradient = weight.grad
            assert gradient is not None
            weight -= 0.4 * gradient
            gradient.zero_()
    print(weight.detach())
    total = "may become a string"
    print(total)

# CHECK: total 12
# CHECK-NEXT: tensor([3., 3.])
# CHECK-NEXT: True False
# CHECK-NEXT: tensor([2., 2.])
# CHECK-NEXT: may become a string
# ENTRY: {{^}}8{{$}}
# ENTRY-NOT: total
# ARGS: error: 'if __name__ == "__main__":' of {{.*}} takes no arguments: name the function that does
# WRONG: main-block.py.tmp.py:[[# @LINE-26]]:18: error: undefined value twyce
# WRONG-NEXT:     total += twyce(i)
# WRONG-NEXT:              ^~~~~
