#!/usr/bin/env python3
"""Fail when a recorded case of ../shared gives other bits from machine code than from the interpreter.

usage: check_bits.py BUILD_DIR [DIR_OR_TAR...] [--limit N] [--jobs N] [--grad]

Each case that passes runs with the plain interpreter (-O0), with optimization and no kernels, with kernels made at the
first call, with those on two threads, and with kernels from the disk cache that the run before left. What --output
writes must be the same bytes each time; elements that are NaN may differ in sign and payload. Only a Python with torch
can tell those apart: without one a difference in NaNs counts. Without places, the run corpus and the published archives.

With --grad, gradients of the results by the arguments that have some are compared instead: those of a tape, those in the
graph, and those in the graph with kernels.
"""
import argparse
import os
import shutil
import sys

from recorded_cases import add_arguments, for_each_case, name_of, outcome, run_case
from result_files import are_same

RUNS = {"interpreter": ["-O0", "--executor=interp"], "optimized": ["-O2", "--compile=off"], "kernels": ["-O2", "--compile=eager"],
        "two threads": ["-O2", "--compile=eager", "--threads=2"], "disk cache": ["-O2", "--compile=eager"]}

GRADIENTS = {"tape": ["-O0"], "graph": ["-O2", "--compile=off"], "fused": ["-O2", "--compile=eager"]}
MOST_ARGUMENTS = 4  # that are tried


def gradient_arguments(tool, case):
    """The arguments by which the results can be differentiated, as --grad takes them; empty: none."""
    def has_gradient(number):
        run = run_case(tool, case, "-O0", "--grad", str(number))
        return run is not None and run.returncode == 0
    return ",".join(str(number) for number in range(MOST_ARGUMENTS) if has_gradient(number))


def check(tool, case, scratch, with_gradients):
    """None for a case that is not looked at, else the names of the runs whose bits differ from the first one's."""
    runs, further = RUNS, []
    if with_gradients:
        runs, further = GRADIENTS, ["--grad", gradient_arguments(tool, case)]
        if not further[1]:
            return None
    elif outcome(tool, case) != "passed":
        return None
    place = scratch / f"{case.parent.name}-{case.name}.bits"
    place.mkdir()
    os.environ["XDG_CACHE_HOME"] = str(scratch / "cache")
    try:
        files = {}
        for name, flags in runs.items():
            files[name] = place / f"{name.replace(' ', '-')}.pt"
            run = run_case(tool, case, *flags, *further, "--output", files[name], timeout=120)
            if run is None or run.returncode != 0 or not files[name].exists():
                return None if len(files) == 1 else [f"{name} failed"]
        first = next(iter(files.values()))
        return [name for name, file in files.items() if not are_same(first, file)]
    finally:
        shutil.rmtree(place)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--grad", action="store_true", help="compare gradients")
    options = parser.parse_args()
    tool = options.build / "bin/tsc-run"
    checked = different = 0
    for case, found in for_each_case(options, lambda case, scratch: check(tool, case, scratch, options.grad)):
        checked += found is not None
        different += bool(found)
        if found:
            print(f"{name_of(case)}: other bits: {', '.join(found)}", flush=True)
    print(f"{checked - different} of {checked} cases give the same bits with {', '.join(GRADIENTS if options.grad else RUNS)}")
    sys.exit(bool(different) or not checked)


main()
