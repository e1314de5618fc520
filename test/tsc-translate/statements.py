# Graphs become statements again: what is written compiles to what it was written from.

# RUN: tsc-translate %s --entry f --to py | FileCheck %s
# RUN: tsc-translate %s --entry f -o %t.pt
# RUN: tsc-run %s --entry f --args 'torch.ones(2, 3), None, [4, 5], 7' > %t.before
# RUN: tsc-run %t.pt --args 'torch.ones(2, 3), None, [4, 5], 7' > %t.after
# RUN: cmp %t.before %t.after
# RUN: tsc-translate %t.pt --to py > %t.once
# RUN: mkdir -p %t.d && tsc-translate %t.pt -o %t.d/again.pt && tsc-translate %t.d/again.pt --to py | diff %t.once -
import torch
from enum import Enum
from typing import Any, Dict, List, NamedTuple, Optional, Union


class Color(Enum):
    RED = 1
    BLUE = 2


class Point(NamedTuple):
    x: int
    y: torch.Tensor


class Depth:
    def __init__(self, depth: int):
        self.depth = depth

    def __enter__(self):
        self.depth += 1
        return self

    def __exit__(self, kind: Any, value: Any, trace: Any):
        self.depth -= 1


def shifted(x: torch.Tensor, by: int = 2) -> torch.Tensor:
    return x + by


# A name of a parameter stays, since callers may use it; `max` is what Python calls something else.
# CHECK-LABEL: def forward(self: __torch__.PlaceholderModule,
# CHECK-NEXT:      x: Tensor,
# CHECK-NEXT:      o: Optional[int],
# CHECK-NEXT:      l: List[int],
# CHECK-NEXT:      max: Union[int, str]) -> Tensor:
def f(x: torch.Tensor, o: Optional[int], l: List[int], max: Union[int, str]) -> torch.Tensor:
    # Both sides of a branch give what comes behind it, of the type that both have.
    # CHECK:         if torch.__isnot__(o, None):
    # CHECK-NEXT:      [[O:o[0-9]+]] = unchecked_cast(int, o)
    # CHECK-NEXT:      [[X:x[0-9]+]] = torch.add(x, [[O]])
    # CHECK:         else:
    # CHECK:           [[X]] = x
    if o is not None:
        x = x + o
    # CHECK:         if isinstance(max, (int, float)):
    if isinstance(max, (int, float)):
        x = x * max
    # CHECK:         c = __torch__.Depth.__new__(__torch__.Depth)
    # CHECK-NEXT:    {{.*}} = c.__init__(3)
    # CHECK-NEXT:    with c as inner:
    # CHECK-NEXT:      {{.*}} = torch.add({{.*}}, inner.depth)
    c = Depth(3)
    with c as inner:
        x = x + inner.depth
    # CHECK:         def __forked_function():
    # CHECK-NEXT:      return __torch__.shifted({{.*}}, 2)
    # CHECK-NEXT:    future = fork(__forked_function)
    # CHECK-NEXT:    y = torch.wait(future)
    future = torch.jit.fork(shifted, x)
    y = torch.jit.wait(future)
    # A loop that a count or a condition ends is a `while`; one with a count alone is a `for`.
    # CHECK:         i = 0
    # CHECK-NEXT:    [[GO:_[0-9]+]] = torch.lt(0, 10)
    # CHECK-NEXT:    while [[GO]]:
    # CHECK:           [[GO]], i, {{.*}} = torch.__and__({{.*}}, torch.lt(torch.add(i, 1), 10)), torch.add(i, 1), {{.*}}
    for i in range(10):
        if i > 5:
            break
        y = y + i
    # CHECK:         for {{.*}} in range({{.*}}):
    for a, b in zip(l, l):
        y = y + a * b
    n = 0
    # CHECK:         while {{.*}}:
    while bool(y.sum() < 1000):
        y = y * 2
        n += 1
    # CHECK:         if {{.*}}:
    # CHECK-NEXT:      {{.*}} = torch.format("{} raises Color {}", {{.*}})
    # CHECK-NEXT:      ops.prim.RaiseException({{.*}}, "builtins.ValueError")
    # CHECK-NEXT:    else:
    # CHECK-NEXT:      pass
    if Color.RED == Color.BLUE:
        raise ValueError("{} raises Color {}".format(o, n))
    d: Dict[str, float] = {}
    d["a"] = 1.5
    p = Point(n, y)
    # CHECK:         annotate(List[List[float]], {{.*}}.tolist())
    rows: List[List[float]] = y.tolist()
    print(f"{o} x", p.x, d["a"], rows[0][1:])
    y[0, 1:] = 3
    return y + p.y + float("-inf") * 0 + 9.5e-300


# CHECK-LABEL: class Depth:
# CHECK-NEXT:    depth : int
# CHECK-LABEL: def shifted(x: Tensor,
# CHECK-NEXT:      by: int=2) -> Tensor:
# CHECK-NEXT:    return torch.add(x, by)
