#!/usr/bin/env python3
"""Write small archives as torch.jit.save lays them out, without PyTorch.

usage: write_archive.py NAME OUT.pt

Names: `scale` (three weights, forward(x) = x * w + 1), `policy` (the same with one weight), `counter` (a module that counts its calls), `setstate` (a class whose
__setstate__ must not run by itself), `hooked` (forward(x) = x + 1, with a hook that doubles x first), `hooks` (hooks before and
after forward that give other values, or None, and one that stands there twice), `meanings` (operators to which Python gives another
meaning than PyTorch), `files` (methods that write a file and look for one), `prepacked` (linear maps of xnnpack, a constant and
an attribute), `dictionary` (code that makes a dict without a literal), `profiled` (code with marks for a profiler), `prepacked-short` and `prepacked-wrong` (the state of a convolution that lacks a value, and one with a list for
its weight), `prepacked-bare` (a convolution without a state), `missing` (operators, a function and a class that nobody has), `without-weights` (constants that torch.jit.save leaves out), `records`
and `records-old` (code with debug records, in the form of today and in that before PyTorch 1.11), `records-odd` (records that
say nonsense), `records-wrong` (with a method that does not compile), `cuda` (tensors, an attribute and code of a GPU), `mps`, `meta`, `sparse` (COO and CSR) and `sparse-odd` (rows that end before they begin), `nibbles` and `nibbles-short` (quint4x2, and too few bytes of it), `strange` (a device that there
is not), `old` (format version 3: integers are divided without the rest) and `new` (the same code, version 4, in .data/version),
`float8` and `float8-fnuz` (floats of 8 bits), `unsigned` and `unsigned-large` (unsigned integers, and one that no other dtype
holds), `complex` (a complex weight), `conjugate` (one that is conjugated when it is read, and one that is negated), `conjugate-odd` (a real
one that is conjugated), `extra` (files beside the program), `mobile` (bytecode beside the code), `bytecode` (without code), `legacy` (the form of
PyTorch 1.0 and 1.1, with a model.json), `legacy-deep` and `legacy-odd` (model.json that nests without end, and with a tensor that
there is not).
"""
import json
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
MISSING = """class M(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.M, x: Tensor) -> Tensor:
    # torch.in_a_comment(x)
    print("torch.in_a_string(x)")
    y = torch.not_there(x)
    z = ops.mine.nor_this(y)
    return torch.not_there(__torch__.helpers.gone(z))
  def fine(self: __torch__.M, x: Tensor) -> Tensor:
    return torch.add(x, 1)
  def classes(self: __torch__.M, x: Tensor) -> Tensor:
    t = unchecked_cast(__torch__.torch.classes.mine.Thing, x)
    return x
import __torch__.helpers.unused
"""
WITHOUT_WEIGHTS = """class M(Module):
  __parameters__ = []
  __buffers__ = []
  def forward(self: __torch__.M, x: Tensor) -> Tensor:
    w = ops.prim.ConstantMKLDNNTensor()
    return torch.relu_(torch.mm(x, w))
"""
RECORDS = """class M(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.M, x: Tensor) -> Tensor:
    y = torch.neg(x)
    return torch.mm(y, x)
"""
WRONG = """  def wrong(self: __torch__.M, x: Tensor) -> str:
    return torch.neg(x)
"""
CUDA = """class M(Module):
  __parameters__ = ["w", ]
  __buffers__ = []
  training : bool
  w : Tensor
  place : Device
  name : str
  def forward(self: __torch__.M, x: Tensor) -> Tensor:
    y = torch.zeros([3], dtype=None, layout=None, device=torch.device("cuda:0"))
    z = torch.ones([3], dtype=None, layout=None, device=self.place)
    u = torch.ones([3], dtype=None, layout=None, device=torch.device(self.name))
    v = torch.add(torch.add(torch.cuda(x), y), torch.add(z, u))
    return torch.add(torch.to(v, torch.device("cuda")), self.w)
  def where(self: __torch__.M) -> Tuple[Device, bool]:
    return (self.place, torch.eq(ops.prim.device(self.w), torch.device("cuda:0")))
  def meta(self: __torch__.M) -> Device:
    return torch.device("meta")
"""
WEIGHT = """class M(Module):
  __parameters__ = ["w", ]
  __buffers__ = []
  training : bool
  w : Tensor
  def forward(self: __torch__.M) -> Tensor:
    return self.w
"""
NIBBLES = WEIGHT.replace("-> Tensor:", "-> Tuple[Tensor, Tensor, int]:").replace(
    "return self.w", "return (torch.int_repr(self.w), torch.dequantize(self.w), ops.prim.dtype(self.w))")
TWO_WEIGHTS = WEIGHT.replace('"w"', '"w", "u"').replace("w : Tensor", "w : Tensor\n  u : Tensor").replace(
    "-> Tensor:", "-> Tuple[Tensor, Tensor]:").replace("return self.w", "return (self.w, self.u)")
OLD = """class M(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.M, x: Tensor, y: Tensor) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    a = torch.div(x, y)
    b = torch.div(x, 2)
    c = torch.div_(torch.add(x, 0), y)
    d = torch.full([2], 7, dtype=None, layout=None, device=None, pin_memory=None)
    return (a, b, c, d)
  def floats(self: __torch__.M, x: Tensor) -> Tuple[Tensor, Tensor]:
    return (torch.div(x, 2), torch.gelu(x))
"""


def stub(module, name):
    """The class that pickles as `module.name`."""
    parts = module.split(".")
    for i in range(len(parts)):
        package = ".".join(parts[:i + 1])
        sys.modules.setdefault(package, types.ModuleType(package))
    home = sys.modules[module]
    if not hasattr(home, name):
        setattr(home, name, type(name, (), {"__module__": module}))
    return getattr(home, name)


Module = stub("__torch__", "M")
rebuild = stub("torch._utils", "_rebuild_tensor_v2")


class Tensor:
    def __init__(self, *values, size=None, dtype="Float", **metadata):
        self.values, self.size, self.dtype, self.metadata = values, size, dtype, metadata

    def __reduce__(self):
        size, strides = self.size or (len(self.values),), (1,)
        for length in reversed(size[1:]):
            strides = (length * strides[0], *strides)
        return rebuild, (Storage(self.values, self.dtype), 0, size, strides, False, {}, *([self.metadata] if self.metadata else []))


class Sparse:
    """A sparse tensor, as torch.jit.save writes it: layout 1 is COO, 2 CSR."""
    def __init__(self, layout, size, *parts):
        self.args = (layout, size, False, *parts, {})

    def __reduce__(self):
        return stub("torch._utils", "_rebuild_sparse_tensor"), self.args


class Nibbles:
    """A matrix of quint4x2, two integers in a byte, whose rows are quantized."""
    def __init__(self, size, scales, zeros, *values):
        self.size, self.scales, self.zeros, self.values = size, scales, zeros, values

    def __reduce__(self):
        scheme = (stub("torch", "per_channel_affine_float_qparams"), Tensor(*self.scales), Tensor(*self.zeros), 0)
        return stub("torch._utils", "_rebuild_qtensor"), (Storage(self.values, "QUInt4x2"), 0, self.size, (self.size[1], 1), scheme, False, {})


class Device:
    def __init__(self, name):
        self.name = name

    def __reduce__(self):
        return stub("torch", "device"), (self.name,)


class Ints(list):
    def __reduce_ex__(self, protocol):
        return stub("torch.jit._pickle", "build_intlist"), (list(self),)


class Storage:
    location = "cpu"
    formats = {"Long": "q", "Double": "d", "QUInt4x2": "B", "Float8_e4m3fn": "B", "Float8_e5m2": "B", "Float8_e4m3fnuz": "B",
               "Float8_e5m2fnuz": "B", "UInt16": "H", "UInt32": "I", "UInt64": "Q"}

    def __init__(self, values, dtype):
        self.values, self.dtype = values, dtype

    def bytes(self):
        if self.location == "meta":
            return b""
        values = [part for value in self.values for part in (value.real, value.imag)] if "Complex" in self.dtype else self.values
        return struct.pack("<" + str(len(values)) + self.formats.get(self.dtype, "f"), *values)


class Pickler(pickle._Pickler):  # the one in Python: it calls no class that it names
    def __init__(self, file, folder, storages):
        super().__init__(file, 2)
        self.folder, self.storages = folder, storages

    def _batch_setitems(self, items):  # PyTorch reads this form alone
        self.write(pickle.MARK)
        for key, value in items:
            self.save(key)
            self.save(value)
        self.write(pickle.SETITEMS)

    def _batch_appends(self, items):
        self.write(pickle.MARK)
        for value in items:
            self.save(value)
        self.write(pickle.APPENDS)

    def persistent_id(self, value):
        if not isinstance(value, Storage):
            return None
        key = str(len(self.storages))
        self.storages.append((f"{self.folder}/{key}", value.bytes()))
        return ("storage", stub("torch", value.dtype + "Storage"), key, Storage.location, len(value.values))


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


def write(path, code, state, constants=(), version=("version", b"3\n"), location="cpu", others=()):
    storages = []
    Storage.location = location
    data, constant_data = pickled(module(state), "data", storages), pickled(constants, "constants", storages)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        entries = [("data.pkl", data), ("constants.pkl", constant_data), version, *storages, *others]
        if code:
            entries.append(("code/__torch__.py", code.encode()))
        for name, contents in entries:
            archive.writestr(zipfile.ZipInfo("m/" + name, (1980, 1, 1, 0, 0, 0)), contents)


SOURCE = "def forward(self, x):\n    y = -x\n    return y.mm(\n        x)\n"


def records():
    """Where the calls of RECORDS came from: SOURCE, from line 7 of net.py on; of `wrong` only the text is known."""
    table = ("", *SOURCE.splitlines(keepends=True), "net.py")
    source = (Ints([1, 2, 3, 4]), 5, 7)
    nowhere = (0, ((Ints(), 0, 0), 0, 0), 0)
    at = [(RECORDS + WRONG).index(call) for call in ("torch.neg(x)", "torch.mm", "def wrong")]
    places = [(SOURCE.index(text), SOURCE.index(text) + len(text)) for text in ("-x", "y.mm(\n        x)")]
    return ("FORMAT_WITH_STRING_TABLE", table,
            (nowhere, *((offset, (source, *place), 1) for offset, place in zip(at, places)), (at[2], (source, 0, 3), 2)))


def old_records():
    """The same before there was a table."""
    _, table, lines = records()
    return tuple((offset, (("".join(table[i] for i in ints), table[name] or None, line), begin, end), tag)
                 for offset, ((ints, name, line), begin, end), tag in lines)


def odd_records():
    """Numbers that lead nowhere, and what is no record."""
    far = (Ints([1, 99, -1]), 99, -(1 << 62))
    return ("FORMAT_WITH_STRING_TABLE", ("", "x = 1\n"),
            (1, (), (1,), (1, ()), (-5, (far, 0, 1), 0), (1 << 40, (far, 0, 1), 0), (3, (far, -7, 1 << 50), 0), (9, (None, 0, 0), 0)))


def with_records(path, value, code=RECORDS):
    write(path, code, {"training": False}, others=[("code/__torch__.py.debug_pkl", pickled(value, "", []))])


def gpu(name):
    return {"training": False, "w": Tensor(1.0, 2.0, 3.0), "place": Device(name), "name": name}


COO = Sparse(1, (2, 3), Tensor(0, 1, 1, 2, 0, 0, size=(2, 3), dtype="Long"), Tensor(1.0, 2.0, 4.0))
CSR = Sparse(2, (2, 3), Tensor(0, 1, 3, dtype="Long"), Tensor(2, 0, 1, dtype="Long"), Tensor(5.0, 6.0, 7.0))

LEGACY_MAIN = """op_version_set = 0
def forward(self,
    x: Tensor) -> Tensor:
  _0 = (self.fc).forward(x, )
  return torch.add(_0, torch.mul(CONSTANTS.c2, self.scale), alpha=1)
"""
LEGACY_INNER = """op_version_set = 0
def forward(self,
    x: Tensor) -> Tensor:
  return torch.add(torch.matmul(x, torch.t(self.weight)), self.bias, alpha=1)
"""


def legacy_model():
    def tensor(i, dims, strides):
        return {"dims": [str(d) for d in dims], "offset": "0", "strides": [str(s) for s in strides], "requiresGrad": i < 2, "dataType": "FLOAT",
                "data": {"key": f"tensors/{i}"}, "device": "cpu"}

    inner = {"torchscriptArena": {"key": "code/fc.py"}, "name": "fc", "optimize": True,
             "parameters": [{"isBuffer": False, "tensorId": "0", "name": "weight"}, {"isBuffer": True, "tensorId": "1", "name": "bias"}]}
    main = {"torchscriptArena": {"key": "code/Net.py"}, "name": "Net", "optimize": True, "submodules": [inner],
            "attributes": [{"type": "int", "name": "scale", "id": "0"}]}
    return {"protoVersion": "3", "mainModule": main, "producerName": "pytorch", "producerVersion": "1.0",
            "tensors": [tensor(0, (2, 3), (3, 1)), tensor(1, (2,), (1,)), tensor(2, (1,), (1,))]}


def write_legacy(path, model):
    text = model if isinstance(model, str) else json.dumps(model)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        entries = [("version", b"1\n"), ("model.json", text), ("attributes.pkl", pickled((10,), "", [])), ("code/Net.py", LEGACY_MAIN),
                   ("code/fc.py", LEGACY_INNER), ("tensors/0", struct.pack("<6f", 1, 2, 3, 4, 5, 6)), ("tensors/1", struct.pack("<2f", 0.5, -0.5)),
                   ("tensors/2", struct.pack("<f", 3))]
        for name, contents in entries:
            archive.writestr(zipfile.ZipInfo("m/" + name, (1980, 1, 1, 0, 0, 0)), contents)


ARCHIVES = {
    "legacy": lambda path: write_legacy(path, legacy_model()),
    "legacy-deep": lambda path: write_legacy(path, '{"mainModule": ' + "[" * 100000),
    "legacy-odd": lambda path: write_legacy(path, legacy_model() | {"tensors": []}),
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
    "missing": lambda path: write(path, MISSING, {"training": False}),
    "without-weights": lambda path: write(path, WITHOUT_WEIGHTS, {}),
    "records": lambda path: with_records(path, records()),
    "records-wrong": lambda path: with_records(path, records(), RECORDS + WRONG),
    "records-old": lambda path: with_records(path, old_records()),
    "records-odd": lambda path: with_records(path, odd_records()),
    "cuda": lambda path: write(path, CUDA, gpu("cuda:0"), location="cuda:0"),
    "mps": lambda path: write(path, CUDA.replace("cuda:0", "mps"), gpu("mps:0"), location="mps:0"),
    "strange": lambda path: write(path, CUDA, gpu("toaster"), location="cpu"),
    "meta": lambda path: write(path, WEIGHT, {"training": False, "w": Tensor(1.0, 2.0)}, location="meta"),
    "sparse": lambda path: write(path, TWO_WEIGHTS, {"training": False, "w": COO, "u": CSR}),
    "sparse-odd": lambda path: write(path, TWO_WEIGHTS, {"training": False, "w": COO, "u": Sparse(
        2, (2, 3), Tensor(0, 2, 1, dtype="Long"), Tensor(2, 0, 1, dtype="Long"), Tensor(5.0, 6.0, 7.0))}),
    "nibbles": lambda path: write(path, NIBBLES, {"training": False, "w": Nibbles((3, 3), (0.5, 1.0, 0.25), (1.0, 0.0, 8.0), 0x21, 0x43, 0x65, 0x87, 0x0f)}),
    "nibbles-short": lambda path: write(path, NIBBLES, {"training": False, "w": Nibbles((3, 3), (0.5, 1.0, 0.25), (1.0, 0.0, 8.0), 0x21, 0x43)}),
    "float8": lambda path: write(path, TWO_WEIGHTS, {"training": False, "w": Tensor(0x38, 0xb8, 0x01, 0x7e, 0x7f, dtype="Float8_e4m3fn"),
                                                     "u": Tensor(0x3c, 0x7b, 0xfc, 0x7f, 0x80, dtype="Float8_e5m2")}),
    "float8-fnuz": lambda path: write(path, TWO_WEIGHTS, {"training": False, "w": Tensor(0x40, 0x7f, 0x80, dtype="Float8_e4m3fnuz"),
                                                          "u": Tensor(0xc0, 0x7f, 0x80, dtype="Float8_e5m2fnuz")}),
    "unsigned": lambda path: write(path, TWO_WEIGHTS, {"training": False, "w": Tensor(1, 65535, dtype="UInt16"),
                                                       "u": Tensor(2, 4294967295, dtype="UInt32")}),
    "unsigned-large": lambda path: write(path, TWO_WEIGHTS, {"training": False, "w": Tensor(1, dtype="UInt64"),
                                                             "u": Tensor(1 << 63, dtype="UInt64")}),
    "complex": lambda path: write(path, WEIGHT, {"training": False, "w": Tensor(1 + 2j, -3j, dtype="ComplexFloat")}),
    "conjugate": lambda path: write(path, TWO_WEIGHTS, {"training": False, "w": Tensor(1 + 2j, -3j, dtype="ComplexFloat", conj=True),
                                                        "u": Tensor(1.0, -2.0, neg=True)}),
    "conjugate-odd": lambda path: write(path, WEIGHT, {"training": False, "w": Tensor(1.0, -2.0, conj=True)}),
    "old": lambda path: write(path, OLD, {"training": False}),
    "new": lambda path: write(path, OLD, {"training": False}, version=(".data/version", b"5\n")),
    "extra": lambda path: write(path, SCALE, {"training": False, "w": Tensor(1.0)}, (1,), others=[("extra/note.txt", b"by me")]),
    "mobile": lambda path: write(path, SCALE, {"training": False, "w": Tensor(1.0)}, (1,),
                                 others=[("bytecode.pkl", pickled((6,), "", []))]),
    "bytecode": lambda path: write(path, "", {"training": False}, others=[("bytecode.pkl", pickled((6,), "", []))]),
    "setstate": lambda path: write(path, SETSTATE, 21),
}
if __name__ == "__main__":
    ARCHIVES[sys.argv[1]](sys.argv[2])
