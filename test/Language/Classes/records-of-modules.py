# In files that make modules: NamedTuples as tuples and as what modules take and give, dataclasses, enumerations, texts.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
from collections import namedtuple
from dataclasses import asdict, dataclass, field, replace
from enum import Enum, IntEnum, StrEnum
from torch import nn
from typing import Dict, List, NamedTuple, Optional


class Kind(IntEnum):
    A = 1
    B = 2


class Mode(StrEnum):
    TRAIN = "train"
    EVAL = "eval"


class Settings(NamedTuple):
    width: int
    scale: float = 0.5
    names: List[str] = []
    extra: Optional[int] = None

    def label(self) -> str:
        return "w" + str(self.width)


class Output(NamedTuple):
    value: torch.Tensor
    more: Optional[torch.Tensor] = None
    parts: List[torch.Tensor] = []


Pair = namedtuple("Pair", "first second")
Later = namedtuple("Later", ["a", "b"], defaults=[5])


@dataclass(frozen=True)
class Options:
    mode: Mode = Mode.EVAL
    kind: Kind = Kind.B
    sizes: List[int] = field(default_factory=list)


class Net(nn.Module):
    def __init__(self, settings: Settings, options: Options):
        super().__init__()
        self.settings = settings
        self.options = options

    def forward(self, x: torch.Tensor) -> Output:
        y = x * self.settings.scale
        if self.settings.extra is not None:
            y = y + self.settings.extra
        if self.options.mode == Mode.TRAIN:
            y = -y
        if len(self.settings.names) > 0:
            return Output(y, y * self.options.kind, [y])
        return Output(y)

    @torch.jit.export
    def swap(self, p: Output) -> Output:
        return p._replace(value=p.value + 1)


class Both(nn.Module):
    def pair(self, x) -> Pair:
        return Pair(x, x + 1)

    def forward(self, x):
        first, second = self.pair(x)
        return first + second


if __name__ == "__main__":
    s = Settings(3, names=["a"])
    print(s, s.width, s[1], len(s), s.label(), s == (3, 0.5, ["a"], None), s == Settings(3, names=["a"]))
    print(s._replace(width=4), s._asdict(), s._fields, isinstance(s, tuple), isinstance(s, Settings))
    width, scale, *rest = s
    print(width, scale, rest, [type(v).__name__ for v in s], Settings(1) < Settings(2), hash(s[0]) == hash(3))
    print(Pair(1, second=2), Later(1), Later(b=2, a=0).a, Pair(1, 2) in [Pair(1, 2)])
    o = Options()
    print(o, replace(o, mode=Mode.TRAIN).mode, asdict(Options(sizes=[1]))["sizes"], o == Options())
    for options in [o, replace(o, mode=Mode.TRAIN)]:
        for settings in [s, Settings(2, extra=1)]:
            net = Net(settings, options)
            out = net(torch.ones(2))
            print(out.value, out.more, len(out.parts), out._fields, net.swap(out).value, out[0] is out.value)
    print(Both()(torch.ones(2)))
    print(Kind.A + 1, Kind.B == 2, Kind.A < Kind.B, Mode.EVAL == "eval", Mode.TRAIN.upper(), f"{Mode.TRAIN}-{Kind.A}")
    print(str(Kind.A), [Kind.A, Mode.EVAL], Kind(2).name, Kind["A"], Mode.EVAL in [Mode.EVAL], len(Mode), len(Mode.EVAL))
    print("%5.2f|%-4s|%04d|%x|%e|%r|%%|%.2s" % (1.5, "a", 7, 255, 1.0, "q", "long"), "%(a)s %(b)04d" % {"a": 1, "b": 2})
    print(f"{1.5:>8.3f}|{'a':^7}|{'b':*<4}|{7:04d}|{255:#x}|{1234567:,}|{0.25:.0%}|{3.14159:{6}.{2}f}|{-5:+d}", "{" + "%s}" % 1)
    match s:
        case Settings(3, scale, names=[name]):
            print("matched", scale, name)


# What Python prints:
# CHECK: Settings(width=3, scale=0.5, names=['a'], extra=None) 3 0.5 4 w3 True True
# CHECK-NEXT: Settings(width=4, scale=0.5, names=['a'], extra=None) {'width': 3, 'scale': 0.5, 'names': ['a'], 'extra': None} ('width', 'scale', 'names', 'extra') True True
# CHECK-NEXT: 3 0.5 {{\[\[}}'a'], None] ['int', 'float', 'list', 'NoneType'] True True
# CHECK-NEXT: Pair(first=1, second=2) Later(a=1, b=5) 0 True
# CHECK-NEXT: Options(mode=<Mode.EVAL: 'eval'>, kind=<Kind.B: 2>, sizes=[]) train [1] True
# CHECK-NEXT: tensor([0.5000, 0.5000]) tensor([1., 1.]) 1 ('value', 'more', 'parts') tensor([1.5000, 1.5000]) True
# CHECK-NEXT: tensor([1.5000, 1.5000]) None 0 ('value', 'more', 'parts') tensor([2.5000, 2.5000]) True
# CHECK-NEXT: tensor([-0.5000, -0.5000]) tensor([-1., -1.]) 1 ('value', 'more', 'parts') tensor([0.5000, 0.5000]) True
# CHECK-NEXT: tensor([-1.5000, -1.5000]) None 0 ('value', 'more', 'parts') tensor([-0.5000, -0.5000]) True
# CHECK-NEXT: tensor([3., 3.])
# CHECK-NEXT: 2 True True True TRAIN train-1
# CHECK-NEXT: 1 [<Kind.A: 1>, <Mode.EVAL: 'eval'>] B 1 True 2 4
# CHECK-NEXT:  1.50|a   |0007|ff|1.000000e+00|'q'|%|lo 1 0002
# CHECK-NEXT:    1.500|   a   |b***|0007|0xff|1,234,567|25%|  3.14|-5 {1}
# CHECK-NEXT: matched 0.5 a
