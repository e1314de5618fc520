"""Runs each function of endless.py with the limit that ends it, in every tier; says which did not end as it should.

usage: check_limits.py TSC_RUN endless.py [NAME...]
"""
import os
import resource
import subprocess
import sys

MODES = ["-O0", "-O1", "--executor=interp", "--compile=eager", "-O3 --compile=eager", "--compile=off"]
# How an operator counts steps within one call is no matter of tiers; these are the two that differ most.
MODES_OF_OPERATORS = ["-O0", "-O3 --compile=eager"]
STEPS = "the program exceeded its limit of steps (--max-steps)"
DEPTH = "maximum recursion depth exceeded (--max-depth)"
MEMORY = "the program exceeded its limit of memory (--max-memory)"
OUTPUT = "the program exceeded its limit of output (--max-output)"
CASES = [
    *((name, "--max-steps 200000", STEPS)
      for name in ("scalars", "counted", "tensors", "nested", "calls", "forked", "forks", "exits", "sorts", "forksThatWait")),
    ("forksThatWait", "--max-steps 200000 --threads 2", STEPS),
    *((name, "--max-steps 1000", STEPS)
      for name in ("gammas", "polynomials", "folded", "largest", "differences", "parts", "products", "compared", "shownAsText",
                   "looked", "found", "sliced", "sorted_again", "copied", "averages", "maxima", "fractions", "regions",
                   "cells", "convolved", "chained", "filtered")),
    *((name, "--max-steps 1000 --threads 2", STEPS) for name in ("gammas", "polynomials", "folded", "differences", "products",
                                                                "averages", "maxima", "cells")),
    ("shownAsText", "--max-memory 100M", MEMORY),
    ("forksThatFill", "--max-memory 100M", MEMORY),
    ("forksThatFill", "--max-memory 100M --threads 2", MEMORY),
    ("recursion", "--max-depth 50", DEPTH),
    ("recursion", "", DEPTH),
    *((name, "--max-memory 100M", MEMORY)
      for name in ("appended", "texts", "doubled", "centered", "listed", "ranged", "replaced", "padded", "joined", "dicts",
                   "objects", "zeros", "grown", "small", "unbound", "repeated", "resized", "outer", "regions")),
    ("frames", "--max-memory 16M --max-depth 1000000", MEMORY),
    *((name, "--max-output 10K", OUTPUT) for name in ("printed", "printedOnce", "warned")),
]
MAX_SECONDS = 8  # of a processor, for programs that would run for ever: a limit ends them soon
MAX_RESIDENT = 900  # MB: the limit, what the tool itself takes, and what an operator may take before it is asked


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))


def seconds():
    """Processor seconds of the programs that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main():
    tool, program, *names = sys.argv[1:]
    sanitized = bool(os.environ.get("TSC_SANITIZE"))
    bad = 0
    if sanitized:  # a sanitizer takes many times as long to fill memory
        CASES[:] = [(name, option.replace("100M", "20M"), expected) for name, option, expected in CASES]
    for name, option, expected in CASES:
        if names and name not in names:
            continue
        args = ["--args", "torch.zeros([16])"] if name == "tensors" else []
        for mode in MODES_OF_OPERATORS if option.split()[:2] == ["--max-steps", "1000"] else MODES:
            command = [tool, program, "--entry", name, *args, *option.split(), *mode.split()]
            begun = seconds()
            done = subprocess.run(command, capture_output=True, text=True, timeout=600 if sanitized else 120,
                                  preexec_fn=None if sanitized else limited)
            first = next((line for line in done.stderr.splitlines() if line.startswith("tsc-run: error")), "nothing")
            if done.returncode != 1 or expected not in first:
                bad += 1
                print(" ".join(command), "ended with", done.returncode, "and", first)
            if not sanitized and seconds() - begun > MAX_SECONDS:
                bad += 1
                print(" ".join(command), "took", seconds() - begun, "s")
            if len(done.stdout) > 20000 or len(done.stderr) > 60000:
                bad += 1
                print(" ".join(command), "wrote", len(done.stdout), "and", len(done.stderr), "bytes")
    resident = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    if not sanitized and resident > MAX_RESIDENT:
        bad += 1
        print("a run came to", resident, "MB")
    sys.exit(bad != 0)


main()
