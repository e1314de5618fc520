#!/usr/bin/env python3
"""Warm calls of small programs under two builds of tsc-run: what a change costs calls that do not use it.

usage: builds.py BEFORE AFTER [--rounds N] [--calls N] [--need RATIO]

BEFORE and AFTER are tsc-run of two release builds. Each round times each program under both, one after the other, in an order
that changes from round to round. A build's time is the least of its medians. Prints the ratios after / before (above 1: the
second build is slower), and fails where one is above --need. It needs an idle core; where the second run of two gives another
figure, it had none.
"""
import argparse
import pathlib
import sys
import tempfile

from common import json_lines

SOURCE = """\
import torch
import torch.nn as nn
from torch import Tensor

torch.manual_seed(0)


def empty(x: Tensor) -> Tensor:
    return x


def scalar(x: Tensor) -> int:
    total = 0
    for i in range(10):
        total += i * x.size(0)
    return total


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(12, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 4))

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x)


policy = Policy().eval()
"""
PROGRAMS = {"empty": "torch.ones([1])", "scalar": "torch.ones([1])", "policy": "torch.ones([1, 12])"}


def median_us(tool, file, entry, args, calls):
    lines = json_lines([tool, file, "--entry", entry, "--args", args, "--no-grad", "--compile", "eager", "--bench", str(calls)])
    if not lines:
        sys.exit(f"{tool} does not run '{entry}'")
    return lines[0]["median_us"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--calls", type=int, default=200000)
    parser.add_argument("--need", type=float, help="the highest ratio that passes")
    options = parser.parse_args()
    tools, slow = [options.before, options.after], False
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch, "programs.py")
        file.write_text(SOURCE)
        for entry, args in PROGRAMS.items():
            times = [[], []]
            for round in range(options.rounds):
                for i in (0, 1) if round % 2 == 0 else (1, 0):
                    times[i].append(median_us(tools[i], file, entry, args, options.calls))
            before, after = map(min, times)
            slow |= options.need is not None and after > options.need * before
            print(f"{entry:8} {before:8.3f} us {after:8.3f} us   {after / before:.3f}", flush=True)
    sys.exit(slow)


if __name__ == "__main__":
    main()
