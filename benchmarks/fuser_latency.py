#!/usr/bin/env python3
"""What the CPU fuser costs before it pays: the first call of each benchmark program over the interpreter's, both in new
processes without kernels on disk, and the milliseconds that compiling the LSTM cell's group takes.

usage: fuser_latency.py [--bench DIR] [--tsc-run PATH] [--rounds N] [CASE...]

Columns: the fewest microseconds of N first calls at -O2 over the fewest at -O0, and the medians likewise. The last line
is the median and the extremes of 2 N compilations, each in a process of its own, one thread.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

from common import BENCH, find_tool


def run(tool, case, bench, *options):
    """tsc-run on the case with no kernels on disk; its JSON line, {} when it prints none."""
    with tempfile.TemporaryDirectory() as cache:
        out = subprocess.run([tool, "--seed", "0", "--threads", "1", "--entry", case["entry"], "--args", case["args"],
                              *options, bench / "cases" / case["file"]], capture_output=True, text=True,
                             env=os.environ | {"XDG_CACHE_HOME": cache}).stdout
    lines = [line for line in out.splitlines() if line.startswith("{")]
    return json.loads(lines[-1]) if lines else {}


def compile_ms(tool, case, bench):
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "trace.json"
        run(tool, case, bench, "--compile", "eager", "--trace", trace)
        events = json.loads(trace.read_text())["traceEvents"]
    return sum(event["dur"] for event in events if event.get("cat") == "compile") / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=pathlib.Path, default=BENCH)
    parser.add_argument("--tsc-run")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    tool = find_tool("tsc-run", options.tsc_run)
    cases = {case["name"]: case for case in json.loads((options.bench / "cases.json").read_text())}
    print(f"{'case':22}{'fewest':>8}{'median':>8}")
    for case in cases.values():
        if options.cases and case["name"] not in options.cases:
            continue
        first = {"-O0": [], "-O2": []}
        for _ in range(options.rounds):
            for level, times in first.items():
                if row := run(tool, case, options.bench, level, "--bench", "1"):
                    times.append(row["first_us"])
        if all(first.values()):
            ratios = [measure(first["-O2"]) / measure(first["-O0"]) for measure in (min, statistics.median)]
            print(f"{case['name']:22}{ratios[0]:8.2f}{ratios[1]:8.2f}", flush=True)
    times = [compile_ms(tool, cases["lstm_cell"], options.bench) for _ in range(2 * options.rounds)]
    print(f"compiling the group of lstm_cell: {statistics.median(times):.2f} ms ({min(times):.2f} to {max(times):.2f})")


main()
