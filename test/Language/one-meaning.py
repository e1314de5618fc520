# What compiled code and code that is walked did otherwise: builtins on tensors ask row after row, math.* takes a
# tensor's one element, tuples stay whole.
# RUN: %all_modes tsc-run %s | FileCheck %s
import math
import torch
from typing import List, Optional


def raised(kind: int, x: torch.Tensor) -> str:
    try:
        if kind == 0:
            any(x)
        elif kind == 1:
            sum(x)
        elif kind == 2:
            return str(math.cos(x))
        elif kind == 3:
            max(x)
        return "nothing"
    except Exception as error:
        return str(error)


def main() -> None:
    t = torch.tensor([[1, 2], [3, 4]], dtype=torch.int8)
    print(sum(t), sum(t).dtype, sum(t[0] > 1))
    print(any(t[0]), all(t[0]), any(t[0] > 5), all(t[:, :1]), any(t[:0]))
    print(max(t[1]), min(t[1]))
    print(raised(0, t), "|", raised(1, t[0, 0]), "|", raised(2, t), "|", raised(3, t))
    print(math.cos(torch.tensor([0])), math.floor(torch.tensor(2.5)), math.sqrt(torch.tensor(4)))
    print([x for x in (1, None)], "%r" % ((2,),), "%s and %s" % ((1, 2), 3), True * (1, 2), (1, 2) * False)


# CHECK: tensor([4, 6], dtype=torch.int8) torch.int8 tensor(1)
# CHECK-NEXT: True True False True False
# CHECK-NEXT: tensor(4, dtype=torch.int8) tensor(3, dtype=torch.int8)
# CHECK-NEXT: Boolean value of Tensor with more than one value is ambiguous | iteration over a 0-d tensor | {{.*}}converted{{.*}} | Boolean value of Tensor with more than one value is ambiguous
# CHECK-NEXT: 1.0 2 2.0
# CHECK-NEXT: [1, None] (2,) (1, 2) and 3 (1, 2) ()
