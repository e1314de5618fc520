#!/usr/bin/env python3
"""Calls of archives by tsc-run --bench beside a PyTorch: one thread, processor time, in turns.

usage: archives.py FOLDER... --python PYTHON [--rounds N] [--need RATIO] [--tsc-run PATH] [--simd v3|v4]

A FOLDER holds model.pt and io.pt, as recorded cases do; the first call of io.pt is timed. Both sides get a process of their own
each round, and the least counts of PyTorch's medians and of our means, which hold what other threads of ours did. With --need, fails where PyTorch's time over ours is less.
With --simd, both are held to AVX2 (v3) or AVX-512 (v4).
"""
import argparse
import os
import pathlib
import subprocess
import sys

from common import PEERS_HELD, add_simd, find_tool, hold, json_lines

TORCH = r"""
import json, sys, time, warnings
warnings.simplefilter("ignore")
import torch
torch.set_num_threads(1)
old = torch.__version__[0] == "1"
io = torch.load(sys.argv[2], **({} if old else {"weights_only": False}))
call = (io["calls"] if "calls" in io else [io])[0]
module = torch.jit.load(sys.argv[1]).eval()
function = getattr(module, call.get("method", "forward"))
args, kwargs = call["args"], call.get("kwargs", {})
try:
    with torch.no_grad():
        function(*args, **kwargs)
    asks = False
except RuntimeError:  # forces, for one, are gradients that the archive itself asks for
    asks = True
with torch.set_grad_enabled(asks):
    for _ in range(20):
        function(*args, **kwargs)
    times, end = [], time.perf_counter() + 1
    while len(times) < 20 or time.perf_counter() < end and len(times) < 20000:
        start = time.process_time_ns()
        function(*args, **kwargs)
        times.append(time.process_time_ns() - start)
times.sort()
print(json.dumps({"version": torch.__version__, "median_us": times[len(times) // 2] / 1e3}))
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--python", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--need", type=float)
    parser.add_argument("--tsc-run")
    add_simd(parser)
    options = parser.parse_args()
    tool, short = find_tool("tsc-run", options.tsc_run), []
    hold(options.simd)
    os.environ.update(PEERS_HELD[options.simd])
    for folder in options.folders:
        model, inputs = str(folder / "model.pt"), str(folder / "io.pt")
        ours, theirs, version = [], [], ""
        for _ in range(options.rounds):
            for line in json_lines([options.python, "-c", TORCH, model, inputs]):
                theirs.append(line["median_us"])
                version = line["version"]
            calls = max(200, min(20000, int(1e6 / min(theirs, default=100))))
            ours += [line["processor_us"] for line in json_lines([tool, model, "--inputs", inputs, "--bench", str(calls), "--allow-setstate"])]
        if not ours or not theirs:
            short.append(f"{folder}: did not run")
            continue
        ratio = min(theirs) / min(ours)
        checked = subprocess.run([tool, model, "--inputs", inputs, "--check", "--allow-setstate"], capture_output=True).returncode == 0
        print(f"{folder.name:20} {min(ours):10.2f} us, torch {version[:4]} {min(theirs):10.2f} us, {ratio:6.2f}x, "
              f"{'same results' if checked else 'other results'}", flush=True)
        if options.need is not None and ratio < options.need:
            short.append(f"{folder}: {ratio:.2f}")
    if short:
        sys.exit("short of what is needed: " + ", ".join(short))


if __name__ == "__main__":
    main()
