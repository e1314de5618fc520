"""Writes archives that are meant to do harm, and loads each: it must be refused with a message, or, where it is sound as far
as it goes, end under its limits. No case may crash, take minutes, or take memory beyond what its file is worth.

usage: check_hostile.py TSC_RUN FOLDER [CASE...]
"""
import functools
import io
import json
import operator
import os
import pathlib
import struct
import subprocess
import sys
import time
import zipfile
import zlib

SECONDS, MEGABYTES = 60, 700


def wait(process):
    end = time.time() + SECONDS
    while time.time() < end:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status), usage
        time.sleep(0.005)
    process.kill()
    os.wait4(process.pid, 0)
    return "no end", None


def main():
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    # In a process of its own: what it took would be counted with that of its children.
    subprocess.run([sys.executable, __file__, "--write", folder, *sys.argv[3:]], check=True)
    bad = 0
    for name, statuses, steps in json.loads((folder / "cases").read_text()):
        path = folder / f"{name}.pt"
        for options in ((), ("--check-only",), ("-O3", "--compile=eager")):
            limits = () if options == ("--check-only",) else ("--args", "1", "--max-steps", str(steps), "--max-memory", "256M")
            begin = time.time()
            with open(folder / "stderr", "w+b") as said:
                process = subprocess.Popen([tool, path, *limits, *options], stdout=subprocess.DEVNULL, stderr=said)
                status, usage = wait(process)
                said.seek(0)
                error = said.read(10000)
            took = time.time() - begin
            megabytes = usage.ru_maxrss // 1024 if usage else 0
            right = status in statuses and (status == 0 or error.strip())
            if options == ("--check-only",) and status == 0:
                right = True  # what is wrong shows when it runs
            if not right or took > SECONDS or megabytes > MEGABYTES + 4 * path.stat().st_size // (1 << 20):
                bad += 1
                print(f"{name} {' '.join(options)}: ended with {status} after {took:.1f} s and {megabytes} MB: {error[:200]!r}", flush=True)
        path.unlink()
    sys.exit(bad != 0)


if sys.argv[1] != "--write":
    main()

CLASS = "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n"
FORWARD = "  def forward(self: __torch__.M, x: int) -> int:\n"
MODULE = b"\x80\x02c__torch__\nM\n)\x81}b."
CASES = {}  # name: (bytes, statuses that are right, steps that it may take)
STEPS = 100000


def archive(code=CLASS + FORWARD + "    return x\n", data=MODULE, constants=b"\x80\x02).", more=(), compression=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as file:
        file.writestr("m/data.pkl", data)
        file.writestr("m/constants.pkl", constants)
        file.writestr("m/code/__torch__.py", code)
        file.writestr("m/version", "3\n")
        for name, content in more:
            file.writestr(name, content)
    return out.getvalue()


def refused(name, content):
    CASES[name] = (content, (2,), STEPS)


def ended(name, content):
    """Compiles or not, runs or not: it ends."""
    CASES[name] = (content, (0, 1, 2), STEPS)


def long_running(name, content):
    """The same of what takes all steps in its operators, which are long ones."""
    CASES[name] = (content, (0, 1, 2), 1000)


def pickled(name, program, expected=refused):
    expected(name, archive(data=program))


def body(name, text, expected=ended):
    expected(name, archive(CLASS + FORWARD + text))


def module_of(attribute):
    """An M whose attribute `a` is what this part of a pickle makes."""
    return b"\x80\x02c__torch__\nM\n)\x81}(X\x01\x00\x00\x00a" + attribute + b"ub."


def tensor(size, stride, offset=b"K\x00", key=b"0"):
    storage = b"(X\x07\x00\x00\x00storagectorch\nFloatStorage\nX" + struct.pack("<I", len(key)) + key + b"X\x03\x00\x00\x00cpuK\x04tQ"
    return b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + offset + size + stride + b"\x89}tR"


def attribute(name, value, type="Tensor", expected=refused, more=(("m/data/0", b"\0" * 16),)):
    code = CLASS + f"  a : {type}\n" + FORWARD + "    return x\n"
    expected(name, archive(code, module_of(value), more=more))


def long(value):
    return b"\x8a\x08" + struct.pack("<q", value)


# Zip files
class Entry:
    """What a zip file holds under a name: bytes as they stand there, and what is said of them."""

    def __init__(self, content, data=None, crc=None, size=None):
        self.data = content if data is None else data
        self.method = 0 if data is None else 8
        self.crc = zlib.crc32(content) if crc is None else crc
        self.size = len(content) if size is None else size

    def head(self, name_length):
        return struct.pack("<IHHHIIIIHH", 0x04034B50, 20, 0, self.method, 0, self.crc, len(self.data), self.size, name_length, 0)

    def listed(self, name, at):
        return struct.pack("<IHHHHIIIIHHHHHII", 0x02014B50, 20, 20, 0, self.method, 0, self.crc, len(self.data), self.size, len(name),
                           0, 0, 0, 0, 0, at) + name


def followed(text, block, count):
    """The Entry of a text with a block behind it, so many times. It takes no longer for a hundred blocks than for one: each is
    compressed without regard to those before it, and the CRC of what comes before a block gives, bit by bit, that behind it."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = deflate.compress(text) + deflate.flush(zlib.Z_FULL_FLUSH)
    once = deflate.compress(block) + deflate.flush(zlib.Z_FULL_FLUSH)
    crc, behind_zero = zlib.crc32(text), zlib.crc32(block, 0)
    bits = [zlib.crc32(block, 1 << bit) ^ behind_zero for bit in range(32)]
    for _ in range(count):
        crc = functools.reduce(operator.xor, (bits[bit] for bit in range(32) if crc >> bit & 1), behind_zero)
    return Entry(b"", data + once * count + deflate.flush(), crc, len(text) + count * len(block))


def zip_of(named, out=b"", directory=b"", listed=0):
    """A zip file with these entries, by name, behind what `out` and the directory have."""
    for name, entry in named.items():
        name = name.encode()
        directory += entry.listed(name, len(out))
        out += entry.head(len(name)) + name + entry.data
    total = listed + len(named)
    return out + directory + struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, total, total, len(directory), len(out), 0)


def sound():
    with zipfile.ZipFile(io.BytesIO(archive())) as file:
        return {info.filename: Entry(file.read(info)) for info in file.infolist()}


MEBIBYTE = 1 << 20
refused("zip-bomb", zip_of({**sound(), "m/data.pkl": followed(b"", b"\0" * MEBIBYTE, 1900)}))
refused("zip-bomb-in-code", zip_of({**sound(), "m/code/__torch__.py": followed((CLASS + FORWARD + "    return x\n").encode(), b" " * MEBIBYTE, 900)}))


def overlapping(count):
    """Many names for the same compressed bytes."""
    shared = followed(b"", b"\n" * MEBIBYTE, 8)
    directory = b"".join(shared.listed(f"m/code/__torch__/a{index}.py".encode(), 0) for index in range(count))
    return zip_of(sound(), shared.head(0) + shared.data, directory, count)


ended("zip-overlapping", overlapping(2000))
for index, name in enumerate(("../../etc/passwd", "/etc/passwd", "m/../../x", "m/code/__torch__/../../../x.py", "m\\..\\x", "m/\0x")):
    ended(f"zip-name-{index}", archive(more=[(name, b"x")]))
refused("zip-only-dots", archive().replace(b"m/data.pkl", b"../ata.pkl"))
refused("zip-two-data", archive(more=[("m/data.pkl", b"\x80\x02c__torch__\nOther\n)\x81}b.")]))
refused("zip-cut", archive()[:-30])
refused("zip-cut-directory", archive()[:200])
refused("zip-count", archive()[:-22] + struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 65535, 65535, 300, 0, 0))

# Pickles
pickled("pickle-nested-lists", b"\x80\x02" + b"]" * 1000000 + b"a" * 999999 + b".")
pickled("pickle-nested-tuples", b"\x80\x02" + b")" + b"\x85" * 1000000 + b".")
pickled("pickle-nested-dicts", b"\x80\x02" + b"}K\x01" * 300000 + b"K\x01" + b"s" * 300000 + b".")
pickled("pickle-marks", b"\x80\x02" + b"(" * 3000000 + b".")
pickled("pickle-list-in-itself", b"\x80\x02]q\x00h\x00a.")
pickled("pickle-object-in-itself", b"\x80\x02c__torch__\nM\n)\x81q\x00}(X\x01\x00\x00\x00ah\x00ub.")
attribute("pickle-tuple-laughs", b")" + b"".join(b"2\x86" for _ in range(70)), "Any", ended)
attribute("pickle-list-laughs", b"]K\x01a" + b"".join(b"q\x01](h\x01h\x01e" for _ in range(70)), "Any", ended)
pickled("pickle-text-length", b"\x80\x02X\xff\xff\xff\x7f")
pickled("pickle-text-length-8", b"\x80\x02\x8d\xff\xff\xff\xff\xff\xff\xff\x7f")
pickled("pickle-long-length", b"\x80\x02\x8b\xff\xff\xff\x7f\x01.")
attribute("pickle-long", b"\x8b" + struct.pack("<i", 1 << 20) + b"\x7f" * (1 << 20), "int")
attribute("pickle-int-text", b"I" + b"9" * 1000000 + b"\n", "int")
for index, name in enumerate((b"posix\nsystem\n", b"os\nsystem\n", b"builtins\neval\n", b"__builtin__\nexec\n", b"subprocess\nPopen\n",
                              b"torch\nload\n", b"torch._utils\n_rebuild_unknown\n", b"__torch__\nNobody\n", b"\n\n", b"__torch__\n\n",
                              b"__torch__.torch.classes.aten\nx\n")):
    pickled(f"pickle-global-{index}", b"\x80\x02c" + name + b"(X\x02\x00\x00\x00idtR.")
    pickled(f"pickle-object-of-global-{index}", b"\x80\x02c" + name + b")\x81}b.")
pickled("pickle-memo-unset", b"\x80\x02h\x07.")
pickled("pickle-memo-far", b"\x80\x02K\x01r\xff\xff\xff\xff.")
pickled("pickle-empty-stack", b"\x80\x02000a.")
pickled("pickle-never-stops", b"\x80\x02" + b"N0" * 1000000)
pickled("pickle-build-int", b"\x80\x02K\x01}b.")
pickled("pickle-persistent", b"\x80\x02K\x01Q.")
pickled("pickle-protocol", b"\x80\x77N.")
# A NaN equals no other key: with one hash for all of them, each would be compared with each.
attribute("pickle-nan-keys", b"}G" + struct.pack(">d", float("nan")) + b"q\x01(" + b"h\x01N" * 300000 + b"u", "Dict[float, Optional[int]]", ended)
attribute("tensor-size", tensor(long(1 << 40) + b"\x85", b"K\x01\x85"))
attribute("tensor-size-overflow", tensor(long(1 << 62) + b"K\x08\x86", b"K\x08K\x01\x86"))
attribute("tensor-stride", tensor(b"K\x02\x85", long(1 << 62) + b"\x85"))
attribute("tensor-negative-stride", tensor(b"K\x02\x85", long(-1) + b"\x85"))
attribute("tensor-negative-size", tensor(long(-2) + b"\x85", b"K\x01\x85"))
attribute("tensor-offset", tensor(b"K\x02\x85", b"K\x01\x85", b"K\x03"))
attribute("tensor-offset-negative", tensor(b"K\x02\x85", b"K\x01\x85", long(-1)))
attribute("tensor-offset-overflow", tensor(b"K\x02\x85", b"K\x01\x85", long((1 << 63) - 1)))
attribute("tensor-ranks", tensor(b"K\x01K\x01\x86", b"K\x01\x85"))
attribute("tensor-no-storage", tensor(b"K\x02\x85", b"K\x01\x85", key=b"9"))
attribute("tensor-storage-name", tensor(b"K\x02\x85", b"K\x01\x85", key=b"../version"))
attribute("tensor-is-int", b"K\x01")
attribute("int-is-tensor", tensor(b"K\x02\x85", b"K\x01\x85"), "int")

# Code
N = 1000000
body("code-parentheses", "    return " + "(" * N + "x" + ")" * N + "\n", refused)
body("code-brackets", "    return " + "[" * N + "x" + "]" * N + "\n", refused)
body("code-open-parentheses", "    return " + "(" * N + "\n", refused)
body("code-closing", "    return x" + ")" * N + "\n", refused)
body("code-not", "    return " + "not " * N + "x\n", refused)
body("code-minus", "    return " + "-" * N + "x\n", refused)
body("code-power", "    return " + "x ** " * 100000 + "x\n")
body("code-sum", "    return " + "x + " * 100000 + "x\n")
body("code-compare", "    return int(" + "x < " * 100000 + "x)\n")
body("code-ternary", "    return " + "x if True else " * 100000 + "x\n")
body("code-ternary-left", "    return " + "(" * 1000 + "x" + " if True else x)" * 1000 + "\n")
body("code-attributes", "    return x" + ".a" * N + "\n", refused)
body("code-subscripts", "    return x" + "[0]" * N + "\n", refused)
body("code-calls", "    return x" + "()" * N + "\n", refused)
body("code-lambda", "    return " + "lambda: " * 100000 + "x\n", refused)
body("code-ifs", "".join("  " * (i + 2) + "if x > 0:\n" for i in range(2000)) + "  " * 2002 + "x = 1\n    return x\n", refused)
body("code-ifs-in-a-row", "    if x > 0:\n      x = torch.add(x, 1)\n" * 3000 + "    return x\n")
body("code-statements", "    x = torch.add(x, 1)\n" * 30000 + "    return x\n")
body("code-names", "".join(f"    y{i} = x\n" for i in range(30000)) + "    return x\n")
body("code-integer", "    return " + "9" * N + "\n", refused)
body("code-float", "    return int(" + "9" * N + ".0)\n")
body("code-float-exponent", "    return int(1e" + "9" * N + ")\n")
body("code-text", "    y = '" + "x" * (8 * N) + "'\n    return x\n")
body("code-open-text", "    y = '" + "x" * N, refused)
body("code-escapes", "    y = '" + "\\x" * N + "'\n    return x\n")
body("code-zero-byte", "    y = x\0\n    return x\n")
body("code-not-utf8", "    y = '\udcff\udcfe'\n    return x\n".encode("utf-8", "surrogateescape").decode("latin-1"))
body("code-comment", "    # " + "x" * (8 * N) + "\n    return x\n")
body("code-types", "    y : " + "List[" * 100000 + "int" + "]" * 100000 + " = x\n    return x\n", refused)
body("code-unfinished-types", "    y : " + "List[" * N + "\n    return x\n", refused)
body("code-arguments", "    return torch.add(" + "x, " * 100000 + "x)\n", refused)
body("code-format", "    y = '{}'.format(" + "x, " * 100000 + "x)\n    return x\n")
ended("code-classes", archive(CLASS + FORWARD + "    return x\n" + "".join(f"class C{i}(Module):\n  a : __torch__.C{i + 1}\n" for i in range(3000))))
refused("code-class-in-itself", archive("class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n  a : __torch__.M\n" + FORWARD + "    return x\n",
                                        module_of(b"K\x01")))
ended("code-functions", archive(CLASS + FORWARD + "    return x\n" + "".join(f"def f{i}(x: int) -> int:\n  return x\n" for i in range(20000))))
ended("code-imports-itself", archive("import __torch__\nimport __torch__.a\n" + CLASS + FORWARD + "    return x\n",
                                     more=[("m/code/__torch__/a.py", "import __torch__.a\nimport __torch__\n")]))
laughs = "def f0(x: int) -> int:\n  return torch.add(x, 1)\n" + "".join(
    f"def f{i}(x: int) -> int:\n  return torch.add(__torch__.f{i - 1}(x), __torch__.f{i - 1}(x))\n" for i in range(1, 45))
ended("code-laughs", archive(laughs + CLASS + FORWARD + "    return __torch__.f44(x)\n"))
loops = "".join("  " * (i + 2) + f"for _{i} in range(1000):\n" for i in range(20)) + "  " * 22 + "x = torch.add(x, 1)\n"
body("code-loops", loops + "    return x\n")
body("code-recursion", "    return self.forward(x)\n")
# Variables that were never set, and None where the code says Tensor: the code of an archive can name both.
for name, unset in (("unset", "uninitialized(Tensor)"), ("none", "unchecked_cast(Tensor, annotate(Optional[Tensor], None))"),
                     ("undefined", "torch._unwrap_optional(annotate(Optional[Tensor], None))")):
    for index, use in enumerate(("torch.relu(u)", "torch.add(u, 1)", "torch.mul(v, u)", "torch.cat([u, v])", "torch.cat([v, u])",
                                 "torch.size(u)", "torch.matmul(u, u)", "torch.len(u)", "torch.item(u)", "int(u)", "float(u)",
                                 "bool(u)", "torch.ones_like(u)", "torch.conv1d(v, u)", "torch.add_(u, v)", "torch.copy_(v, u)",
                                 "torch.dim(u)", "torch.select(u, 0, 0)", "annotate(List[Tensor], [u])", "torch.sum(u)",
                                 "torch.reshape(u, [1])", "ops.prim.dtype(u)", "torch.stack([u])", "torch.lstm_cell(v, [u, u], u, u)",
                                 "torch.where(u, v, v)", "torch.index(v, [u])", "torch.mm(torch.relu(v), torch.relu(u))",
                                 "torch.mul(torch.add(torch.tanh(u), v), u)", "u")):
        body(f"code-{name}-{index}", f"    v = torch.ones([1, 1, 1])\n    u = {unset}\n    y = {use}\n    print(y)\n    return x\n")
    body(f"code-{name}-condition", f"    u = {unset}\n    if bool(u):\n      x = torch.add(x, 1)\n    return x\n")
    body(f"code-{name}-returned", f"    u = {unset}\n    return torch.add(torch.len(annotate(List[Tensor], [u, u])), x)\n")
for index, kind in enumerate(("List[Tensor]", "Dict[str, Tensor]", "Tuple[Tensor, int]", "str", "Device", "Generator", "Future[Tensor]",
                              "__torch__.M", "Optional[int]", "Any", "List[List[int]]", "complex", "number", "int")):
    body(f"code-unset-kind-{index}", f"    u = uninitialized({kind})\n    print(u)\n    y = torch.rand([2])\n    return x\n")
body("code-unrolled", "    for i in range(1000000):\n      x = torch.add(x, i)\n    return x\n" * 3)

# Operators that only passes make, and what makes others take any time.
for index, use in enumerate(("ops.tsc.add_pending_(a, [b])", "ops.tsc.addmm_later_(a, [b], b, b)", "ops.tsc.step_product(a, 7)",
                             "ops.tsc.reused(a)", "ops.tsc.to_blocked(a)", "ops.tsc.expand_with(a, b)", "ops.tsc.written(a, b)")):
    body(f"operator-of-passes-{index}", f"    a = torch.zeros([2, 2])\n    b = torch.ones([2, 2])\n    y = {use}\n    print(a)\n    return x\n", refused)
WIDE = "torch.expand(torch.ones([1]), [1125899906842624])"
for index, use in enumerate(("torch.mvlgamma(torch.rand([4]), 4611686018427387904)", "torch.polygamma(4611686018427387904, torch.rand([4]))",
                             "torch.special_hermite_polynomial_h(torch.rand([100000]), 99999)", f"torch.sum({WIDE})", f"torch.max({WIDE})",
                             f"torch.any({WIDE})", f"torch.argmax({WIDE})", f"torch.std({WIDE})", f"torch.norm({WIDE})", f"torch.prod({WIDE})",
                             f"torch.dot({WIDE}, {WIDE})", f"torch.equal({WIDE}, {WIDE})", f"torch.unbind({WIDE})", f"torch.median({WIDE})",
                             f"torch.nonzero({WIDE})", f"torch.mean({WIDE})", f"torch.all({WIDE})", f"torch.logsumexp({WIDE}, [0])",
                             f"torch.tolist({WIDE})", f"torch.split({WIDE}, 1)", f"torch.cumsum({WIDE}, 0)", f"torch.count_nonzero({WIDE})",
                             f"torch.mse_loss({WIDE}, {WIDE})", f"torch.histc({WIDE}, 4)", f"torch.allclose({WIDE}, {WIDE})",
                             "torch.diff(torch.ones([100000]), 100000)", "torch.tensor_split(torch.ones([4]), 4611686018427387904)",
                             "torch.combinations(torch.ones([1]), 1073741824, True)", "torch.matrix_power(torch.ones([2, 2]), 4611686018427387904)",
                             "torch.triu_indices(4611686018427387904, 0)", "torch.linspace(0., 1., 4611686018427387904)",
                             "torch.rot90(torch.ones([2, 2]), 4611686018427387903)", "torch.kaiser_window(4611686018427387904)",
                             "torch.vander(torch.ones([2]), N=4611686018427387904)", "torch.expandtabs('\\t', 4611686018427387904)",
                             "torch.poisson(torch.full([100000], 1.e300))", "torch.binomial(torch.full([1000], 1.e30), torch.full([1000], 0.5))")):
    body(f"value-{index}", f"    y = {use}\n    return x\n", long_running)
body("value-ranks", "    a = torch.ones([1])\n    for i in range(100000):\n      a = torch.unsqueeze(a, 0)\n    return x\n")
# What a few bytes repeat: the time and the memory must be worth the bytes.
def text(value):
    return b"X" + struct.pack("<I", len(value)) + value


def kept(value, number):
    """A value that is put into the memo and taken off the stack."""
    return value + b"r" + struct.pack("<I", number) + b"0"


def recalled(number):
    return b"j" + struct.pack("<I", number)


N, MANY = "class N(Module):\n" + "".join(f"  a{i} : int\n" for i in range(20000)), 20000
HELD = archive(N + CLASS + "  a : List[__torch__.N]\n" + FORWARD + "    return x\n", module_of(b"](" + b"c__torch__\nN\n)\x81" * MANY + b"e"))
refused("repeats-objects", HELD)
fields = b"}(" + b"".join(text(f"a{i}".encode()) + b"K\1" for i in range(20000)) + b"u"
refused("repeats-states", archive(N + CLASS + "  a : Any\n" + FORWARD + "    return x\n",
                                  module_of(kept(fields, 7) + (b"c__torch__\nN\n)\x81" + recalled(7) + b"b0") * MANY + b"N")))
attribute("repeats-list", kept(b"](" + b"K\1" * 100000 + b"e", 7) + (b"ctorch.jit._pickle\nbuild_intlist\n" + recalled(7) + b"\x85R0") * MANY + b"N", "Any")
attribute("repeats-type", kept(text(b"int" + b" " * 500000), 7) + (b"ctorch.jit._pickle\nrestore_type_tag\nK\1" + recalled(7) + b"\x86R0") * MANY + b"N", "Any")
attribute("repeats-name", kept(text(b"a" * 500000), 7) + (recalled(7) + recalled(7) + b"\x930") * MANY + b"N", "Any")
attribute("repeats-memo", b"".join(b"K\1r" + struct.pack("<I", i << 16) + b"0" for i in range(1 << 16)) + b"N", "Any")
attribute("repeats-meta", b"".join(b"(" + text(b"storage") + b"ctorch\nFloatStorage\n" + text(f"{i}".encode()) + text(b"meta") + b"J\xff\xff\xff\x0ftQ0"
                                   for i in range(2000)) + b"N", "Any")
# Numbers that are all in one place of a table whose size is a prime.
attribute("collides", b"}(" + b"".join(long(i * 351061) + b"K\1" for i in range(250000)) + b"u", "Dict[int, int]", ended)

# The same bytes as the storages of many tensors, each with its checksum.
STORED = 10 << 20
storages = io.BytesIO()
with zipfile.ZipFile(storages, "w", zipfile.ZIP_STORED) as file:
    file.writestr("m/data/s", b"\1" * STORED)
    tensors = b"](" + b"".join(tensor(b"K\x01\x85", b"K\x01\x85", key=f"{i:05}".encode()) for i in range(MANY)) + b"e"
    for entry, content in (("data.pkl", module_of(tensors)), ("constants.pkl", b"\x80\x02)."), ("version", "3\n"),
                           ("code/__torch__.py", CLASS + "  a : List[Tensor]\n" + FORWARD + "    return x\n")):
        file.writestr("m/" + entry, content)
whole = storages.getvalue()
end = len(whole) - 22
count, size, start = struct.unpack("<HII", whole[end + 10:end + 20])
record = bytearray(whole[start:start + 46])
record[28:30] = struct.pack("<H", len("m/data/00000"))
entries = whole[start:end] + b"".join(bytes(record) + f"m/data/{i:05}".encode() for i in range(MANY))
refused("zip-stored-overlapping", whole[:start] + entries + struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count + MANY, count + MANY, len(entries), start, 0))


def legacy(main, code, name="Net"):
    out = io.BytesIO()
    model = {"protoVersion": "2", "mainModule": {"torchscriptArena": {"key": "code/a.py"}, "name": name, **main}, "tensors": []}
    with zipfile.ZipFile(out, "w") as file:
        for entry, content in (("version", "1\n"), ("model.json", json.dumps(model)), ("code/a.py", code)):
            file.writestr("m/" + entry, content)
    return out.getvalue()


LINES = "op_version_set = 0\ndef forward(self,\n    x: int) -> int:\n  return x\n"
refused("legacy-one-code", legacy({"submodules": [{"name": f"a{i}", "torchscriptArena": {"key": "code/a.py"}} for i in range(20000)]}, LINES + "# a\n" * 50000))
refused("legacy-long-path", legacy({"submodules": [{"name": f"a{i}"} for i in range(20000)]}, LINES, "a" * 500000))
ended("legacy-one-name", legacy({"submodules": [{"name": "a"} for _ in range(30000)]}, LINES))

# Types that name the one before them twice, and unions each of whose members holds all of the next one.
doubles = "class T0(NamedTuple):\n  a : List[int]\n  b : int\n" + "".join(f"class T{i}(NamedTuple):\n  a : __torch__.T{i - 1}\n  b : __torch__.T{i - 1}\n"
                                                                 for i in range(1, 60))
refused("doubles-named-tuples", archive(doubles + CLASS + "  a : Optional[__torch__.T59]\n" + FORWARD + "    y = self.a\n    return x\n", module_of(b"N")))
unions = "class T0(NamedTuple):\n  a : int\n" + "".join(
    f"class T{i}(NamedTuple):\n  a : Union[Tuple[__torch__.T{i - 1}, int], Tuple[__torch__.T{i - 1}, str]]\n" for i in range(1, 60))
refused("doubles-unions", archive(unions + CLASS + "  a : __torch__.T8\n" + FORWARD + "    return x\n", module_of(b"K\1\x85" + b"G\0\0\0\0\0\0\0\0\x86\x85" * 8)))
refused("doubles-unions-deep", archive(unions + CLASS + "  a : __torch__.T59\n" + FORWARD + "    return x\n", module_of(b"K\1\x85" + b"G\0\0\0\0\0\0\0\0\x86\x85" * 59)))

# Code whose parts multiply.
body("code-early-returns", "".join(f"    if torch.eq(x, {i}):\n      return {i}\n    else:\n      pass\n" for i in range(20000)) + "    return x\n", refused)
body("code-early-returns-few", "".join(f"    if torch.eq(x, {i}):\n      return {i}\n    else:\n      pass\n" for i in range(900)) + "    return x\n")
dots = ".".join("a" * 200000)
ended("code-dots", archive(CLASS + FORWARD + f"    return x\n  def other(self, x: int) -> int:\n    return __torch__.{dots}(x)\n"))
ended("code-missing", archive(CLASS + FORWARD + "    return x\n  def other(self, x: int) -> int:\n"
                              + "".join(f"    x = torch.missing_{i}(x)\n" for i in range(60000)) + "    return x\n"))

folder = pathlib.Path(sys.argv[2])
chosen = [name for name in CASES if len(sys.argv) == 3 or name in sys.argv[3:]]
for name in chosen:
    (folder / f"{name}.pt").write_bytes(CASES[name][0])
(folder / "cases").write_text(json.dumps([(name, *CASES[name][1:]) for name in chosen]))
