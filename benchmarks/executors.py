#!/usr/bin/env python3
"""The benchmark cases, and programs whose tensors come out of lists and attributes, with the default and the profiling executor.

usage: executors.py [--tsc-run PATH] [--rounds N] [--calls N] [--markdown] [CASE...]

Each round runs each program under both executors, one after the other, in an order that changes from round to round. A time is the
least of its medians, a first call the least of all; the default executor compiles in the call that asks for code (--compile eager),
as the profiling one does. Prints microseconds and the ratios profiling / default: above 1, the profiling executor is slower. The last
line is their geometric mean.
"""
import argparse
import json
import math
import pathlib
import tempfile

from common import BENCH, find_tool, json_lines

EXECUTORS = ("default", "profiling")
# What the arguments' types do not tell: the default executor's plans know little of these tensors.
SOURCE = """\
from typing import Dict, List, Tuple
import torch
import torch.nn as nn
from torch import Tensor


def of_list(xs: List[Tensor]) -> Tensor:
    total = torch.zeros_like(xs[0])
    for x in xs:
        total = total + torch.tanh(x) * 0.5 + x
    return total


def of_dict(xs: Dict[str, Tensor]) -> Tensor:
    a, b = xs["a"], xs["b"]
    return torch.sigmoid(a) * b + torch.tanh(a - b) * 0.5


def of_tuples(xs: List[Tuple[Tensor, Tensor]]) -> Tensor:
    a, b = xs[0]
    c, d = xs[1]
    return torch.relu(a * c - b * d) + torch.exp(-(a * d + b * c))


class Memory(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept: List[Tensor] = [torch.zeros([256]), torch.ones([256])]

    def forward(self, x: Tensor) -> Tensor:
        old, gate = self.kept[0], self.kept[1]
        return torch.sigmoid(gate) * old + (1 - torch.sigmoid(gate)) * torch.tanh(x)


def reshaped(x: Tensor, sizes: List[int]) -> Tensor:
    y = x.reshape(sizes)
    return (torch.sigmoid(y) * y - y.mean(-1, keepdim=True)) * 0.5 + torch.tanh(y)


memory = Memory().eval()
"""
ROW = "torch.ones([64, 64])"
PROGRAMS = {
    "tensors of a list": ("of_list", f"[{ROW}, {ROW} * 2, {ROW} * 3, {ROW} * 4]"),
    "tensors of a dict": ("of_dict", '{"a": torch.ones([64, 64]), "b": torch.ones([64, 64]) * 2}'),
    "tuples of a list": ("of_tuples", f"[({ROW}, {ROW} * 2), ({ROW} * 3, {ROW} * 4)]"),
    "a list in an attribute": ("memory", "torch.ones([256])"),
    "sizes out of a list": ("reshaped", "torch.ones([64, 64]), [16, 256]"),
}


def measure(tool, program, executor, calls):
    file, entry, args = program
    command = [tool, "--seed", "0", "--threads", "1", "--no-grad", "--compile", "eager", "--entry", entry, "--args", args, "--bench",
               str(calls), file]
    lines = json_lines(command + (["--executor", "profiling"] if executor == "profiling" else []))
    return (lines[-1]["median_us"], lines[-1]["first_us"]) if lines else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tsc-run")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--calls", type=int, default=50)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    tool = find_tool("tsc-run", options.tsc_run)
    ratios = []
    row = "| {} | {} | {} | {} | {} | {} |" if options.markdown else "{:24} {:>10} {:>10} {:>7} {:>13} {:>12}"
    print(row.format("program", "default us", "profiling", "ratio", "first call us", "profiling"))
    if options.markdown:
        print("|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as scratch:
        own = pathlib.Path(scratch, "programs.py")
        own.write_text(SOURCE)
        programs = {name: (str(own), entry, args) for name, (entry, args) in PROGRAMS.items()}
        if (BENCH / "cases.json").is_file():
            for case in json.loads((BENCH / "cases.json").read_text()):
                programs[case["name"]] = str(BENCH / "cases" / case["file"]), case["entry"], case["args"]
        for name, program in programs.items():
            if options.cases and name not in options.cases:
                continue
            found = {executor: [] for executor in EXECUTORS}
            for turn in range(options.rounds):
                for executor in EXECUTORS if turn % 2 == 0 else EXECUTORS[::-1]:
                    found[executor].append(measure(tool, program, executor, options.calls))
            if None in found["default"] + found["profiling"]:
                print(row.format(name, "-", "-", "-", "-", "-"))
                continue
            (default, first), (profiling, first_profiling) = (map(min, zip(*found[executor])) for executor in EXECUTORS)
            ratios.append(profiling / default)
            print(row.format(name, f"{default:.1f}", f"{profiling:.1f}", f"{ratios[-1]:.2f}", f"{first:.0f}", f"{first_profiling:.0f}"), flush=True)
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"geometric mean of profiling / default: {mean:.3f} over {len(ratios)} programs")


if __name__ == "__main__":
    main()
