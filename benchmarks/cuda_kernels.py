#!/usr/bin/env python3
"""Tables what the CUDA kernels of the benchmark programs become, without a GPU.

usage: cuda_kernels.py TSC_RUN CASES [--architecture sm_90] [--ptxas PTXAS] [--nvdisasm NVDISASM]

CASES is a folder with cases.json and cases/, as ../shared/bench. PTX comes from `tsc-run --print-kernels=ptx`, which
needs NVRTC; ptxas says what registers a kernel takes and what it spills, nvdisasm what stands on the shortest way from
one unit, or one vector of it, to the next. Programs that are trained give their backward kernels too.

An integer instruction is whatever is none of the lists below: moves, predicates and uniform ones are. It belongs to the
arithmetic when it works on something that was loaded from a tensor (exponents of exp, conversions, selections), or puts a
constant into a register that only such instructions read; all others are the work of addresses and loops. The way is that
of one dimension beside the row: each further one is a turn of a loop.
"""
import argparse
import collections
import heapq
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/\s+(@!?U?P\w+ )?\s*([A-Z][A-Z0-9_.]*)([^;]*);")
REAL = ("FADD", "FMUL", "FFMA", "FMNMX", "FSEL", "FSETP", "MUFU", "DADD", "DMUL", "DFMA", "DSETP", "HADD2", "HMUL2",
        "HFMA2", "F2F", "F2FP", "I2F", "F2I", "FRND", "FCHK")
MEMORY = ("LDG", "STG", "LDS", "STS", "LDC", "ULDC", "LDL", "STL")
CONTROL = ("BRA", "EXIT", "BSSY", "BSYNC", "NOP", "WARPSYNC", "BAR", "SHFL", "CALL", "RET", "BREAK", "S2R", "S2UR",
           "CS2R")


def kind_of(opcode):
    base = opcode.split(".")[0]
    return "real" if base in REAL else "memory" if base in MEMORY else "control" if base in CONTROL else "integer"


class Block:
    def __init__(self):
        self.opcodes, self.operands, self.next = [], [], []

    def count(self, predicate):
        return sum(1 for opcode in self.opcodes if predicate(opcode))


REGISTER = re.compile(r"\b(U?R\d+|U?P\d)\b")
PAIRS = ("WIDE", ".64")


def written(opcode, destination):
    """The registers that an instruction writes, by the name of the first."""
    match = re.match(r"(U?R)(\d+)$", destination)
    if not match:
        return [destination]
    width = 4 if ".128" in opcode else 2 if any(mark in opcode for mark in PAIRS) or opcode[0] == "D" else 1
    return [f"{match[1]}{int(match[2]) + i}" for i in range(width)]


def sets_constant(opcode, sources):
    """A move of a constant, or the product of zeros that ptxas uses for one."""
    is_move = re.match(r"(IMAD\.)?U?MOV|IMAD\.U32|HFMA2\.MMA", opcode)
    return bool(is_move) and not re.search(r"\bU?R\d|c\[", ", ".join(sources))


def overhead_of(blocks, cycle):
    """Integer instructions of the way that work on nothing that was loaded from a tensor, and constants for those."""
    loaded, constants, counted = set(), {}, set()
    for turn in range(3):  # what a turn leaves in registers is there in the next
        counted.clear()
        for label in cycle:
            for number, (opcode, operands) in enumerate(zip(blocks[label].opcodes, blocks[label].operands)):
                guard, operands = operands
                parts = [part.strip() for part in operands.split(",")]
                names = [REGISTER.findall(part) for part in parts]
                results = 2 if opcode.split(".")[0] in ("ISETP", "FSETP", "DSETP", "PLOP3", "UISETP") else 1
                while results < len(parts) and re.fullmatch(r"P(\d|T)", parts[results]) and results < 3 and \
                        opcode.startswith(("IADD3", "LEA", "UIADD3", "ULEA", "LOP3")):
                    results += 1
                read = {name for part in names[results:] for name in part} | set(REGISTER.findall(guard or ""))
                is_load, is_store = opcode.startswith("LDG"), opcode.startswith("STG")
                works_on_loaded = is_load or bool(read & loaded)
                is_constant = sets_constant(opcode, parts[1:])
                if kind_of(opcode) == "integer" and not works_on_loaded and not is_constant:
                    counted.add((label, number))
                    counted.update(constants[name] for name in read if name in constants)
                if not is_store:
                    for part in names[:results]:
                        for name in part[:1]:
                            for register in written(opcode, name):
                                (loaded.add if works_on_loaded else loaded.discard)(register)
                                constants.pop(register, None)
                                if is_constant:
                                    constants[register] = (label, number)
    return len(counted)


def blocks_of(listing, name):
    """Basic blocks of a kernel by their labels, with where each may go next."""
    blocks, labels, current, falls = {}, [], None, False

    def begin(label):
        nonlocal current, falls
        block = blocks.setdefault(label, Block())
        if current is not None and falls:
            current.next.append(label)
        current, falls = block, True

    inside, extra = False, 0
    for line in listing.splitlines():
        if line.startswith(f"{name}:"):
            inside = True
            begin("entry")
            continue
        if inside and (line.startswith(".section") or line.strip().startswith(".section")):
            break
        if not inside:
            continue
        label = re.match(r"^(\.L\w+):", line)
        if label:
            begin(label[1])
            continue
        match = INSTRUCTION.match(line)
        if not match:
            continue
        current.opcodes.append(match[2])
        current.operands.append((match[1], match[3]))
        if match[2].startswith("BRA"):
            target = re.search(r"\((\.L\w+)\)", match[3])
            if target:
                current.next.append(target[1])
            always = not match[1] and not re.match(r"\s*!?U?P\d", match[3])
            falls = not always
            extra += 1
            begin(f"after{extra}")
        elif match[2] == "EXIT" and not match[1]:
            falls = False
    return blocks


def shortest_cycle(blocks, hot):
    """The blocks of the way from `hot` back to it that takes the fewest instructions."""
    best = {hot: 0}
    heap = [(0, hot, (hot,))]
    while heap:
        cost, label, way = heapq.heappop(heap)
        for following in blocks[label].next:
            if following == hot:
                return way
            if following not in blocks:
                continue
            further = cost + len(blocks[following].opcodes)
            if following not in best or further < best[following]:
                best[following] = further
                heapq.heappush(heap, (further, following, way + (following,)))
    return (hot,)


def analyse(name, ptx, options):
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = pathlib.Path(folder, "k.ptx"), pathlib.Path(folder, "k.cubin")
        source.write_text(ptx)
        said = subprocess.run([options.ptxas, "-v", f"-arch={options.architecture}", source, "-o", cubin],
                              capture_output=True, text=True, check=True).stderr
        listing = subprocess.run([options.nvdisasm, "-c", cubin], capture_output=True, text=True, check=True).stdout
    part = said.split(f"'{name}'", 1)[1]
    registers = int(re.search(r"Used (\d+) registers", part)[1])
    spills = re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", part)
    blocks = blocks_of(listing, name)
    wide = lambda opcode: opcode.startswith(("LDG", "STG")) and ".128" in opcode
    access = lambda opcode: opcode.startswith(("LDG", "STG"))
    hot = max(blocks, key=lambda label: (blocks[label].count(wide), blocks[label].count(access)))
    cycle = shortest_cycle(blocks, hot)
    opcodes = collections.Counter(opcode for label in cycle for opcode in blocks[label].opcodes)
    kinds = collections.Counter()
    for opcode, count in opcodes.items():
        kinds[kind_of(opcode)] += count
    loads = sum(n for opcode, n in opcodes.items() if opcode.startswith("LDG") and ".128" in opcode)
    stores = sum(n for opcode, n in opcodes.items() if opcode.startswith("STG") and ".128" in opcode)
    other = sum(n for opcode, n in opcodes.items() if opcode.startswith(("LDG", "STG"))) - loads - stores
    return registers, int(spills[1]) + int(spills[2]), loads, stores, other, kinds, overhead_of(blocks, cycle)


ITEM_BYTES = {"float": 4, "double": 8, "long long": 8, "int": 4, "short": 2, "tsc_half": 2, "tsc_bfloat16": 2}


def elements_of(source, loads, stores):
    """How many elements a thread computes on a way with so many accesses of 16 bytes; none where that is not known.

    In a kernel that folds, the way may be that of any of its walks over a row."""
    vectors = set(re.findall(r"tsc_vector<([\w ]+), (\d+)> y(\d+);", source))
    if "__syncthreads" in source and not stores:
        vectors = set(re.findall(r"const tsc_vector<([\w ]+), (4)> (x\d+) =", source))
        stores = loads
    of = lambda item, width: max(1, int(width) * ITEM_BYTES.get(item, 1) // 16)
    accesses = sum(of(item, width) for item, width, _ in vectors)
    elements = int(next(iter(vectors))[1]) if vectors else 0
    for item, width, _, count in set(re.findall(r"tsc_vector<([\w ]+), (\d+)> y(\d+)\[(\d+)\];", source)):  # records
        accesses, elements = accesses + int(count) * of(item, width), int(count)
    return elements * stores // accesses if accesses else 0


def printed(options, case, args, grad, what):
    ran = subprocess.run([options.tsc_run, options.cases / "cases" / case["file"], "--entry", case["entry"],
                          "--print-kernels", what, "--args", args, *grad], capture_output=True, text=True)
    if ran.returncode:
        sys.exit(f"{case['name']}: {ran.stderr}")
    return ran.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tsc_run")
    parser.add_argument("cases", type=pathlib.Path)
    parser.add_argument("--architecture", default="sm_90")
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--nvdisasm", default="nvdisasm")
    options = parser.parse_args()
    for tool in (options.ptxas, options.nvdisasm):
        if not shutil.which(tool):
            parser.error(f"{tool} is not on the path: it comes with the CUDA toolkit; "
                         "--ptxas and --nvdisasm say where it is")
    seen = set()
    print("| program | kernel | registers | spilled bytes | 16-byte loads, stores | other accesses "
          "| real, integer instructions | of these, addresses and loops | an element |")
    print("|---|---|---|---|---|---|---|---|---|")
    for case in json.loads((options.cases / "cases.json").read_text()):
        args = re.sub(r"\b(\d{8,})\b", "4194304", case["args"])  # large tensors have the same kernels
        ways = [[]] + ([["--grad", ",".join(map(str, case["grad"]))]] if "grad" in case else [])
        for grad in ways:
            kernels = lambda what: re.split(r"^(?=// tsc_\w+$)", printed(options, case, args, grad, what), flags=re.M)[1:]
            for ptx, source in zip(kernels("ptx"), kernels("cuda")):
                name = re.match(r"// (\w+)", ptx)[1]
                if name in seen or "extern" not in source:
                    continue
                seen.add(name)
                ptx = ptx[:ptx.rindex("}") + 1]
                registers, spilled, loads, stores, other, kinds, overhead = analyse(name, ptx, options)
                elements = elements_of(source, loads, stores)
                share = f"{overhead / elements:.1f}" if elements else "–"
                short = name[4:24].rstrip("_")
                print(f"| {case['name']}{', gradient' if grad else ''} | {short}… | {registers} | {spilled} "
                      f"| {loads}, {stores} | {other} | {kinds['real']}, {kinds['integer']} | {overhead} | {share} |",
                      flush=True)


if __name__ == "__main__":
    main()
