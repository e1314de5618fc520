#!/usr/bin/env python3
"""Fail when a recorded case of ../shared does something else with the profiling executor, whichever of its guards fails.

usage: check_bailouts.py BUILD_DIR [DIR_OR_TAR...] [--limit N] [--jobs N] [--most N] [--compile off|eager]

Each case that the plain interpreter can run, also with an error, runs with guarded code (--executor=profiling), and once more
for each guard of that code, which fails whatever it is given (--force-bailout). Results, the arguments afterwards, printed text,
warnings and errors must be those of the plain interpreter. Elements that are NaN may differ in sign and payload.

Guarded code is there because the call is made once before, unseen. Where that changes the program's own state, what is seen is
compared with the second call of the program; where the program draws random numbers as well, with guarded code none of whose
guards fails. Needs a Python with torch, which writes the inputs.
"""
import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import time

import torch

from recorded_cases import add_arguments, for_each_case, name_of, run_case
from result_files import are_same, are_same_values

PROGRAM = ["-O0", "--executor=interp"]
NO_GUARD = 10 ** 9
LONGEST = 120  # seconds of one run
COUNTERS = re.compile(r"^profiling: .* with (\d+) guards; (\d+) guards failed, and (\d+) were made to$", re.M)


class Observed:
    """What one run of a case shows: its exit status, what it printed, its errors and warnings, and the file of --observe."""

    def __init__(self, run, file):
        self.run, self.file = run, file
        self.status = run.returncode if run else "time out"
        self.printed = run.stdout if run else ""
        self.told = re.findall(r"^.*(?:error|Warning): .*$", run.stderr, re.M) if run else []  # and not what --explain says
        self.counters = COUNTERS.search(run.stderr) if run else None

    def differences(self, other):
        found = [what for what in ("status", "printed", "told") if getattr(self, what) != getattr(other, what)]
        if self.file.exists() != other.file.exists() or self.file.exists() and not are_same(self.file, other.file):
            found.append("bits")
        return found


class Case:
    def __init__(self, tool, case, scratch, options):
        self.tool, self.case, self.options = tool, case, options
        self.place = scratch / f"{case.parent.name}-{case.name}.bailouts"
        self.guards = self.forced = self.left_out = 0
        self.outcome, self.wrong = "", []

    def run(self, name, *flags, **more):
        file = self.place / f"{name}.pt"
        return Observed(run_case(self.tool, self.case, *flags, "--observe", file, stdout=subprocess.PIPE, timeout=LONGEST, **more), file)

    def profile(self, name, guard):
        return self.run(name, "-O2", "--executor=profiling", f"--compile={self.options.compile}", "--explain", f"--force-bailout={guard}")

    def check(self):
        self.place.mkdir()
        program = self.run("program", *PROGRAM)
        if program.status not in (0, 1) or not program.file.exists():
            return
        guarded = self.profile("guarded", NO_GUARD)
        self.outcome = "compared"
        found = guarded.differences(program)
        if found and not self.is_second_call(guarded):
            self.wrong.append(f"no guard fails: {', '.join(found)}")
        if not guarded.counters:
            self.wrong.append("no counters")
            return
        self.guards = int(guarded.counters[1])
        step = -(-self.guards // self.options.most)
        tried = range(0, self.guards, max(1, step))
        self.left_out = self.guards - len(tried)
        for guard in tried:
            run = self.profile("forced", guard)
            self.forced += bool(run.counters and run.counters[3] != "0")
            if found := run.differences(guarded):
                self.wrong.append(f"guard {guard}: {', '.join(found)}")
            run.file.unlink(missing_ok=True)

    def is_second_call(self, guarded):
        """Whether guarded code does what the program does when all calls are made twice."""
        value = torch.load(self.case / "io.pt")
        calls = value["calls"] if isinstance(value, dict) and "calls" in value else [value]
        named = {"method": value["method"]} if isinstance(value, dict) and value.get("method") else {}
        torch.save({"calls": calls * 2, **named}, self.place / "inputs-twice.pt")
        twice = self.run("program-twice", *PROGRAM, inputs=self.place / "inputs-twice.pt")
        if not twice.file.exists() or not guarded.file.exists():
            return False
        return are_same_values(torch.load(twice.file)[len(calls):], torch.load(guarded.file))


def check(tool, folder, scratch, options):
    case = Case(tool, folder, scratch, options)
    os.environ["XDG_CACHE_HOME"] = str(scratch / "cache")
    case.check()
    shutil.rmtree(case.place)
    return case


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--most", type=int, default=1000, help="the most guards of one case that are tried, evenly spread")
    parser.add_argument("--compile", choices=("off", "eager"), default="off")
    options = parser.parse_args()
    torch.set_num_threads(1)
    tool = options.build / "bin/tsc-run"
    started = time.monotonic()
    counts = collections.Counter()
    for folder, case in for_each_case(options, lambda folder, scratch: check(tool, folder, scratch, options)):
        counts["cases"] += 1
        counts["compared"] += bool(case.outcome)
        counts["wrong"] += bool(case.wrong)
        counts["with guards"] += case.guards > 0
        for what in ("guards", "forced", "left_out"):
            counts[what] += getattr(case, what)
        if case.wrong:
            print(f"{name_of(folder)}: {'; '.join(case.wrong[:5])}{f' and {len(case.wrong) - 5} more' if len(case.wrong) > 5 else ''}", flush=True)
    print(f"{counts['cases']} cases, {counts['compared']} run, {counts['with guards']} with guards; of {counts['guards']} guards "
          f"{counts['forced']} were made to fail, {counts['left_out']} not tried ({time.monotonic() - started:.0f} s)")
    print(f"{counts['compared'] - counts['wrong']} of {counts['compared']} cases are the same, whichever guard fails")
    sys.exit(bool(counts["wrong"]) or not counts["compared"])


if __name__ == "__main__":
    main()
