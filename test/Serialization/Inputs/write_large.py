"""Writes archives that hold much of one thing, to see how loading grows with it.

usage: write_large.py KIND COUNT FILE
"""
import json
import struct
import sys
import zipfile

FORWARD = "  def forward(self: __torch__.M, x: int) -> int:\n    return x\n"
INT_METHOD = "  def forward(self: __torch__.{0}, x: int) -> int:\n"


class Pickle:
    """Writes the opcodes one by one: a pickler would take longer than what is measured. Globals are memoized."""

    def __init__(self):
        self.bytes, self.known = bytearray(b"\x80\x02"), {}

    def put(self, *parts):
        for part in parts:
            self.bytes += part

    def name(self, module, name):
        place = self.known.get((module, name))
        if place is not None:
            self.put(b"j", struct.pack("<I", place))
            return
        self.known[module, name] = len(self.known)
        self.put(b"c", module.encode(), b"\n", name.encode(), b"\nr", struct.pack("<I", len(self.known) - 1))

    def string(self, text):
        text = text.encode()
        self.put(b"X", struct.pack("<I", len(text)), text)

    def integer(self, number):
        self.put(b"J", struct.pack("<i", number))

    def value(self, value):
        if value is None:
            self.put(b"N")
        elif isinstance(value, bool):
            self.put(b"\x88" if value else b"\x89")
        elif isinstance(value, int):
            self.integer(value)
        elif isinstance(value, float):
            self.put(b"G", struct.pack(">d", value))
        elif isinstance(value, str):
            self.string(value)
        elif isinstance(value, (list, tuple)):
            self.put(b"](" if isinstance(value, list) else b"(")
            for element in value:
                self.value(element)
            self.put(b"e" if isinstance(value, list) else b"t")
        elif isinstance(value, dict):
            self.put(b"}(")
            for key, element in value.items():
                self.value(key)
                self.value(element)
            self.put(b"u")
        else:
            value.write(self)


class Tensor:
    """A tensor of one float, whose storage has the name `key`."""

    def __init__(self, key="0"):
        self.key = key

    def write(self, to):
        to.name("torch._utils", "_rebuild_tensor_v2")
        to.put(b"((")
        to.string("storage")
        to.name("torch", "FloatStorage")
        to.string(self.key)
        to.string("cpu")
        to.put(b"K\1tQK\0K\1\x85K\1\x85\x89")
        to.name("collections", "OrderedDict")
        to.put(b")RtR")


class Object:
    def __init__(self, name, state):
        self.name, self.state = name, state

    def write(self, to):
        to.name("__torch__", self.name)
        to.put(b")\x81")
        to.value(self.state)
        to.put(b"b")


def pickled(value):
    pickle = Pickle()
    pickle.value(value)
    return bytes(pickle.bytes + b".")


def class_text(attributes, methods=FORWARD, name="M", parameters=(), buffers=()):
    listed = (f"[{''.join(f'{json.dumps(each)}, ' for each in names)}]" for names in (parameters, buffers))
    head = "class {}(Module):\n  __parameters__ = {}\n  __buffers__ = {}\n".format(name, *listed)
    return head + "".join(f"  {attribute} : {type}\n" for attribute, type in attributes) + methods


def write_entries(path, entries):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, contents in entries:
            archive.writestr(zipfile.ZipInfo("m/" + name, (1980, 1, 1, 0, 0, 0)), contents)


FLOAT = struct.pack("<f", 1.5)


def write(path, code, state, constants=(), storages=("0",), others=()):
    write_entries(path, [("data.pkl", pickled(Object("M", state))), ("constants.pkl", pickled(tuple(constants))), ("version", "3\n"),
                         ("code/__torch__.py", code), *((f"data/{key}", FLOAT) for key in storages), *([("constants/0", FLOAT)] if constants else []), *others])


def listed(path, count, **how):
    names = [f"weight_{i}" for i in range(count)]
    write(path, class_text([(name, "Tensor") for name in names], **{list_name: names for list_name in how}),
          {name: Tensor() for name in names})


TYPES = (("int", 7), ("float", 0.5), ("bool", True), ("str", "text"), ("List[int]", [1, 2]), ("Dict[str, int]", {"a": 1}),
         ("Optional[Tensor]", None), ("Tuple[int, str]", (1, "b")))


def attributes(path, count):
    chosen = [(f"attribute_{i}", *TYPES[i % len(TYPES)]) for i in range(count)]
    write(path, class_text([(name, type) for name, type, _ in chosen]), {name: value for name, _, value in chosen})


def tensor_list(path, count, own=False):
    keys = [str(i) for i in range(count)] if own else ["0"] * count
    write(path, class_text([("held", "List[Tensor]")]), {"held": [Tensor(key) for key in keys]}, storages=sorted(set(keys)))


def tensor_dict(path, count):
    write(path, class_text([("held", "Dict[str, Tensor]")]), {"held": {f"layer.{i}.weight": Tensor() for i in range(count)}})


INNER = "class {0}(Module):\n  __parameters__ = []\n  __buffers__ = []\n  training : bool\n" + INT_METHOD + "    return x\n"


def submodules(path, count, own_classes):
    names = [f"C{i}" if own_classes else "C0" for i in range(count)]
    code = "".join(INNER.format(name) for name in sorted(set(names)))
    write(path, code + class_text([(f"layer_{i}", "__torch__." + name) for i, name in enumerate(names)]),
          {f"layer_{i}": Object(name, {"training": False}) for i, name in enumerate(names)})


def called_submodules(path, count):
    """Each in a method of its own, whose code comes from a class of its own."""
    names = [f"C{i}" for i in range(count)]
    body = INT_METHOD.format("M") + "".join(f"    x = (self.layer_{i}).forward(x, )\n" for i in range(count)) + "    return x\n"
    write(path, "".join(INNER.format(name) for name in names) + class_text([(f"layer_{i}", "__torch__." + name) for i, name in enumerate(names)], body),
          {f"layer_{i}": Object(name, {"training": False}) for i, name in enumerate(names)})


def nested_submodules(path, count):
    code, state = INNER.format("C0"), {"training": False}
    for i in range(1, count):
        code += class_text([("inner", f"__torch__.C{i - 1}")], INT_METHOD.format(f"C{i}") + "    return x\n", f"C{i}")
        state = {"inner": Object(f"C{i - 1}", state)}
    write(path, code + class_text([("inner", f"__torch__.C{count - 1}")]), {"inner": Object(f"C{count - 1}", state)})


def entries(path, count, folder="data/"):
    write(path, class_text([]), {}, others=[(f"{folder}unused_{i}", b"") for i in range(count)])


def methods(path, count):
    write(path, class_text([], FORWARD + "".join(f"  def method_{i}(self: __torch__.M, x: int) -> int:\n    return x\n" for i in range(count))), {})


def called_methods(path, count):
    body = INT_METHOD.format("M") + "".join(f"    x = (self).method_{i}(x, )\n" for i in range(count)) + "    return x\n"
    write(path, class_text([], body + "".join(f"  def method_{i}(self: __torch__.M, x: int) -> int:\n    return x\n" for i in range(count))), {})


def functions(path, count):
    code = "".join(f"def function_{i}(x: int) -> int:\n  return x\n" for i in range(count))
    body = INT_METHOD.format("M") + "".join(f"    x = __torch__.function_{i}(x, )\n" for i in range(count)) + "    return x\n"
    write(path, class_text([], body) + code, {})


def body(path, lines, end="    return x\n", constants=(), head=INT_METHOD.format("M")):
    write(path, class_text([], head + "".join(lines) + end), {}, constants=constants)


def straight(path, count):
    body(path, (f"    x{i} = torch.add({f'x{i - 1}' if i else 'x'}, 1)\n" for i in range(count)), f"    return x{count - 1}\n")


def pointwise(path, count):
    lines = ["    t0 = torch.zeros([2])\n", *(f"    t{i} = torch.mul(torch.neg(t{i - 1}), t{i // 2})\n" for i in range(1, count))]
    body(path, lines, f"    return int(torch.sum(t{count - 1}))\n")


def one_name(path, count):
    body(path, ("    x = torch.add(x, 1)\n" for _ in range(count)))


def one_line(path, count):
    """Each variable is used once more at the end."""
    names = "".join(f"x{i}, " for i in range(count))
    body(path, (f"    x{i} = torch.add(x, {i})\n" for i in range(count)), f"    return torch.len([{names}])\n")


def branches(path, count):
    body(path, (f"    if torch.gt(x, {i}):\n      x = torch.add(x, 1)\n    else:\n      pass\n" for i in range(count)))


def many_variables(path, count):
    """Every branch may change any of the variables."""
    lines = [f"    v{i} = {i}\n" for i in range(count)]
    lines += (f"    if torch.gt(x, {i}):\n      v{i} = torch.add(x, 1)\n    else:\n      pass\n" for i in range(count))
    body(path, lines, f"    return v{count - 1}\n")


def loops(path, count):
    body(path, (f"    for i{i} in range(2):\n      x = torch.add(x, 1)\n" for i in range(count)))


def loop_variables(path, count):
    lines = [f"    v{i} = {i}\n" for i in range(count)] + ["    for i in range(3):\n", *(f"      v{i} = torch.add(v{i}, 1)\n" for i in range(count))]
    body(path, lines, f"    return v{count - 1}\n")


def while_loops(path, count):
    body(path, (f"    while torch.lt(x, {i}):\n      if torch.gt(x, 5):\n        x = torch.add(x, 1)\n      else:\n        x = torch.add(x, 2)\n" for i in range(count)))


def early_returns(path, count):
    body(path, (f"    if torch.eq(x, {i + 2}):\n      return {i}\n    else:\n      pass\n" for i in range(count)))


def list_literal(path, count):
    body(path, (f"    y = [{', '.join(map(str, range(count)))}]\n",), "    return torch.len(y)\n")


def string_literals(path, count):
    body(path, (f"    y = [{', '.join(chr(34) + f'text {i}' + chr(34) for i in range(count))}]\n",), "    return torch.len(y)\n")


def dict_literal(path, count):
    body(path, (f"    y = {{{', '.join(f'{i}: {i}' for i in range(count))}}}\n",), "    return torch.len(y)\n")


def asserts(path, count):
    body(path, (f"    if torch.eq(x, {i + 2}):\n      ops.prim.RaiseException(\"no {i}\")\n    else:\n      pass\n" for i in range(count)))


def appends(path, count):
    body(path, ("    y = annotate(List[int], [])\n", *(f"    _{i} = torch.append(y, {i})\n" for i in range(count))), "    return torch.len(y)\n")


def constants(path, count):
    body(path, (f"    t{i} = CONSTANTS.c{i}\n" for i in range(count)), constants=[Tensor() for _ in range(count)])


def unused_constants(path, count):
    body(path, (), constants=[Tensor() for _ in range(count)])


def attribute_reads(path, count):
    lines = "".join(f"    x = torch.add(x, self.attribute_{i})\n" for i in range(count))
    names = [f"attribute_{i}" for i in range(count)]
    write(path, class_text([(name, "int") for name in names], INT_METHOD.format("M") + lines + "    return x\n"), {name: 1 for name in names})


def attribute_writes(path, count):
    lines = "".join(f"    self.attribute_{i} = torch.add(x, self.attribute_{i})\n" for i in range(count))
    names = [f"attribute_{i}" for i in range(count)]
    write(path, class_text([(name, "int") for name in names], INT_METHOD.format("M") + lines + "    return x\n"), {name: 1 for name in names})


def classes(path, count):
    write(path, "".join(INNER.format(f"C{i}") for i in range(count)) + class_text([]), {})


def tuples(path, count):
    """Named tuples, each with one of them in the state."""
    code = "".join(f"class T{i}(NamedTuple):\n  a : int\n  b : str\n" for i in range(count))

    class Made:
        def __init__(self, i):
            self.i = i

        def write(self, to):
            to.name("__torch__", f"T{self.i}")
            to.value((self.i, "b"))
            to.put(b"\x81")

    write(path, code + class_text([(f"t{i}", f"__torch__.T{i}") for i in range(count)]), {f"t{i}": Made(i) for i in range(count)})


def members(path, count):
    """Of one enum; each member stands in the state."""
    code = "class E(Enum):\n" + "".join(f"  m{i} = {i}\n" for i in range(count))

    class Made:
        def __init__(self, i):
            self.i = i

        def write(self, to):
            to.name("__torch__", "E")
            to.integer(self.i)
            to.put(b"\x85R")

    write(path, code + class_text([("held", "List[__torch__.E]")]), {"held": [Made(i) for i in range(count)]})


def tagged_lists(path, count):
    """A list of lists with their types beside them."""
    class Made:
        def write(self, to):
            to.name("torch.jit._pickle", "restore_type_tag")
            to.put(b"(")
            to.value([1, 2])
            to.string("List[int]")
            to.put(b"tR")

    write(path, class_text([("held", "List[List[int]]")]), {"held": [Made() for i in range(count)]})


def missing_operators(path, count):
    write(path, class_text([], FORWARD + INT_METHOD.format("M").replace("forward", "other")
                           + "".join(f"    x = torch.missing_{i}(x)\n" for i in range(count)) + "    return x\n"), {})


def missing_classes(path, count):
    write(path, class_text([], FORWARD + INT_METHOD.format("M").replace("forward", "other")
                           + "".join(f"    x = __torch__.a.Missing{i}.f(x)\n" for i in range(count)) + "    return x\n"), {})


def records(path, count):
    """Debug records of a function of so many lines, which are read for the place of an operator that is missing."""
    lines = "".join(f"    x = torch.add(x, {i})\n" for i in range(count))
    code = class_text([], FORWARD + INT_METHOD.format("M").replace("forward", "other") + lines + "    return torch.missing(x)\n")
    texts = ("", *(f"  x = x + {i}\n" for i in range(count)), "net.py")
    first = code.index("    x =")
    table = tuple((first + 20 * i, (([i + 1], count + 1, i + 1), 2, 7), i) for i in range(count))
    write(path, code, {}, others=[("code/__torch__.py.debug_pkl", pickled(("FORMAT_WITH_STRING_TABLE", texts, table)))])


def modules(path, count):
    """As many files of code, each of which has a function that the method calls."""
    lines = "".join(f"    x = __torch__.file_{i}.f(x, )\n" for i in range(count))
    write(path, class_text([], INT_METHOD.format("M") + lines + "    return x\n"), {},
          others=[(f"code/__torch__/file_{i}.py", "def f(x: int) -> int:\n  return x\n") for i in range(count)])


def saved_tensors(path, count):
    """A file of torch.save: arguments for a method that takes a list."""
    write_entries(path, [("data.pkl", pickled({"args": ([Tensor(str(i)) for i in range(count)],), "kwargs": {}})),
                         ("version", "3\n"), *((f"data/{i}", FLOAT) for i in range(count))])


def saved_model(path, count):
    """What takes such arguments."""
    write(path, class_text([], "  def forward(self: __torch__.M, x: Any) -> int:\n    return 1\n"), {})


def saved_mixed(path, count):
    """A file of torch.save whose list has elements of ever other types."""
    values = [tuple([1] * (i % 50)) if i % 2 else {"a": i} for i in range(count)]
    write_entries(path, [("data.pkl", pickled({"args": (values,), "kwargs": {}})), ("version", "3\n")])


LEGACY_FORWARD = "op_version_set = 0\ndef forward(self,\n    x: int) -> int:\n  return x\n"


def legacy_tensor(key):
    return {"dims": ["1"], "offset": "0", "strides": ["1"], "requiresGrad": False, "dataType": "FLOAT", "data": {"key": key}, "device": "cpu"}


def write_legacy(path, main, tensors=()):
    arena = {"torchscriptArena": {"key": "code/Net.py"}, "name": "Net", "optimize": True}
    model = {"protoVersion": "2", "mainModule": arena | main, "producerName": "pytorch", "producerVersion": "1.0", "tensors": list(tensors)}
    write_entries(path, [("version", "1\n"), ("model.json", json.dumps(model)), ("code/Net.py", LEGACY_FORWARD), ("tensors/0", FLOAT)])


def legacy_parameters(path, count):
    write_legacy(path, {"parameters": [{"isBuffer": False, "tensorId": "0", "name": f"weight_{i}"} for i in range(count)]}, [legacy_tensor("tensors/0")])


def legacy_tensors(path, count):
    write_legacy(path, {}, [legacy_tensor("tensors/0")] * count)


def legacy_submodules(path, count):
    write_legacy(path, {"submodules": [{"name": f"layer_{i}"} for i in range(count)]})


def legacy_same_names(path, count):
    write_legacy(path, {"submodules": [{"name": "layer"} for i in range(count)]})


KINDS = {
    "parameters": (60000, lambda path, count: listed(path, count, parameters=True)),
    "buffers": (60000, lambda path, count: listed(path, count, buffers=True)),
    "attributes": (60000, attributes),
    "tensors of one storage": (100000, tensor_list),
    "tensors with storages": (100000, lambda path, count: tensor_list(path, count, own=True)),
    "tensors in a dict": (100000, tensor_dict),
    "submodules of one class": (10000, lambda path, count: submodules(path, count, False)),
    "submodules of own classes": (10000, lambda path, count: submodules(path, count, True)),
    "calls of submodules": (5000, called_submodules),
    "nested submodules": (200, nested_submodules),
    "unused entries": (100000, entries),
    "extra files": (100000, lambda path, count: entries(path, count, "extra/")),
    "methods": (10000, methods),
    "calls of methods": (10000, called_methods),
    "calls of functions": (10000, functions),
    "files of code": (10000, modules),
    "classes": (10000, classes),
    "named tuples": (10000, tuples),
    "members of an enum": (10000, members),
    "lists with type tags": (50000, tagged_lists),
    "constants": (50000, constants),
    "unused constants": (100000, unused_constants),
    "lines": (20000, straight),
    "lines on one name": (20000, one_name),
    "lines of tensors": (10000, pointwise),
    "variables used at the end": (20000, one_line),
    "branches": (20000, branches),
    "branches on variables": (5000, many_variables),
    "loops": (10000, loops),
    "variables of a loop": (5000, loop_variables),
    "while loops": (5000, while_loops),
    "early returns": (250, early_returns),
    "asserts": (20000, asserts),
    "appends": (20000, appends),
    "a list of numbers": (20000, list_literal),
    "a list of strings": (20000, string_literals),
    "a dict of numbers": (20000, dict_literal),
    "reads of attributes": (20000, attribute_reads),
    "writes of attributes": (20000, attribute_writes),
    "missing operators": (10000, missing_operators),
    "missing classes": (10000, missing_classes),
    "debug records": (20000, records),
    "saved tensors": (100000, saved_tensors),
    "saved values of many types": (50000, saved_mixed),
    "legacy parameters": (60000, legacy_parameters),
    "legacy tensors": (60000, legacy_tensors),
    "legacy submodules": (10000, legacy_submodules),
    "legacy submodules of one name": (10000, legacy_same_names),
}

OTHERS = {"saved model": (1, saved_model)}

if __name__ == "__main__":
    sys.setrecursionlimit(100_000)  # what is nested is written by nested calls
    (KINDS | OTHERS)[sys.argv[1].replace("-", " ")][1](sys.argv[3], int(sys.argv[2]))
