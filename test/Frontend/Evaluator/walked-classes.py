# What classes of a walked file can say of themselves: protocols, properties, orders, closures and causes.
# RUN: tsc-run %s | FileCheck %s --match-full-lines --strict-whitespace

from collections import namedtuple
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import torch

T = TypeVar("T")


class Walked(torch.nn.Module):  # a file that defines modules is walked
    def __init__(self):
        super().__init__()
        self.__count = 3  # private names of modules are mangled, too

    def forward(self, x):
        return x * self.__count


class Old:  # without __iter__ a loop asks __getitem__ until it raises an IndexError
    def __init__(self, *v):
        self.v = v

    def __getitem__(self, i):
        return self.v[i]


old = Old(1, 2, 3)
print(list(old), [x for x in old], 2 in old)


class Base:
    known = []

    def __init_subclass__(cls):
        Base.known.append(cls.__name__)

    def _get(self):
        return 5

    value = property(_get)
    double = lambda self: self.value * 2


class Derived(Base):
    @property
    def value(self):
        return super().value + 1

    def __index__(self):
        return 1


print(Base.known, Base().value, Derived().value, Derived().double(), [10, 20][Derived()], list(range(Derived())))
print([k.__name__ for k in Derived.__mro__], issubclass(Derived, (int, Base)), issubclass(bool, int))


@dataclass(frozen=True, order=True)
class Version:
    major: int
    minor: int = 0


print(Version(1) < Version(1, 2), sorted([Version(3), Version(1, 5), Version(1)]), {Version(1): "k"}[Version(1, 0)])
try:
    Version(1).major = 3
except AttributeError as e:
    print(type(e).__name__, e)


class Stack(Generic[T]):
    def __init__(self):
        self.items = []

    def push(self, x):
        self.items.append(x)
        return self


Point = namedtuple("Point", ["x", "y"])
print(len(Stack().push(1).push(2).items), Point._fields, Point(1, y=2))


def counter(step):
    count = 0

    def inc():
        nonlocal count
        count += step
        return count

    return inc


by_two, by_ten = counter(2), counter(10)
print(by_two(), by_two(), by_ten(), by_two())


class ConfigError(ValueError):
    pass


try:
    try:
        {}["lr"]
    except KeyError as e:
        raise ConfigError("lr") from e
except ConfigError as e:
    print(repr(e), type(e.__cause__).__name__)
try:
    torch.ones(2)[5]
except IndexError as e:
    print("IndexError", e)
try:
    torch.ones(2).sum(3)
except IndexError as e:
    print("IndexError")
net = Walked()
print(net._Walked__count, net(torch.ones(1)))

# CHECK:[1, 2, 3] [1, 2, 3] True
# CHECK-NEXT:['Derived'] 5 6 12 20 [0]
# CHECK-NEXT:['Derived', 'Base', 'object'] True True
# CHECK-NEXT:True [Version(major=1, minor=0), Version(major=1, minor=5), Version(major=3, minor=0)] k
# CHECK-NEXT:FrozenInstanceError cannot assign to field 'major'
# CHECK-NEXT:2 ('x', 'y') Point(x=1, y=2)
# CHECK-NEXT:2 4 10 6
# CHECK-NEXT:ConfigError('lr') KeyError
# CHECK-NEXT:IndexError index 5 is out of bounds for dimension 0 with size 2
# CHECK-NEXT:IndexError
# CHECK-NEXT:3 tensor([3.])
