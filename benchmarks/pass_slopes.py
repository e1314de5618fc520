#!/usr/bin/env python3
"""Whether passes and analyses stay linear: for graphs of 10,000 and of 100,000 nodes in four shapes, the time per node at
the larger over that at the smaller. The time is tsc-opt's own, of the pass alone.

usage: pass_slopes.py [--tsc-opt PATH] [--need RATIO] [PASS...]

Without PASS: alias analysis, dce and cse. The shapes: a straight line of fresh tensors and writes to them; loops nested
1,000 deep; one value with as many uses as there are nodes, in a list; 10,000 loops one after the other, each carrying a
tensor that it writes.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

from common import find_tool

HEAD = ["graph(%x : Tensor, %n : int):", "  %1 : int = prim::Constant[value=1]()", "  %t : bool = prim::Constant[value=1]()"]


def straight(nodes):
    last = "%x"
    for i in range(nodes // 2):
        yield f"  %a{i} : Tensor = aten::add({last}, %x, %1)"
        yield f"  %b{i} : Tensor = aten::add_(%a{i}, %x, %1)"
        last = f"%b{i}"
    yield f"  return ({last})"


def nested(nodes):
    depth = nodes // 100
    depth = min(depth, 250)
    last = "%x"
    for d in range(depth):
        pad = "  " * (d + 1)
        yield f"{pad}%l{d} : Tensor = prim::Loop(%n, %t, {last})"
        yield f"{pad}  block0(%i{d} : int, %s{d} : Tensor):"
        last = f"%s{d}"
        for j in range(nodes // depth - 1):
            yield f"{pad}    %c{d}_{j} : Tensor = aten::add({last}, %x, %1)"
            last = f"%c{d}_{j}"
    for d in reversed(range(depth)):
        yield "  " * (d + 1) + f"    -> (%t, {last})"
        last = f"%l{d}"
    yield f"  return ({last})"


def one_value(nodes):
    yield "  %v : Tensor = aten::neg(%x)"
    yield "  %l : Tensor[] = prim::ListConstruct(%v)"
    for i in range(nodes // 3):
        yield f"  %a{i} : Tensor = aten::select(%v, %1, %1)"
        yield f"  %b{i} : Tensor[] = aten::append(%l, %a{i})"
        yield f"  %c{i} : Tensor = aten::__getitem__(%l, %1)"
    yield "  return (%l)"


def loops(nodes):
    last = "%x"
    for i in range(nodes // 10):
        yield f"  %l{i} : Tensor = prim::Loop(%n, %t, {last})"
        yield f"    block0(%i{i} : int, %s{i} : Tensor):"
        inner = f"%s{i}"
        for j in range(8):
            yield f"      %c{i}_{j} : Tensor = aten::add({inner}, %x, %1)"
            inner = f"%c{i}_{j}"
        yield f"      %d{i} : Tensor = aten::mul_({inner}, %x)"
        yield f"      -> (%t, %d{i})"
        last = f"%l{i}"
    yield f"  return ({last})"


def seconds(tool, name, path):
    """The shortest of several runs."""
    times = []
    for _ in range(5):
        run = subprocess.run([tool, f"-passes={name}", "-time-passes", "-o", "/dev/null", str(path)], capture_output=True, text=True, check=True)
        times.append(float(re.search(r"Total: ([0-9.]+) s", run.stderr).group(1)))
    return min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tsc-opt")
    parser.add_argument("--need", type=float)
    parser.add_argument("passes", nargs="*", metavar="PASS")
    options = parser.parse_args()
    tool = find_tool("tsc-opt", options.tsc_opt)
    worst = 0
    with tempfile.TemporaryDirectory() as scratch:
        for shape in (straight, nested, one_value, loops):
            paths = {}
            for nodes in (10_000, 100_000):
                paths[nodes] = pathlib.Path(scratch) / f"{shape.__name__}-{nodes}.ir"
                paths[nodes].write_text("\n".join([*HEAD, *shape(nodes)]) + "\n")
            for name in options.passes or ["require<alias>", "dce", "cse"]:
                per_node = {nodes: seconds(tool, name, path) / nodes for nodes, path in paths.items()}
                ratio = per_node[100_000] / per_node[10_000] if per_node[10_000] else 1
                worst = max(worst, ratio)
                print(f"{shape.__name__:10} {name:20} {ratio:5.2f}  ({per_node[100_000] * 1e6:.2f} us a node)", flush=True)
    print(f"worst time per node at 100,000 nodes over that at 10,000: {worst:.2f}")
    sys.exit(options.need is not None and worst > options.need)


main()
