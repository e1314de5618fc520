# Python's reference, chapters 7 and 8, section by section (docs/LanguageReference.md).
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s --match-full-lines
import math
import torch
from typing import List, Optional, Tuple


class Guard:
    def __init__(self, log: List[str]):
        self.log = log
        self.depth = 0

    def __enter__(self) -> int:
        self.depth += 1
        self.log.append("in")
        return self.depth

    def __exit__(self, kind, value, trace) -> None:
        self.log.append("out")


class Empty(Exception):
    pass


def simple(values: List[int], x: torch.Tensor) -> None:
    values.append(4)  # 7.1 expression statements
    a = b = 1  # 7.2 assignment statements
    (a, b), [c, *rest] = (2, 3), values
    values[0], values[1:2] = 9, [7, 8]
    print(a, b, c, rest, values)
    a += 1  # 7.2.1 augmented assignment statements
    b -= 1; c *= 4; c //= 3; a **= 2; a %= 5; b <<= 3; b |= 1; b ^= 3; b &= 14; b >>= 1
    x += 1
    x[0] *= 2
    values += [1]
    print(a, b, c, x.tolist(), values)
    n: Optional[int] = None  # 7.2.2 annotated assignment statements
    m: float = 2.0
    print(n, m * 1.0)
    assert a >= 0, "negative"  # 7.3 the assert statement
    pass  # 7.4 the pass statement
    del values[0]  # 7.5 the del statement
    table = {"a": 1, "b": 2}
    del table["a"]
    del a
    print(values, table)


def early(n: int) -> Tuple[int, str]:
    if n > 0:
        return n, "positive"  # 7.6 the return statement
    return 0, "other"


def raising(kind: int) -> str:
    try:
        if kind == 0:
            raise ValueError("zero")  # 7.8 the raise statement
        if kind == 1:
            raise Empty
        if kind == 2:
            return "none"
        print([1][kind])
    except ValueError as e:  # 8.4 the try statement
        return "value: " + str(e)
    except (Empty, KeyError):
        return "empty"
    except IndexError:
        try:
            raise
        except Exception:
            return "index"
    else:
        return "else"
    finally:
        print("finally", kind)
    return "after"


def loops(n: int) -> List[int]:
    out: List[int] = []
    i = 0
    while i < n:  # 8.2 the while statement
        i += 1
        if i == 2:
            continue  # 7.10 the continue statement
        if i == 5:
            break  # 7.9 the break statement
        out.append(i)
    else:
        out.append(-1)
    for k, (a, b) in enumerate([(1, 2), (3, 4)]):  # 8.3 the for statement
        out.append(k * (a + b))
    for c in "ab":
        out.append(ord(c))
    for row in torch.ones(2, 2):
        out.append(int(row.sum()))
    for key, value in {"x": 1}.items():
        out.append(len(key) + value)
    for v in (1, 2.5):
        out.append(int(v))
    return out


def branch(n: int) -> str:
    if n < 0:  # 8.1 the if statement
        return "negative"
    elif n == 0:
        word = "zero"
    else:
        word = "positive"
    return word


def matched(command: str, n: int) -> str:
    match command:  # 8.6 the match statement
        case "go" | "run" if n > 0:
            return f"{n} steps"
        case "stop":
            return "stopped"
        case other:
            return other


def main() -> None:
    simple([1, 2, 3], torch.ones(2))
    print(early(3), early(-1))
    print([raising(k) for k in range(4)])
    print(loops(3), loops(9))
    print(branch(-1), branch(0), branch(5))
    log: List[str] = []
    with Guard(log) as depth, torch.no_grad():  # 8.5 the with statement
        print(depth, torch.is_grad_enabled())
    print(log, matched("go", 2), matched("stop", 0), matched("go", 0))

    def inner(v: int, by: int = 2) -> int:  # 8.7 function definitions
        return v * by + len(log)

    import cmath  # 7.11 the import statement
    print(inner(3), inner(3, by=4), math.pi > 3, cmath.phase(-1 + 0j) > 3)


# What Python prints:
# CHECK:      2 3 1 [2, 3, 4] [9, 7, 8, 3, 4]
# CHECK-NEXT: 4 1 1 [4.0, 2.0] [9, 7, 8, 3, 4, 1]
# CHECK-NEXT: None 2.0
# CHECK-NEXT: [7, 8, 3, 4, 1] {'b': 2}
# CHECK-NEXT: (3, 'positive') (0, 'other')
# CHECK-NEXT: finally 0
# CHECK-NEXT: finally 1
# CHECK-NEXT: finally 2
# CHECK-NEXT: finally 3
# CHECK-NEXT: ['value: zero', 'empty', 'none', 'index']
# CHECK-NEXT: [1, 3, -1, 0, 7, 97, 98, 2, 2, 2, 1, 2] [1, 3, 4, 0, 7, 97, 98, 2, 2, 2, 1, 2]
# CHECK-NEXT: negative zero positive
# CHECK-NEXT: 1 False
# CHECK-NEXT: ['in', 'out'] 2 steps stopped go
# CHECK-NEXT: 8 14 True True
