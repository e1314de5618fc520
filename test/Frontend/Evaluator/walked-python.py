# What a walked file prints is what CPython prints: numbers, text, containers, iterators and protocols.
# RUN: tsc-run %s | FileCheck %s --match-full-lines --strict-whitespace

import torch


class Walked(torch.nn.Module):  # a file that defines modules is walked
    def forward(self, x):
        return x


COUNT = 0


def bump(by=1):
    global COUNT
    COUNT += by
    return COUNT


print(bump(), bump(5), COUNT)
print(1.0 // 0.1, -7.5 % 2, divmod(1.0, 0.1), True & False, True ^ True, 9007199254740993 == 9007199254740992.0)
print(sorted([("a", 1), ("b", 2), ("c", 1)], key=lambda p: p[1], reverse=True), max("aa", "b", key=len), max([], default=7))
print(range(3), range(3) == [0, 1, 2], set(), {3, 1, 2}, 5 in range(0, 10, 5), "%c%c" % (65, "b"))
d = {"a": 1}
keys = d.keys()
d["b"] = 2
print(list(keys), d.items(), len(keys))
d.update([("a", 5)], c=3)
print(d)
it = iter([1, 2, 3, 4])
print(next(it), list(zip(it, it)), list(it))
xs = [1, 2, 3]
for x in xs:
    if x < 3:
        xs.append(x + 10)
print(xs)
print("a,b,c".split(",", 1), "x.py".endswith((".txt", ".py")), int("ff", 16), "héllo"[1], len("héllo"), "ab cd".title())
print([x for x in [1, 0, 2] if x if 4 // x > 2], [y := 3, y], any(10 // x > 3 for x in [2, 0]))


class Own:
    def __init__(self, v):
        self.__v = v

    def __eq__(self, other):
        return isinstance(other, Own) and self.__v == other.__v

    def __lt__(self, other):
        return self.__v < other.__v

    def __hash__(self):
        return hash(self.__v)

    def __repr__(self):
        return f"Own({self.__v})"

    def __str__(self):
        return "own"

    @property
    def v(self):
        return self.__v

    @v.setter
    def v(self, value):
        self.__v = value * 2


o = Own(1)
o.v = 4
print(Own(1) in [Own(2), Own(1)], [Own(1)] == [Own(1)], [Own(3), Own(2)].index(Own(2)), min(Own(3), Own(2)), [o], o, {Own(1): 2}[Own(1)])
print(hasattr(o, "__v"), callable(o), callable(Own), type(o).__name__, type(1 < 2), type("a"))


class Keeps:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        print("exit", kind.__name__, value)
        return True


with Keeps():
    raise ValueError("boom")
calls = []


def index():
    calls.append(1)
    return 0


numbers = [5]
numbers[index()] += 1
print(numbers, len(calls))


def twice(f):
    def inner(x):
        return f(f(x))
    return inner


@twice
def increment(x):
    return x + 1


print(increment(1))
for attempt in [lambda: 1 / 0, lambda: [].pop(), lambda: int("z"), lambda: {}["k"], lambda: ", ".join([1]), lambda: 0 ** -1,
                lambda: bump(1, 2), lambda: 1 + "a"]:
    try:
        attempt()
    except Exception as e:
        print(type(e).__name__, e)

# CHECK:1 6 6
# CHECK-NEXT:9.0 0.5 (9.0, 0.09999999999999995) False False False
# CHECK-NEXT:[('b', 2), ('a', 1), ('c', 1)] aa 7
# CHECK-NEXT:range(0, 3) False set() {1, 2, 3} True Ab
# CHECK-NEXT:['a', 'b'] dict_items([('a', 1), ('b', 2)]) 2
# CHECK-NEXT:{'a': 5, 'b': 2, 'c': 3}
# CHECK-NEXT:1 [(2, 3)] []
# CHECK-NEXT:[1, 2, 3, 11, 12]
# CHECK-NEXT:['a', 'b,c'] True 255 é 5 Ab Cd
# CHECK-NEXT:[1] [3, 3] True
# CHECK-NEXT:True True 1 own [Own(8)] own 2
# CHECK-NEXT:False False True Own <class 'bool'> <class 'str'>
# CHECK-NEXT:exit ValueError boom
# CHECK-NEXT:[6] 1
# CHECK-NEXT:3
# CHECK-NEXT:ZeroDivisionError division by zero
# CHECK-NEXT:IndexError pop from empty list
# CHECK-NEXT:ValueError invalid literal for int() with base 10: 'z'
# CHECK-NEXT:KeyError 'k'
# CHECK-NEXT:TypeError sequence item 0: expected str instance, int found
# CHECK-NEXT:ZeroDivisionError 0.0 cannot be raised to a negative power
# CHECK-NEXT:TypeError bump() takes from 0 to 1 positional arguments but 2 were given
# CHECK-NEXT:TypeError unsupported operand type(s) for +: 'int' and 'str'
