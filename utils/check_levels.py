#!/usr/bin/env python3
"""Fail when a recorded case of ../shared comes out otherwise with optimization than without.

usage: check_levels.py BUILD_DIR [DIR_OR_TAR...] [--levels=-O0,-O3] [--limit N] [--jobs N]

Each case runs once with each set of options (as in --levels='-O2,-O2 --freeze'), against its recorded results.
The outcomes must be the same: passed, or failed with the same first line of error. Without places, the run corpus and
the published archives.
"""
import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

from recorded_cases import call_options, default_places, find_cases


def outcome(tool, case, level):
    command = [tool, *call_options(case), "--check", *level.split()]
    try:
        run = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", timeout=60)
    except subprocess.TimeoutExpired:
        return "time out"
    if run.returncode == 0:
        return "passed"
    error = next((line for line in run.stderr.splitlines() if "error" in line), "")
    return f"exit {run.returncode}: {error}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("where", nargs="*", type=pathlib.Path)
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--levels", default="-O0,-O3")
    options = parser.parse_args()
    levels = options.levels.split(",")
    tool = options.build / "bin/tsc-run"
    same = other = 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        cases = find_cases(options.where or default_places(), scratch, options.limit)
        for case, found in zip(cases, pool.map(lambda case: [outcome(tool, case, level) for level in levels], cases)):
            if found[0] == found[1]:
                same += 1
                continue
            other += 1
            print(f"{case.parent.name}/{case.name}:\n  {levels[0]}: {found[0]}\n  {levels[1]}: {found[1]}")
    print(f"{same} of {same + other} cases come out the same with {levels[0]} and {levels[1]}")
    sys.exit(bool(other))


main()
