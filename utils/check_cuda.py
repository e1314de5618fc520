#!/usr/bin/env python3
"""How many of the recorded cases that pass on the processor pass on a GPU, or on the fake driver.

usage: check_cuda.py BUILD_DIR [--driver F.so] [--kernels eager|off] [--limit N] [--jobs N] [--least PERCENT] [--failures FILE]

Without --driver the system's driver and NVRTC are opened. With the fake driver of the tests
(BUILD_DIR/unittests/libtscFakeDriver.so) every kernel is built by the host's compiler, which takes about a second;
TSC_FAKE_CUDA_CACHE names a folder in which they are kept. `--kernels off` runs every operator on copies.

A case counts when it is in test/passing-cases.txt. Fails when fewer than --least percent (90) pass.
"""
import collections
import os
import pathlib
import re
import sys

import argparse
from recorded_cases import add_arguments, for_each_case, name_of, outcome

LIST = pathlib.Path(__file__).resolve().parent.parent / "test/passing-cases.txt"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--driver", type=pathlib.Path)
    parser.add_argument("--kernels", choices=("eager", "off"), default="eager")
    parser.add_argument("--least", type=float, default=90)
    parser.add_argument("--failures", type=pathlib.Path, help="where the cases that fail are written, with their errors")
    parser.add_argument("--timeout", type=int, default=300)
    options = parser.parse_args()
    tool = options.build / "bin/tsc-run"
    flags = ["--device", "cuda", "--compile", options.kernels]
    if options.driver:
        flags += ["--cuda-driver", options.driver.resolve()]
    if folder := os.environ.get("TSC_FAKE_CUDA_CACHE"):
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    passing = set(LIST.read_text().splitlines())

    def run(case, _):
        return outcome(tool, case, *flags, timeout=options.timeout) if name_of(case) in passing else None

    found = {name_of(case): what for case, what in for_each_case(options, run) if what is not None}
    failed = {name: what for name, what in found.items() if what != "passed"}
    if options.failures:
        options.failures.write_text("".join(f"{name}: {what}\n" for name, what in sorted(failed.items())))
    kinds = collections.Counter(re.sub(r"\b[0-9][0-9.e+-]*", "N", what)[:110] for what in failed.values())
    for kind, count in kinds.most_common(15):
        print(f"{count:5} {kind}")
    share = 100 * (len(found) - len(failed)) / max(1, len(found))
    print(f"{len(found) - len(failed)} of {len(found)} cases that pass on the processor pass on CUDA ({share:.1f} %)")
    sys.exit(share < options.least)


if __name__ == "__main__":
    main()
