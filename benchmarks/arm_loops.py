#!/usr/bin/env python3
"""The machine code of ten inner loops for 64-bit Arm: cycles per element as llvm-mca sees them, beside a bound.

usage: arm_loops.py [--build FOLDER] [--sysroot FOLDER] [--processors NAME,...] [--loops REGEX] [--show] [--reuse] [--markdown FILE]

Compiles the files of the loops as a release for AArch64 does. Where --build (build/arm-loops) is no build yet, it is configured
first, with the arm64 packages of --sysroot (build/aarch64-sysroot), which utils/make_sysroot unpacks; its compile_commands.json
says how each file is compiled. Nothing but headers and these files is built, and nothing runs but llvm-mca-19, which simulates
many turns of a loop with a scheduling model of LLVM's. It knows no caches, and no branch is guessed wrong.
--show prints the instructions of each loop, and --reuse takes what the last run has compiled. --markdown writes the tables into
their section of a file. docs/ArmLoops.md says what the columns mean.
"""
import argparse
import functools
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass

from common import ROOT, put_section

PROCESSORS = "neoverse-n1,cortex-a78,neoverse-n2"


@dataclass
class Loop:
    """An inner loop: where it is, what makes an element, and the fewest instructions that four elements need."""
    name: str
    sources: str  # the first of these files that has the function is meant
    function: str  # a regular expression of its name
    has: str  # a regular expression of an instruction of the loop
    loads: int  # how many bytes are loaded for an element, in whole vectors; 0 where products are counted
    stores: int  # how many are stored; 0 where elements are counted by what is loaded
    least: str
    why: str


# e^x: clamped, its exponent rounded off, the rest of the argument in two parts, six terms, and the exponent added again.
POWER = "2 fmax v, 1 fmla v, 1 fsub v, 2 fmla v, 6 fmla v, 1 shl v, 1 add v"
LOOPS = [
    Loop("sum of two tensors", "Pointwise/Floats/SimdKernels*.cpp", "runKernel<float, .*Aten_add_Tensor_Real,", "fadd", 8, 4,
         "2 ldr, 1 fadd v, 1 str", "residual connections and biases; products differ by one instruction"),
    Loop("relu", "Pointwise/Floats/SimdKernels*.cpp", "runKernel<float, .*Aten_relu_Real,", "fc?m", 4, 4,
         "1 ldr, 1 fmax v, 1 str", "behind most convolutions where nothing fuses it"),
    Loop("sigmoid", "Pointwise/Floats/SimdKernels*.cpp", "runKernel<float, .*Aten_sigmoid_Real,", "fdiv", 4, 4,
         f"1 ldr, {POWER}, 1 fadd v, 1 fdiv v, 1 str", "gates, and SiLU; the exponential that others are made of"),
    Loop("gelu", "Pointwise/Floats/SimdKernels*.cpp", "runKernel<float, .*Aten_gelu_Real,", "fmla", 4, 4,
         "1 ldr, 4 fmul v, 1 fmax v, 1 fmla v, 8 tbl v, 1 fsub v, 6 fmla v, 1 bit v, 1 fadd v, 1 str",
         "between the two products of each transformer's block; the error function from a table of polynomials"),
    Loop("sum of a row", "Reductions/SimdFolds.cpp", "fourRowBlocks<tsc::cpu::SumFold<float>, float>", "fadd", 4, 0,
         "1 ldr, 1 fadd v", "means, norms and pooling"),
    Loop("softmax, its exponentials", "Normalization/SimdRows.cpp", "softmaxRow<float>", "fmla", 4, 4,
         f"1 ldr, 1 fsub v, {POWER}, 1 fadd v, 1 str", "attention; the longest of the three passes over a row"),
    Loop("matrix product", "Products/GemmKernels.cpp", r"tileOrPart<float, 12, .*Rows\)1>", "fmla", 0, 0,
         "1 fmla v", "most of the time of transformers and of linear layers"),
    Loop("convolution", "Convolution/SimdBlocked.cpp", "denseTile<1, 6>", "fmla", 0, 0,
         "1 fmla v", "most of the time of networks for images"),
    Loop("product of integers", "Quantized/SimdIntegers.cpp", r"\bmultiplyWords\(", "smlal|[su]dot", 0, 0,
         "1 smlal w", "linear layers and convolutions of quantized networks"),
    Loop("halves to floats", "Support/SimdHalves.cpp", r"\bwidenHalf\(", "fcvtl", 2, 4,
         "1 ldr d, 1 fcvtl w, 1 str", "networks of halves: what has no kernel of its own computes on floats"),
]

# Operands of the instructions that `least` names.
LEAST = {"ldr": "ldr q{0}, [x0]", "ldr d": "ldr d{0}, [x0]", "str": "str q{0}, [x1]", "fcvtl w": "fcvtl v{0}.4s, v31.4h",
         "smlal w": "smlal v{0}.4s, v30.4h, v31.4h", "tbl v": "tbl v{0}.16b, {{ v30.16b, v31.16b }}, v29.16b",
         "bit v": "bit v{0}.16b, v30.16b, v31.16b", "shl v": "shl v{0}.4s, v31.4s, #23"}


@dataclass
class Block:
    """Instructions that run one after another, and the names of the blocks that may follow."""
    name: str
    instructions: list
    next: list


def fail(message):
    sys.exit(f"arm_loops.py: {message}")


def run(command, **arguments):
    """What a command prints; ends with its complaint where it fails, or is not there."""
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True, **arguments).stdout
    except OSError as error:
        fail(f"{command[0]} does not start: {error.strerror}")
    except subprocess.CalledProcessError as error:
        fail(f"{shlex.join(map(str, command[:3]))}... fails:\n{(error.stderr or error.stdout).strip()[-2000:]}")


def commands_of(build, sysroot):
    """The compiler's command by file. Configures a build where there is none, with the options of the preset `release`."""
    database = build / "compile_commands.json"
    if not database.exists():
        if not (sysroot / "usr/include/stdio.h").exists():
            fail(f"there are no arm64 packages in '{sysroot}': utils/make_sysroot {sysroot} unpacks them")
        presets = json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
        release = next(p for p in presets if p["name"] == "release")["cacheVariables"]
        run(["cmake", "--preset", "aarch64", "-B", build, f"-DTSC_SYSROOT={sysroot.resolve()}", "-DCMAKE_CXX_FLAGS=",
             f"-DCMAKE_BUILD_TYPE={release['CMAKE_BUILD_TYPE']}",
             f"-DCMAKE_CXX_FLAGS_RELEASE={release['CMAKE_CXX_FLAGS_RELEASE']}", "-DTSC_BUILD_TESTS=OFF"], cwd=ROOT)
    try:
        entries = json.loads(database.read_text())
        commands = {pathlib.Path(e["directory"], e["file"]): (shlex.split(e["command"]), e["directory"]) for e in entries}
    except (OSError, ValueError, KeyError, TypeError):
        fail(f"'{database}' is not what CMake writes: remove '{build}', and it is configured again")
    command, _ = next(iter(commands.values()), ([], None))
    if not any("aarch64" in word for word in command):
        fail(f"'{build}' is no build for 64-bit Arm: --build names another folder")
    if "-O3" not in command or "-DNDEBUG" not in command:
        fail(f"'{build}' is no release: --build names another folder")
    run(["ninja", "-C", build, "tsc-generated-headers"])
    return commands


@functools.lru_cache(maxsize=None)
def assembly(source, command, directory, folder, reuse):
    """The functions of a file: lines by name, as people read it."""
    words, output = list(command), folder / (source.stem + ".s")
    if not (reuse and output.exists()):
        words[words.index("-c")] = "-S"
        words[words.index("-o") + 1] = str(output)
        run(words, cwd=directory)
    functions, lines = {}, None
    for line in output.read_text().splitlines():
        if label := re.match(r"(_Z\w+):", line):
            lines = functions.setdefault(label[1], [])
        elif line.startswith(".Lfunc_end"):
            lines = None
        elif lines is not None:
            lines.append(line)
    names = run(["llvm-cxxfilt-19"], input="\n".join(functions) + "\n").splitlines()
    return dict(zip(names, functions.values()))


def blocks_of(lines):
    """The basic blocks of a function by name, in their order."""
    blocks, current = {}, None

    def begin(name):
        nonlocal current
        if current and current.next is not None:
            current.next.append(name)
        current = blocks[name] = Block(name, [], [])
    begin("entry")
    for line in lines:
        text = line.split("//")[0].strip()
        if label := re.match(r"(\.L\w+):", text):
            begin(label[1])
        elif text and text[0] not in ".#":
            if current is None or current.next is None or current.next:
                begin(f"after {sum(len(b.instructions) for b in blocks.values())}")
            current.instructions.append(text)
            operation, target = text.split()[0], text.split()[-1]
            if operation == "b":
                current.next, current = [target], None
            elif operation in ("ret", "br"):
                current = None
            elif operation.startswith(("b.", "cb", "tb")) and target.startswith(".L"):
                current.next.append(target)
    return blocks


def components(names, blocks):
    """The strongly connected components of some blocks that have a cycle (Tarjan's algorithm)."""
    index, low, stack, found = {}, {}, [], []

    def visit(name):
        index[name] = low[name] = len(index)
        stack.append(name)
        for following in blocks[name].next:
            if following in names:
                if following not in index:
                    visit(following)
                if following in stack:
                    low[name] = min(low[name], low[following])
        if low[name] == index[name]:
            at = stack.index(name)
            found.append(stack[at:])
            del stack[at:]
    for name in blocks:
        if name in names and name not in index:
            visit(name)
    return [c for c in found if len(c) > 1 or c[0] in blocks[c[0]].next]


def inner_loops(names, blocks):
    """The blocks of each innermost loop, the header first."""
    for component in components(names, blocks):
        inside = set(component)
        header = next((n for b in blocks.values() if b.name not in inside for n in b.next if n in inside), component[0])
        rest = inside - {header}
        deeper = list(inner_loops(rest, blocks))
        if deeper:
            yield from deeper
        else:
            yield [header] + [n for n in component if n != header]


def turns(loop, blocks):
    """The instructions of each way through an innermost loop that calls nothing."""
    header, inside = loop[0], set(loop)

    def walk(name, path):
        path = path + [name]
        if any(i.split()[0] in ("bl", "blr") for i in blocks[name].instructions):
            return
        for following in dict.fromkeys(blocks[name].next):
            if following == header:
                yield [i for n in path for i in blocks[n].instructions]
            elif following in inside:
                yield from walk(following, path)
    yield from walk(header, [])


ACCESS = re.compile(r"(ld[rpu]r?|st[rpu]r?|ld1r?|st1)\s+(.*?), (\[.*)")


def traffic(instructions):
    """Bytes that are loaded and stored in whole vectors, without spills and sums that a loop keeps in memory."""
    places = {"l": [], "s": []}
    for text in instructions:
        if access := ACCESS.match(text):
            operation, registers, address = access.groups()
            kinds = re.findall(r"\b([qd])\d+", registers)
            if kinds and "[sp" not in address and "[x29" not in address:
                places[operation[0]].append((address, sum({"q": 16, "d": 8}[k] for k in kinds)))
    kept = {a for a, _ in places["l"]} & {a for a, _ in places["s"]}
    return tuple(sum(size for address, size in places[kind] if address not in kept) for kind in "ls")


PRODUCTS = re.compile(r"(?:fmla|fmls|mla|[us]mlal2?|[us]dot)\s+v\d+\.(\d+)[sdh]")


def products(instructions):
    """Products that are added, one for each lane of the sums; sdot and udot add four."""
    return sum(int(m[1]) * (4 if "dot" in text else 1) for text in instructions if (m := PRODUCTS.match(text)))


def elements_of(loop, instructions):
    """How many elements a turn of the loop computes, or 0 where it is not the one that is meant."""
    if not any(re.match(loop.has, text) for text in instructions):
        return 0
    if not loop.loads:
        return products(instructions)
    loaded, stored = traffic(instructions)
    count = stored // loop.stores if loop.stores else loaded // loop.loads
    return count if loaded >= count * loop.loads else 0


def find(loop, commands, folder, reuse):
    """The file of the loop, the instructions of a turn and its elements. Of loops that qualify, that with the most vectors is
    meant, and of these the shortest; of the ways through it, the longest."""
    sources = [s for s in sorted((ROOT / "lib/Kernels").glob(loop.sources)) if s in commands]
    if not sources:
        fail(f"'{loop.name}': nothing compiles lib/Kernels/{loop.sources}")
    for source in sources:
        command, directory = commands[source]
        for name, lines in assembly(source, tuple(command), directory, folder, reuse).items():
            if not re.search(loop.function, name):
                continue
            blocks, found = blocks_of(lines), []
            for inner in inner_loops(set(blocks), blocks):
                ways = [(len(way), way, elements) for way in turns(inner, blocks) if (elements := elements_of(loop, way))]
                if ways:
                    length, way, elements = max(ways)
                    found.append((-sum(bool(re.search(r"\b[qv]\d", i)) for i in way), length, way, elements))
            if not found:
                fail(f"'{loop.name}': {name} has no loop on vectors of the kind that is meant")
            return source.relative_to(ROOT / "lib/Kernels"), *min(found)[2:]
    fail(f"'{loop.name}': no function of lib/Kernels/{loop.sources} is like '{loop.function}'")


@dataclass
class Simulation:
    """What llvm-mca says of a loop, in cycles a turn."""
    cycles: float  # in the long run
    resources: float  # where nothing waited for results: that of which the turn takes the most is always busy
    busiest: str
    chain: float  # how much later a turn's results are there than those of the turn before, if all else were free


POST_INDEXED = re.compile(r"((?:ld|st)[ru]\s+[qdshb]\d+, \[(x\d+)\]), #(-?\d+)$")


def plain(instructions):
    """Loads and stores that move their address, as the two operations that they are: LLVM 19 lets the next address wait for
    what is loaded from this one."""
    for text in instructions:
        if moves := POST_INDEXED.match(text):
            yield from (moves[1], f"add {moves[2]}, {moves[2]}, #{moves[3]}")
        else:
            yield text


# What LLVM's names of resources mean.
PIPES = [(r"\w+Unit[VWX]", "vector pipes"), (r"A57UnitL", "loads"), (r"\w+UnitL", "loads and stores"),
         (r"A57UnitS|\w+UnitD", "stores"), (r"\w+UnitB", "branches"), (r"", "integers")]


def simulate(processor, instructions):
    turns = 500

    def mca(count):
        return json.loads(run(["llvm-mca-19", "-mtriple=aarch64", f"-mcpu={processor}", f"-iterations={count}", "-json"],
                              input="\n".join(instructions) + "\n"))
    begin, result = mca(turns), mca(2 * turns)
    first, both = begin["CodeRegions"][0]["SummaryView"], result["CodeRegions"][0]["SummaryView"]
    names, busy = result["TargetInfo"]["Resources"], {}
    for use in result["CodeRegions"][0]["ResourcePressureView"]["ResourcePressureInfo"]:
        if use["InstructionIndex"] == len(instructions):  # the sum of all
            name = names[use["ResourceIndex"]]
            busy[name] = max(busy.get(name, 0), use["ResourceUsage"])
    resource = max(busy, key=busy.get)
    busiest = next(kind for pattern, kind in PIPES if re.match(pattern, resource))
    if both["TotaluOps"] / (2 * turns) / both["DispatchWidth"] > 1.02 * busy[resource]:
        busiest = "dispatch"
    latencies = [i["Latency"] for i in result["CodeRegions"][0]["InstructionInfoView"]["InstructionList"]]
    return Simulation((both["TotalCycles"] - first["TotalCycles"]) / turns, both["BlockRThroughput"], busiest,
                      chain_of(instructions, latencies))


WRITES_NOTHING = re.compile(r"st.*|f?c?cm[np]e?|tst|b|b\..*|[ct]bn?z|prfu?m")
READS_RESULT = re.compile(r"[fs]?ml[as]|[su]ml[as]l|[su]dot|[su]adalp|bi[tf]|bsl|movk|ins|ld1\s.*\]\[|mov\s+v\d+\.\w\[")


def chain_of(instructions, latencies, turns=64):
    """By how many cycles results come later from turn to turn where nothing but what they are computed of holds them up."""
    ready, ends = {}, []
    for _ in range(turns):
        for text, latency in zip(instructions, latencies):
            operation, operands = text.split(None, 1)
            registers = [("v" if r[0] in "vqdshb" else "x") + r[1:] for r in re.findall(r"\b[vqdshbxw]\d+\b", operands)]
            if WRITES_NOTHING.fullmatch(operation):
                written, read = [], registers
            elif operation.startswith("ld"):
                at = len(re.findall(r"\b[vqdshbxw]\d+\b", operands.split("[x")[0]))
                written, read = registers[:at], registers[at:]
            else:
                written, read = registers[:1], registers[1:]
            if READS_RESULT.match(text):
                read = read + written
            start = max((ready.get(r, 0) for r in read), default=0)
            ready.update({r: start + latency for r in written})
            if moves := re.search(r"\[x(\d+)\], ", operands):
                ready["x" + moves[1]] = ready.get("x" + moves[1], 0) + 1
        ends.append(max(ready.values(), default=0))
    return (ends[-1] - ends[turns // 2]) / (turns - 1 - turns // 2)


def limit_of(simulation):
    """What a loop waits for."""
    if simulation.cycles <= 1.1 * simulation.resources:
        return simulation.busiest
    if simulation.chain >= 0.9 * simulation.cycles:
        return "a chain of results"
    return f"latency; then {simulation.busiest}"


def least_of(loop):
    """The fewest instructions that a vector of four elements needs."""
    texts = []
    for part in loop.least.split(", "):
        count, operation = part.split(" ", 1)
        pattern = LEAST.get(operation) or operation.split()[0] + " v{0}.4s, v30.4s, v31.4s"
        texts += [pattern.format(len(texts) + i) for i in range(int(count))]
    return texts


def check_processors(names):
    """Ends where LLVM does not know a processor; it would take another one."""
    listed = subprocess.run(["llvm-mca-19", "-mtriple=aarch64", "-mcpu=help"], input="", capture_output=True, text=True)
    known = re.findall(r"^  (\S+) +- Select the", listed.stdout + listed.stderr, flags=re.M)
    for name in names:
        if name not in known:
            fail(f"LLVM knows no processor '{name}' of 64-bit Arm: llvm-mca-19 -mtriple=aarch64 -mcpu=help lists them")


SECTION = "Tables"


def tables(rows, processors):
    lines = ["| loop | where | elements | instructions | why this one |", "|---|---|---:|---:|---|"]
    for loop, source, way, elements, _ in rows:
        unit = "elements" if loop.loads else "products"
        lines.append(f"| {loop.name} | `{source}` | {elements} {unit} | {len(way)} | {loop.why} |")
    for i, processor in enumerate(processors):
        lines += ["", f"`-mcpu={processor}`, in cycles per element:", "",
                  "| loop | simulated | without waiting | bound | simulated / bound | instructions per cycle | limited by |",
                  "|---|---:|---:|---:|---:|---:|---|"]
        for loop, _, way, elements, found in rows:
            own, least = found[i]
            bound = least.resources / 4
            lines.append(f"| {loop.name} | {own.cycles / elements:.3f} | {own.resources / elements:.3f} | {bound:.3f} "
                         f"| {own.cycles / elements / bound:.2f} | {len(way) / own.cycles:.1f} | {limit_of(own)} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/arm-loops")
    parser.add_argument("--sysroot", type=pathlib.Path, default=ROOT / "build/aarch64-sysroot")
    parser.add_argument("--processors", default=PROCESSORS)
    parser.add_argument("--loops", default="", help="loops whose names a regular expression matches")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--reuse", action="store_true")
    parser.add_argument("--markdown", type=pathlib.Path)
    options = parser.parse_args()
    for tool in ("llvm-mca-19", "llvm-cxxfilt-19"):
        if not shutil.which(tool):
            fail(f"there is no {tool}: on Debian, install llvm-19")
    processors = options.processors.split(",")
    check_processors(processors)
    loops = [loop for loop in LOOPS if re.search(options.loops, loop.name)]
    if not loops:
        fail(f"no loop's name matches '{options.loops}'; there are: " + ", ".join(loop.name for loop in LOOPS))
    commands = commands_of(options.build, options.sysroot)
    folder, rows = options.build.resolve() / "loops", []
    folder.mkdir(exist_ok=True)
    for loop in loops:
        source, way, elements = find(loop, commands, folder, options.reuse)
        if options.show:
            print(f"{loop.name}, {elements} at a time:", *way, sep="\n    ", flush=True)
        found = [(simulate(p, list(plain(way))), simulate(p, least_of(loop))) for p in processors]
        rows.append((loop, source, way, elements, found))
        for processor, (own, least) in zip(processors, found):
            print(f"{loop.name:26} {processor:12} {own.cycles / elements:7.3f} {own.resources / elements:7.3f} "
                  f"{least.resources / 4:7.3f} {limit_of(own)}", flush=True)
    if options.markdown:
        put_section(options.markdown, SECTION, tables(rows, processors))


if __name__ == "__main__":
    main()
