#!/usr/bin/env python3
"""Loading archives through the C interface beside torch.jit.load: how long it takes, and what it leaves in memory.

usage: loading.py MODEL... [--python PYTHON]... [--lib FOLDER] [--need RATIO] [--over-mb MEGABYTES]

Each archive is loaded by a process of its own, at first once and then again and again; so does each PYTHON that has torch.
With --need, fails where one loads less than that many times as fast as by a PYTHON; with --over-mb, where a process that has
loaded one holds more than the file and so many megabytes.
"""
import argparse
import os
import pathlib
import sys
import tempfile

from common import ROOT, build_c, json_lines

TORCH = r"""
import json, sys, time, warnings
warnings.simplefilter("ignore")
import torch
torch.set_num_threads(1)
times = []
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    torch.jit.load(sys.argv[1], map_location="cpu")
    times.append(time.perf_counter() - start)
print(json.dumps({"version": torch.__version__, "first_us": times[0] * 1e6, "least_us": min(times) * 1e6}))
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--python", action="append", default=[])
    parser.add_argument("--lib", type=pathlib.Path, default=ROOT / "build/release/lib")
    parser.add_argument("--need", type=float)
    parser.add_argument("--over-mb", type=float)
    options = parser.parse_args()
    short = []
    with tempfile.TemporaryDirectory() as scratch:
        program = build_c("loading", pathlib.Path(scratch), options.lib)
        for model in options.models:
            size = os.path.getsize(model)
            ours = json_lines([program, model, "20"])
            if not ours:
                short.append(f"{model}: not loaded")
                continue
            over = ours[0]["loaded_kb"] / 1024 - size / 2**20
            line = (f"{pathlib.Path(model).parent.name:20} {size / 1e6:8.3f} MB, resident {ours[0]['start_kb'] / 1024:5.1f} at the start, "
                    f"{ours[0]['loaded_kb'] / 1024:5.1f} loaded ({over:+5.1f}); first {ours[0]['first_us']:7.0f} us, least {ours[0]['least_us']:7.0f}")
            if options.over_mb is not None and over > options.over_mb:
                short.append(f"{model}: {over:.1f} MB more than the file")
            for python in options.python:
                for peer in json_lines([python, "-W", "ignore", "-c", TORCH, model, "8"]):
                    ratio = peer["least_us"] / ours[0]["least_us"]
                    line += f"; torch {peer['version'][:4]}: {peer['first_us']:7.0f}, {peer['least_us']:7.0f} ({ratio:.1f}x)"
                    if options.need is not None and ratio < options.need:
                        short.append(f"{model}: {ratio:.1f} times torch {peer['version']}")
            print(line, flush=True)
    if short:
        sys.exit("\n".join(short))


if __name__ == "__main__":
    main()
