#!/usr/bin/env python3
"""Whether a graph's length costs more than its length: tsc-opt parses, verifies, runs dce and cse, and prints graphs
of 10,000 and of 100,000 nodes; prints the time per node at the larger over that at the smaller.

usage: linearity.py [--tsc-opt PATH] [--need RATIO]
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

from common import find_tool


def graph_text(nodes):
    """A chain with duplicates for cse, dead nodes for dce, and one value that every node uses."""
    lines = ["graph(%x : Tensor, %y : Tensor):", "  %one : int = prim::Constant[value=1]()"]
    last = "%x"
    for i in range(nodes // 4):
        lines.append(f"  %a{i} : Tensor = aten::add({last}, %y, %one) # model.py:{i + 1}:4")
        lines.append(f"  %b{i} : Tensor = aten::add({last}, %y, %one)")
        lines.append(f"  %c{i} : Tensor = aten::mul(%a{i}, %b{i})")
        lines.append(f"  %d{i} : Tensor = aten::neg(%c{i})")
        last = f"%c{i}"
    lines.append(f"  return ({last})")
    return "\n".join(lines) + "\n"


def seconds(tool, path):
    """The shortest of several runs."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([tool, "-passes=dce,cse", path], stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - start)
    return min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tsc-opt")
    parser.add_argument("--need", type=float)
    options = parser.parse_args()
    tool = find_tool("tsc-opt", options.tsc_opt)
    with tempfile.TemporaryDirectory() as scratch:
        per_node = []
        for nodes in (10_000, 100_000):
            path = pathlib.Path(scratch) / f"{nodes}.ir"
            path.write_text(graph_text(nodes))
            per_node.append(seconds(tool, path) / nodes)
    ratio = per_node[1] / per_node[0]
    print(f"time per node at 100,000 nodes over that at 10,000: {ratio:.2f} ({per_node[1] * 1e6:.2f} us a node)")
    sys.exit(options.need is not None and ratio > options.need)


main()
