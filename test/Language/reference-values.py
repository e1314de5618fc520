# Builtin functions and methods of PyTorch's tables (docs/LanguageReference.md).
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s --match-full-lines
import math
import torch
from typing import Dict, List


def builtins(values: List[int], f: float) -> None:  # Python built-in functions
    print(abs(-3), all([True, False]), any([0, 1]), bin(5), bool([]), chr(97))
    print(complex(1, 2), dict([("a", 1)]), divmod(7, 2), [i for i in enumerate("ab", 1)], float("1.5"), float(2))
    print("{:.2f} {}".format(f, 1), getattr(torch.ones(1), "ndim"), hasattr(values, "append"), hash(3) == hash(3))
    print(hex(255), int("12"), int(2.9), isinstance(f, float), len(values), list("ab"), list(range(3)))
    print(max(values), max(1, 2), min(values), min(2.0, 1.0), oct(8), ord("a"), pow(2, 3), range(3)[1])
    print([v for v in reversed(values)], round(2.567, 2), sorted(values), sorted(values, reverse=True), str(1.5))
    print(sum(values), sum([0.5], 1.0), tuple((1, 2)), [p for p in zip(values, "abc")], repr("q"), list(map(abs, [-1])))
    print([v for v in filter(lambda v: v > 1, values)], set([1, 1]) == {1})


def constants() -> None:  # Python built-in values
    print(True, False, None, torch.ones(2, 2)[..., 0].tolist())


def lists() -> None:  # list
    l = [3, 1, 2]
    l.append(5)
    l.extend([7])
    l.insert(0, 9)
    l.remove(1)
    print(l, l.pop(), l.pop(0), l.index(5), l.count(2), l + [1], l * 2, 3 in l, l == l.copy())
    l.sort()
    l.reverse()
    l[0] = 8
    l.sort(reverse=True)
    print(l, l[1:], len(l))
    l.clear()
    print(l)


def dicts() -> None:  # dict
    d: Dict[str, int] = {"a": 1}
    d["b"] = 2
    d.update({"c": 3})
    print(d.get("a"), d.get("z", 0), d.setdefault("d", 4), "a" in d, len(d), list(d.keys()), list(d.values()))
    print(d.pop("a"), d.popitem(), list(d.items()), d.copy() == d)
    d.clear()
    print(d)


def strings() -> None:  # str
    s = "Hello, World"
    print(s.upper(), s.lower(), s.find("o"), s.rfind("o"), s.replace("l", "L"), s.split(", "), s.startswith("He"))
    print(s.endswith("d"), s.count("l"), s.index("W"), s.swapcase(), s.title(), "ab".capitalize(), " x ".strip())
    print("-".join(["a", "b"]), "a=b".partition("="), "7".zfill(3), "ab".center(6, "*"), "ab".ljust(4) + "|", "1".isdigit())
    print("a b".isalpha(), "ab1".isalnum(), "A".isupper(), "a".islower(), " ".isspace(), "a\nb".splitlines(), "%d %s" % (1, "x"))


def maths() -> None:  # math
    print(math.sqrt(16), math.floor(2.5), math.ceil(2.5), math.fabs(-1.0), math.pow(2, 3), math.gcd(12, 18))
    print(round(math.exp(1), 4), round(math.log(10), 4), math.isnan(math.nan), math.isinf(math.inf))
    print(round(math.sin(1), 4), round(math.atan2(1, 2), 4), math.copysign(1, -2), math.fmod(7, 3), math.factorial(5))
    print(math.modf(2.5), math.frexp(8.0), math.ldexp(1.0, 3), math.degrees(math.pi), math.isfinite(1.0))


def helper(x: int) -> int:
    return x + 1


@torch.jit.ignore
def ignored(x: int) -> int:
    return x


@torch.jit.unused
def unused(x: int) -> int:
    return x


@torch.jit.script_if_tracing
def traced(x: int) -> int:
    return x * 2


def torch_jit() -> None:  # torch.jit
    future = torch.jit.fork(helper, 1)
    print(torch.jit.wait(future), torch.jit.annotate(List[int], []), traced(4))
    print(torch.jit.isinstance([1], List[int]))


def main() -> None:
    builtins([3, 1, 2], 1.5)
    constants()
    lists()
    dicts()
    strings()
    maths()
    torch_jit()


# What Python prints:
# CHECK:      3 False True 0b101 False a
# CHECK-NEXT: (1+2j) {'a': 1} (3, 1) [(1, 'a'), (2, 'b')] 1.5 2.0
# CHECK-NEXT: 1.50 1 1 True True
# CHECK-NEXT: 0xff 12 2 True 3 ['a', 'b'] [0, 1, 2]
# CHECK-NEXT: 3 2 1 1.0 0o10 97 8 1
# CHECK-NEXT: [2, 1, 3] 2.57 [1, 2, 3] [3, 2, 1] 1.5
# CHECK-NEXT: 6 1.5 (1, 2) [(3, 'a'), (1, 'b'), (2, 'c')] 'q' [1]
# CHECK-NEXT: [3, 2] True
# CHECK-NEXT: True False None [1.0, 1.0]
# CHECK-NEXT: [3, 2, 5] 7 9 2 1 [3, 2, 5, 1] [3, 2, 5, 3, 2, 5] True True
# CHECK-NEXT: [8, 3, 2] [3, 2] 3
# CHECK-NEXT: []
# CHECK-NEXT: 1 0 4 True 4 ['a', 'b', 'c', 'd'] [1, 2, 3, 4]
# CHECK-NEXT: 1 ('d', 4) [('b', 2), ('c', 3)] True
# CHECK-NEXT: {}
# CHECK-NEXT: HELLO, WORLD hello, world 4 8 HeLLo, WorLd ['Hello', 'World'] True
# CHECK-NEXT: True 3 7 hELLO, wORLD Hello, World Ab x
# CHECK-NEXT: a-b ('a', '=', 'b') 007 **ab** ab  | True
# CHECK-NEXT: False True True True True ['a', 'b'] 1 x
# CHECK-NEXT: 4.0 2 3 1.0 8.0 6
# CHECK-NEXT: 2.7183 2.3026 True True
# CHECK-NEXT: 0.8415 0.4636 -1.0 1.0 120
# CHECK-NEXT: (0.5, 2.0) (0.5, 4) 8.0 180.0 True
# CHECK-NEXT: 2 [] 8
# CHECK-NEXT: True
