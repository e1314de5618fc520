#!/usr/bin/env python3
"""Write small archives as torch.jit.save lays them out, without PyTorch.

usage: write_archive.py NAME OUT.pt

Names: `scale` (three weights, forward(x) = x * w + 1), `policy` (the same with one weight), `counter` (a module that counts its calls), `setstate` (a class whose
__setstate__ must not run by itself), `hooked` (forward(x) = x + 1, with a hook that doubles x first), `hooks` (hooks before and
after forward that give other values, or None, and one that stands there twice), `meanings` (operators to which Python gives another
meaning than PyTorch), `files` (methods that write a file and look for one), `prepacked` (linear maps of xnnpack, a constant and
an attribute), `dictionary` (code that makes a dict without a literal), `profiled` (code with marks for a profiler), `prepacked-short` and `prepacked-wrong` (the state of a convolution that lacks a value, and one with a list for
its weight), `prepacked-bare` (a convolution without a state).
"""
import pickle
import struct
import sys
import types
import zipfile

SCALE = """class M(Module):
  __parameters__ = ["w", ]
  __buffers__ = []
  training : bool
  w : Tensor
  def forward(self: __torch__.M, x: Tensor) -> Tensor:
    w = self.w
    return torch.add(torch.mul(x, w), CONSTANTS.c0)
  def wrong(self: __torch__.M, x: Tensor) -> Tensor:
    return torch.mm(x, self.w)
"""
COUNTER = """class M(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  count : int
  def forward(self: __torch__.M, n: int) -> int:
    count = self.count
    self.count = torch.add(count, n)
    return self.count
"""
SETSTATE = """class M(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  count : int
  def forward(self: __torch__.M) -> int:
    return self.count
  def __setstate__(self: __torch__.M, state: int) -> NoneType:
    self.count = torch.mul(state, 2)
    self.training = False
    return None
"""
HOOKED = """class M(Module):
  __parameters__ = []
  __buffers__ = []
  __forward_pre_hooks__ = ["twice", ]
  training : bool
  def forward(self: __torch__.M, x: int) -> int:
    return torch.add(x, 1)
  def twice(self: __torch__.M, input: Tuple[int]) -> Tuple[int]:
    return (torch.mul((input)[0], 2),)
"""
HOOKS = """class M(Module):
  __parameters__ = []
  __buffers__ = []
  __forward_pre_hooks__ = ["look", "change", "change", "single", ]
  __forward_hooks__ = ["see", "tenfold", ]
  training : bool
  seen : int
  def forward(self: __torch__.M, x: int, y: int=5) -> int:
    print("forward", x, y)
    return torch.add(x, y)
  def look(self: __torch__.M, input: Tuple[int, int]) -> NoneType:
    print("look", (input)[0], (input)[1])
    self.seen = torch.add(self.seen, 1)
    return None
  def change(self: __torch__.M, input: Tuple[int, int]) -> Tuple[int, int]:
    return (torch.mul((input)[0], 2), torch.add((input)[1], 1))
  def single(self: __torch__.M, input: Tuple[int, int]) -> int:
    return torch.add((input)[0], (input)[1])
  def see(self: __torch__.M, input: Tuple[int], result: int) -> NoneType:
    print("see", (input)[0], result, self.seen)
    return None
  def tenfold(self: __torch__.M, input: Tuple[int], result: int) -> int:
    return torch.mul(result, 10)
"""
FILES = """class M(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.M, path: str) -> int:
    return ops.tsc.write_text(path, "text")
  def look(self: __torch__.M, path: str) -> bool:
    return ops.tsc.exists(path)
"""
MEANINGS = """class M(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.M, zero: int, x: float, s: str) -> Tuple[float, float, float, float, int, str]:
    print(x, [x], s)
    d = {"a": 1, "b": 2}
    oldest = ops.aten.popitem(d)
    return (torch.div(1, zero), torch.floordiv(1.0, 0.1), torch.remainder(x, 0.0), torch.pow(2, 3), torch.len(s), torch.format("{:.2f} {} {}", torch.str(x), oldest))
"""
DICTIONARY = """class M(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.M, x: Tensor) -> Dict[str, Tensor]:
    result = torch.dict()
    _0 = torch._set_item(result, "out", torch.neg(x))
    _1 = torch._set_item(result, "aux", x)
    return torch.dict(torch.items(result))
"""
PROFILED = """class M(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.M, x: Tensor) -> Tensor:
    _0 = ops.profiler._record_function_enter("outer")
    h = ops.profiler._record_function_enter_new("inner", None)
    y = torch.add(x, 1)
    ops.profiler._record_function_exit(h)
    ops.profiler._record_function_exit(_0)
    return y
"""
PREPACKED = """class M(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  packed : __torch__.torch.classes.xnnpack.LinearOpContext
  def forward(self: __torch__.M, x: Tensor) -> Tensor:
    y = ops.prepacked.linear_clamp_run(x, CONSTANTS.c0)
    return ops.prepacked.linear_clamp_run(y, self.packed)
"""
PREPACKED_CONSTANT = """class M(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.M, x: Tensor) -> Tensor:
    return ops.prepacked.conv2d_clamp_run(x, CONSTANTS.c0)
"""


def stub(module, name):
    """A class that pickles as `module.name`."""
    home = sys.modules.setdefault(module, types.ModuleType(module))
    made = type(name, (), {"__module__": module})
    setattr(home, name, made)
    return made


Module = stub("__torch__", "M")
FloatStorage = stub("torch", "FloatStorage")
rebuild = stub("torch._utils", "_rebuild_tensor_v2")


class Tensor:
    def __init__(self, *values, size=None):
        self.values, self.size = values, size

    def __reduce__(self):
        size, strides = self.size or (len(self.values),), (1,)
        for length in reversed(size[1:]):
            strides = (length * strides[0], *strides)
        return rebuild, (Storage(self.values), 0, size, strides, False, {})


class Storage:
    def __init__(self, values):
        self.values = values


class Pickler(pickle._Pickler):  # the one in Python: it calls no class that it names
    def __init__(self, file, folder, storages):
        super().__init__(file, 2)
        self.folder, self.storages = folder, storages

    def persistent_id(self, value):
        if not isinstance(value, Storage):
            return None
        key = str(len(self.storages))
        self.storages.append((f"{self.folder}/{key}", struct.pack(f"<{len(value.values)}f", *value.values)))
        return ("storage", FloatStorage, key, "cpu", len(value.values))


def pickled(value, folder, storages):
    import io
    file = io.BytesIO()
    Pickler(file, folder, storages).dump(value)
    return file.getvalue()


def module(state):
    made = Module()
    if isinstance(state, dict):
        made.__dict__.update(state)
    else:
        Module.__reduce_ex__ = lambda self, protocol: (__import__("copyreg").__newobj__, (Module,), state)
    return made


def native(name, *state):
    """An object of a C++ class of PyTorch's."""
    module, name = name.rsplit(".", 1)
    made = getattr(sys.modules.get(module), name, None) or stub(module, name)
    made.__reduce_ex__ = lambda self, protocol: (__import__("copyreg").__newobj__, (made,), *filter(None, [self.state]))
    result = made()
    result.state = state
    return result


def linear(rows, *state):
    weight = Tensor(*sum(rows, ()), size=(len(rows), len(rows[0])))
    return native("__torch__.torch.classes.xnnpack.LinearOpContext", weight, *state)


def convolution(*state):
    return native("__torch__.torch.classes.xnnpack.Conv2dOpContext", *state)


def write(path, code, state, constants=()):
    storages = []
    data, constant_data = pickled(module(state), "data", storages), pickled(constants, "constants", storages)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        entries = [("data.pkl", data), ("constants.pkl", constant_data), ("version", b"3\n"), ("code/__torch__.py", code.encode()), *storages]
        for name, contents in entries:
            archive.writestr(zipfile.ZipInfo("m/" + name, (1980, 1, 1, 0, 0, 0)), contents)


ARCHIVES = {
    "scale": lambda path: write(path, SCALE, {"training": False, "w": Tensor(1.0, 2.0, 3.0)}, (1,)),
    "policy": lambda path: write(path, SCALE, {"training": False, "w": Tensor(2.0)}, (1,)),
    "counter": lambda path: write(path, COUNTER, {"training": False, "count": 40}),
    "hooked": lambda path: write(path, HOOKED, {"training": False}),
    "files": lambda path: write(path, FILES, {"training": False}),
    "meanings": lambda path: write(path, MEANINGS, {"training": False}),
    "hooks": lambda path: write(path, HOOKS, {"training": False, "seen": 0}),
    "dictionary": lambda path: write(path, DICTIONARY, {"training": False}),
    "profiled": lambda path: write(path, PROFILED, {"training": False}),
    "prepacked": lambda path: write(
        path, PREPACKED, {"training": False, "packed": linear([(2.0, 0.0), (0.0, -1.0)], Tensor(0.5, 0.5), None, 4)},
        (linear([(1.0, 1.0), (0.0, 1.0)], None, 0.0, None),)),
    "prepacked-short": lambda path: write(path, PREPACKED_CONSTANT, {"training": False}, (convolution(Tensor(1.0), None),)),
    "prepacked-wrong": lambda path: write(path, PREPACKED_CONSTANT, {"training": False},
                                          (convolution([1, 1], None, [1, 1], [0, 0], [1, 1], 1, None, None),)),
    "prepacked-bare": lambda path: write(path, PREPACKED_CONSTANT, {"training": False}, (convolution(),)),
    "setstate": lambda path: write(path, SETSTATE, 21),
}
if __name__ == "__main__":
    ARCHIVES[sys.argv[1]](sys.argv[2])
