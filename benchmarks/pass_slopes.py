#!/usr/bin/env python3
"""Whether passes, alias analysis, parser, verifier and printer cost more a node as graphs grow.

Runs each pass that tsc-opt lists over graphs of 10,000 and of 100,000 nodes in four shapes, and prints for each the time
per node at the larger over that at the smaller: 1.0 is linear.

  line    each node uses the one before it
  deep    blocks in blocks, 1,000 deep
  uses    one value that every node uses
  loops   a loop for every ten nodes

The time is that of the processor (of -time-passes), the least of several runs; of more where the ratio is high, since
neighbours on a shared machine only ever make a run longer. The smaller graph comes ten times in one
file, so that both sides touch as much memory, and what is compared is what a graph's size costs. With --single it
comes once: then it may fit into a cache that the larger one does not fit into, and the ratio shows that too.

usage: pass_slopes.py [--tsc-opt PATH] [--need RATIO] [--runs N] [--single] [--shapes line,deep] [PASS...]
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

from common import find_tool

SIZES = (10_000, 100_000)
DEPTH = 1_000
SUSPICIOUS, MOST = 1.25, 12  # ratios above are measured again, in so many times the runs at most
RULE = """graph(%x : Tensor):
  %a : Tensor = aten::relu(%x)
  %b : Tensor = aten::neg(%a)
  return (%b)
graph(%x : Tensor):
  %b : Tensor = aten::abs(%x)
  return (%b)
"""


HEAD = ["graph(%x : Tensor, %y : Tensor, %n : int, %c : bool):", "%one : int = prim::Constant[value=1]()",
        "%true : bool = prim::Constant[value=1]()"]


def step(number, before, name):
    """One of several kinds of node, so that each pass finds something, but not everywhere."""
    return (f"%{name} : Tensor = aten::mul({before}, %y)", f"%{name} : Tensor = aten::relu({before})",
            f"%{name} : Tensor = aten::add({before}, %y, %one)", f"%{name} : Tensor = aten::neg({before})",
            f"%{name} : Tensor = aten::tanh({before})", f"%{name} : Tensor = aten::add_({before}, %y, %one)",
            f"%{name} : Tensor = aten::mm(%y, {before})", f"%{name} : Tensor = aten::sigmoid({before})")[number % 8]


def chain(lines, count, first, prefix):
    last = first
    for i in range(count):
        lines.append(step(i, last, f"{prefix}{i}"))
        last = f"%{prefix}{i}"
    return last


def line(nodes):
    lines = list(HEAD)
    last = chain(lines, nodes, "%x", "v")
    return lines + [f"return ({last})"]


def deep(nodes):
    """If and Loop in turn; what is inside comes out through all of them."""
    lines, each = list(HEAD), nodes // DEPTH - 1
    last = "%x"
    for level in range(DEPTH):
        if level % 2:
            lines += [f"%r{level} : Tensor = prim::If(%c)", "block0():"]
        else:
            lines += [f"%r{level} : Tensor = prim::Loop(%n, %true, {last})", f"block0(%i{level} : int, %p{level} : Tensor):"]
            last = f"%p{level}"
        last = chain(lines, each, last, f"v{level}_")
    for level in reversed(range(DEPTH)):
        lines += [f"-> ({last})", "block1():", "-> (%y)"] if level % 2 else [f"-> (%true, {last})"]
        last = f"%r{level}"
    return lines + [f"return ({last})"]


def uses(nodes):
    lines = list(HEAD)
    for i in range(nodes):
        lines.append(f"%v{i} : Tensor = aten::mul(%x, {'%y' if i == 0 else f'%v{i - 1}'})")
    return lines + [f"return (%v{nodes - 1})"]


def loops(nodes):
    lines, last = list(HEAD), "%x"
    for i in range(nodes // 10):
        lines += [f"%r{i} : Tensor = prim::Loop(%n, %true, {last})", f"block0(%i{i} : int, %p{i} : Tensor):"]
        inner = chain(lines, 9, f"%p{i}", f"v{i}_")
        lines.append(f"-> (%true, {inner})")
        last = f"%r{i}"
    return lines + [f"return ({last})"]


SHAPES = {"line": line, "deep": deep, "uses": uses, "loops": loops}
# What there is besides passes: the pipeline that runs it, and its line in the report.
STAGES = {"parse and verify": ("", "parse and verify"), "print graph": ("", "print"), "alias analysis": ("require<alias>", "require")}
NEEDS_OPTIONS = {"rewrite": "rewrite<file={rules}>", "print": None, "require": None}


def pass_names(tool):
    text = subprocess.run([tool, "-help"], capture_output=True, text=True, check=True).stdout
    listed = text.split("Passes:\n", 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^  ([a-z][\w-]*)", listed, re.M)


def times(tool, path, pipeline):
    """Seconds by line of the report; what one of several runs took at least."""
    run = subprocess.run([tool, "-time-passes", "-o", "/dev/null", "-passes=" + pipeline, path], capture_output=True, text=True)
    if run.returncode:
        return None
    line = re.compile(r"^ +([\d.]+) s(?: \([^)]*\) +\d+ runs)?  (\S.*)$", re.M)
    return {name: float(seconds) for seconds, name in line.findall(run.stderr)}


def slope(tool, inputs, pipeline, name, runs):
    """Ratio, and seconds a node at the larger size; None when the pass fails. `inputs` are files, and their nodes."""
    least = [float("inf")] * len(inputs)
    for run in range(MOST * runs):  # in turn, so that a busy moment of the machine meets both
        for i, (path, nodes) in enumerate(inputs):
            found = times(tool, path, pipeline)
            if found is None:
                return None
            least[i] = min(least[i], max(found.get(name, 0), 1e-6) / nodes)
        if run + 1 >= runs and least[1] / least[0] < SUSPICIOUS:
            break
    return least[1] / least[0], least[1]


def write_inputs(folder, shape, text_of, copies):
    """A file with copies of the smaller graph, and one with the larger; with how many nodes they have."""
    inputs = []
    for size, count in zip(SIZES, (copies, 1)):
        path = folder / f"{shape}-{size}.ir"
        text = "\n".join(text_of(size)) + "\n"
        path.write_text("".join(text.replace("graph(", f"graph @copy{i}(", 1) for i in range(count)))
        inputs.append((path, size * count))
    return inputs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tsc-opt")
    parser.add_argument("--need", type=float)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--single", action="store_true")
    parser.add_argument("--shapes", default=",".join(SHAPES))
    parser.add_argument("passes", nargs="*")
    options = parser.parse_args()
    tool = find_tool("tsc-opt", options.tsc_opt)
    worst = 0.0
    with tempfile.TemporaryDirectory() as scratch:
        rules = pathlib.Path(scratch) / "rules.ir"
        rules.write_text(RULE)
        rows = {}
        for name in [*STAGES, *pass_names(tool)]:
            if options.passes and name not in options.passes:
                continue
            if name in STAGES:
                rows[name] = STAGES[name]
            elif NEEDS_OPTIONS.get(name, name):
                rows[name] = (NEEDS_OPTIONS.get(name, name).format(rules=rules), name)
        shapes = options.shapes.split(",")
        print(f"{'time per node at 100,000 over 10,000':40}" + "".join(f"{shape:>18}" for shape in shapes))
        table = {name: [] for name in rows}
        for shape in shapes:
            inputs = write_inputs(pathlib.Path(scratch), shape, SHAPES[shape], 1 if options.single else SIZES[1] // SIZES[0])
            for name, (pipeline, report) in rows.items():
                table[name].append(slope(tool, inputs, pipeline, report, options.runs))
        for name, cells in table.items():
            texts = [f"{cell[0]:.2f} ({cell[1] * 1e6:.2f} us)" if cell else "failed" for cell in cells]
            print(f"{name:40}" + "".join(f"{text:>18}" for text in texts), flush=True)
            worst = max([worst] + [cell[0] if cell else float("inf") for cell in cells])
    print(f"worst: {worst:.2f}" + (f"; at most {options.need:g} is asked for" if options.need else ""))
    sys.exit(options.need is not None and worst > options.need)


main()
