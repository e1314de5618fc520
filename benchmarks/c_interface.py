#!/usr/bin/env python3
"""What a call through the C interface costs over the same call by tsc-run --bench, and from process start to the first
result, in the same run.

usage: c_interface.py MODEL SIZE... [--calls N] [--runs N] [--lib FOLDER] [--tsc-run PATH] [--over-us MICROSECONDS] [--need-ms MILLISECONDS]

The argument is a tensor of ones of the given sizes. The runs of both alternate; the figures are medians over them. With
--over-us or --need-ms, fails where a call costs more over tsc-run's than that, or the start takes longer.
"""
import argparse
import pathlib
import statistics
import sys
import tempfile
import time

from common import ROOT, build_c, find_tool, json_lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("sizes", nargs="+")
    parser.add_argument("--calls", type=int, default=20000)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--lib", type=pathlib.Path, default=ROOT / "build/release/lib")
    parser.add_argument("--tsc-run")
    parser.add_argument("--over-us", type=float)
    parser.add_argument("--need-ms", type=float)
    options = parser.parse_args()
    tool = find_tool("tsc-run", options.tsc_run)
    through_c, by_tool, starts = [], [], []
    with tempfile.TemporaryDirectory() as scratch:
        program = build_c("c_interface", pathlib.Path(scratch), options.lib)
        for _ in range(options.runs):
            command = [tool, options.model, "--args", f"torch.ones([{', '.join(options.sizes)}])", "--bench", str(options.calls)]
            by_tool += [line["median_us"] for line in json_lines(command)]
            command = [program, str(time.monotonic_ns()), str(options.calls), options.model, *options.sizes]
            for line in json_lines(command):
                through_c.append(line["median_us"])
                starts.append(line["start_us"] / 1e3)
    if not through_c or not by_tool:
        sys.exit("nothing ran")
    call, peer, start = map(statistics.median, (through_c, by_tool, starts))
    print(f"a call: {call:.3f} us through C, {peer:.3f} us by tsc-run --bench, {call - peer:+.3f} us ({call / peer:.2f}x)")
    print(f"from process start to the first result: {start:.2f} ms")
    if options.over_us is not None and call - peer > options.over_us:
        sys.exit(f"a call costs {call - peer:.3f} us more than by tsc-run")
    if options.need_ms is not None and start > options.need_ms:
        sys.exit(f"the first result takes {start:.2f} ms")


if __name__ == "__main__":
    main()
