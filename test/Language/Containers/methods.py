# Every method of strings, lists and dicts, the builtins, magic methods, and the kinds of statements.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import math
import torch
from enum import Enum
from typing import Any, Dict, Final, List, NamedTuple, Optional, Tuple, Union


def texts(s: str, t: str) -> None:
    print(s.capitalize(), s.center(9, "*"), s.count("l"), s.endswith("o"), "a\tb".expandtabs(4), s.find("l"), "{} {}".format(s, 1))
    print(s.index("l"), s.isalnum(), s.isalpha(), "12".isdecimal(), "12".isdigit(), s.isidentifier(), s.islower(), "1".isnumeric())
    print(s.isprintable(), " ".isspace(), "Ab".istitle(), "AB".isupper(), "-".join([s, t]), s.ljust(7) + "|", "AbC".lower(), "  x".lstrip())
    print(s.partition("l"), s.replace("l", "L"), s.rfind("l"), s.rindex("l"), s.rjust(7), s.rpartition("l"), "a b c".rsplit(" ", 1), "x  ".rstrip() + "|")
    print("a,b,c".split(","), "a b".split(), "a\nb".splitlines(), s.startswith("he"), " x ".strip(), "aB".swapcase(), "ab cd".title(), s.upper(), "7".zfill(3))
    print("xxaxx".strip("x"), "a,b,c".split(",", 1), s[1:4], s[-1], s[::-1], "ell" in s, s + t, s * 2, s < t, s == "hello", len(s))


def lists() -> None:
    l = [3, 1, 2]
    l.append(5)
    l.extend([7, 1])
    l.insert(1, 9)
    print(l, l.count(1), l.index(9), l.pop(), l.pop(0), l)
    l.remove(9)
    l.reverse()
    c = l.copy()
    l.sort()
    print(l, c, l + c, l * 2, 2 in l, len(l), l[::2], l[-2:], l[::-1], max(l), min(l), sum(l), sorted(c, reverse=True))
    l.sort(reverse=True)
    print(l)
    l.clear()
    print(l, [1, 2] == [1, 2], [[0] * 2 for _ in range(2)], list((1, 2)), list(range(3)))


def dicts() -> None:
    d = {"a": 1, "b": 2}
    print(d.get("a"), d.get("z"), d.get("z", 5), list(d.items()), list(d.keys()), list(d.values()), d.pop("a"), d, len(d))
    d.setdefault("c", 3)
    d.update({"e": 4})
    c = d.copy()
    print(d.setdefault("c", 9), c, "e" in d, "q" not in d, d.popitem(), d)
    del d["b"]
    d["c"] += 10
    print(d, {**c, "x": 0}, dict([("k", 1)]), {i: i * i for i in range(3)})
    d.clear()
    print(d, len(c))
    for k, v in c.items():
        print(k, v)


def builtins(x: float, n: int) -> None:
    print(abs(-n), abs(-x), divmod(7, 2), divmod(-7, 2), hex(255), oct(8), bin(5), pow(2, 3), round(x, 1), int(x), float(n), str(n), bool(n), complex(1, 2))
    print(max(1, 2, 3), min(1.5, 0.5), sum([1, 2]), all([True, False]), any([True, False]), len((1, 2)), list(zip([1], ["a"])), list(enumerate(["x"])))
    print(isinstance(n, int), [i for i in reversed(range(3))], int("12"), float("1.5"), n // 2, n % 2, n ** 2, -n, n << 1, n >> 1, n & 1, n | 2, n ^ 1)
    print(math.sqrt(4.0), math.floor(2.7), math.ceil(2.1), math.pi > 3, math.isnan(math.nan), math.gcd(12, 8), math.factorial(5), math.log(math.e), math.copysign(1.0, -2.0))
    print(1 < n < 10, n == 3 != 4, not n, n is not None, (n > 1) and (n < 5), x if n else 0.0, 7 // -2, -7 % 3, 7.5 // 2, 1e3, 0x1F, 1_000, 1e-3)


class V:
    def __init__(self, x: int):
        self.x = x

    def __add__(self, o: "V") -> "V":
        return V(self.x + o.x)

    def __sub__(self, o: "V") -> "V":
        return V(self.x - o.x)

    def __mul__(self, n: int) -> "V":
        return V(self.x * n)

    def __neg__(self) -> "V":
        return V(-self.x)

    def __eq__(self, o: "V") -> bool:
        return self.x == o.x

    def __lt__(self, o: "V") -> bool:
        return self.x < o.x

    def __len__(self) -> int:
        return self.x

    def __contains__(self, n: int) -> bool:
        return n == self.x

    def __getitem__(self, i: int) -> int:
        return self.x + i

    def __setitem__(self, i: int, v: int) -> None:
        self.x = i + v

    def __call__(self, n: int) -> int:
        return self.x * n

    def __str__(self) -> str:
        return f"V{self.x}"

    def __bool__(self) -> bool:
        return self.x > 0

    @property
    def double(self) -> int:
        return self.x * 2

    @double.setter
    def double(self, v: int) -> None:
        self.x = v // 2


def magic() -> None:
    v = V(3)
    w = v + V(4) - V(1)
    w *= 2
    print(w.x, (-w).x, v == V(3), v != V(3), v < w, len(v), 3 in v, v[1], v(5), str(v), v.double, bool(V(0)))
    v[1] = 6
    v.double = 20
    print(v.x, min([V(3), V(1)]).x if False else 0, [a.x for a in sorted([V(3), V(1)])])


class Mode(Enum):
    A = "a"
    B = "b"


class Pair(NamedTuple):
    first: int
    second: str = "z"


def kinds(x: Union[int, str, None], y: Any, z: Optional[List[int]]) -> str:
    out = ""
    if isinstance(x, int):
        out += str(x + 1)
    elif x is None:
        out += "none"
    else:
        out += x.upper()
    if isinstance(y, str):
        out += y
    if torch.jit.isinstance(y, List[int]):
        out += str(len(y))
    if z is not None and len(z) > 0:
        out += str(z[0])
    p = Pair(1)
    q, r = p
    return out + Mode.B.value + Mode.A.name + p.second + str(p.first) + str(q) + r + str(p[0])


def statements(n: int) -> int:
    total: int = 0
    a = b = 1
    (c, d), e = (1, 2), 3
    while True:
        n -= 1
        if n < 0:
            break
        if n % 2:
            continue
        total += n
    else:
        total += 1000
    for i, (x, y) in enumerate(zip([1, 2], [3, 4])):
        total += i * x * y
    assert total >= 0, "negative"
    pass
    l = [0, 0]
    l[0], l[1] = 1, 2
    l[1] -= 1
    with torch.no_grad():
        total += l[1]
    del l
    return total + a + b + c + d + e


def main():
    texts("hello", "world")
    lists()
    dicts()
    builtins(2.75, 3)
    magic()
    print(kinds(1, "s", [5]), kinds("ab", [1, 2], None), kinds(None, 3, []))
    print(statements(6))


# What Python prints:
# CHECK: Hello **hello** 2 True a   b 2 hello 1
# CHECK-NEXT: 2 True True True True True True True
# CHECK-NEXT: True True True True hello-world hello  | abc x
# CHECK-NEXT: ('he', 'l', 'lo') heLLo 3 3   hello ('hel', 'l', 'o') ['a b', 'c'] x|
# CHECK-NEXT: ['a', 'b', 'c'] ['a', 'b'] ['a', 'b'] True x Ab Ab Cd HELLO 007
# CHECK-NEXT: a ['a', 'b,c'] ell o olleh True helloworld hellohello True True 5
# CHECK-NEXT: [9, 1, 2, 5, 7] 2 1 1 3 [9, 1, 2, 5, 7]
# CHECK-NEXT: [1, 2, 5, 7] [7, 5, 2, 1] [1, 2, 5, 7, 7, 5, 2, 1] [1, 2, 5, 7, 1, 2, 5, 7] True 4 [1, 5] [5, 7] [7, 5, 2, 1] 7 1 15 [7, 5, 2, 1]
# CHECK-NEXT: [7, 5, 2, 1]
# CHECK-NEXT: [] True {{[[][[]}}0, 0], [0, 0]] [1, 2] [0, 1, 2]
# CHECK-NEXT: 1 None 5 [('a', 1), ('b', 2)] ['a', 'b'] [1, 2] 1 {'b': 2} 1
# CHECK-NEXT: 3 {'b': 2, 'c': 3, 'e': 4} True True ('e', 4) {'b': 2, 'c': 3}
# CHECK-NEXT: {'c': 13} {'b': 2, 'c': 3, 'e': 4, 'x': 0} {'k': 1} {0: 0, 1: 1, 2: 4}
# CHECK-NEXT: {} 3
# CHECK-NEXT: b 2
# CHECK-NEXT: c 3
# CHECK-NEXT: e 4
# CHECK-NEXT: 3 2.75 (3, 1) (-4, 1) 0xff 0o10 0b101 8 2.8 2 3.0 3 True (1+2j)
# CHECK-NEXT: 3 0.5 3 False True 2 [(1, 'a')] [(0, 'x')]
# CHECK-NEXT: True [2, 1, 0] 12 1.5 1 1 9 -3 6 1 1 3 2
# CHECK-NEXT: 2.0 2 3 True True 4 120 1.0 -1.0
# CHECK-NEXT: True True False True True 2.75 -4 2 3.0 1000.0 31 1000 0.001
# CHECK-NEXT: 12 -12 True False True 3 True 4 15 V3 6 False
# CHECK-NEXT: 10 0 [1, 3]
# CHECK-NEXT: 2s5bAz11z1 AB2bAz11z1 nonebAz11z1
# CHECK-NEXT: 23
