#!/usr/bin/env python3
"""Each benchmark program under tsc-run, and beside it in the same run under PyTorch's TorchScript and, for scalar
programs, under CPython. Prints the ratios peer / tsc (above 1: tsc is faster); never a bare time.

usage: programs.py [--bench DIR] [--tsc-run PATH] [--python PYTHON_WITH_TORCH] [CASE...]

DIR holds cases.json, cases/ and peer.py (default ../shared/bench). One thread. Without a Python that has torch only
CPython is the peer.
"""
import argparse
import importlib.util
import json
import pathlib
import statistics
import sys
import time
import types

from common import BENCH, find_tool, json_lines


def cpython_median_us(folder, case):
    """The program as plain Python, where it needs no torch; None elsewhere."""
    if case["file"] != "scalar.py" or "torch" in case["args"]:
        return None
    stub = types.ModuleType("torch")
    stub.Tensor = object
    sys.modules["torch"] = stub
    spec = importlib.util.spec_from_file_location("scalar", folder / "cases/scalar.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function, args, times = getattr(module, case["entry"]), eval("(" + case["args"] + ",)"), []
    for _ in range(5):
        start = time.perf_counter()
        function(*args)
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=pathlib.Path, default=BENCH)
    parser.add_argument("--tsc-run")
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    tool = find_tool("tsc-run", options.tsc_run)
    print(f"{'case':18} {'TorchScript / tsc':>18} {'CPython / tsc':>14}")
    for case in json.loads((options.bench / "cases.json").read_text()):
        if options.cases and case["name"] not in options.cases:
            continue
        mine = json_lines([tool, "--seed", "0", "--threads", "1", "--entry", case["entry"], "--args", case["args"],
                           "--bench", "50", options.bench / "cases" / case["file"]])
        if not mine:
            print(f"{case['name']:18} failed")
            continue
        peer = json_lines([options.python, options.bench / "peer.py", "--threads", "1", "--modes", "jit", case["name"]])
        times = [peer[-1]["median"] if peer else None, cpython_median_us(options.bench, case)]
        cells = [f"{t / mine[-1]['median_us']:.2f}" if t else "-" for t in times]
        print(f"{case['name']:18} {cells[0]:>18} {cells[1]:>14}", flush=True)


main()
