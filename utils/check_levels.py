#!/usr/bin/env python3
"""Fail when a recorded case of ../shared comes out otherwise with optimization than without.

usage: check_levels.py BUILD_DIR [DIR_OR_TAR...] [--levels=-O0,-O3] [--limit N] [--jobs N]

Each case runs once with each set of options (as in --levels='-O0 --check-aliases,-O2 --freeze,-O3'), against its recorded
results. The outcomes must be the same: passed, or failed with the same first line of error. Without places, the run
corpus and the published archives.
"""
import argparse
import sys

from recorded_cases import add_arguments, for_each_case, name_of, outcome


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--levels", default="-O0,-O3")
    parser.add_argument("--timeout", type=float, default=60)
    options = parser.parse_args()
    levels = options.levels.split(",")
    tool = options.build / "bin/tsc-run"
    same = other = 0

    def outcomes(case, _):
        return [outcome(tool, case, *level.split(), timeout=options.timeout) for level in levels]

    for case, found in for_each_case(options, outcomes):
        if len(set(found)) == 1:
            same += 1
            continue
        other += 1
        print(f"{name_of(case)}:", *(f"  {level}: {what}" for level, what in zip(levels, found)), sep="\n", flush=True)
    print(f"{same} of {same + other} cases come out the same with {', '.join(levels)}")
    sys.exit(bool(other) or not same)


main()
