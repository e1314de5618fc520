#!/usr/bin/env python3
"""Check that a request for memory that fails ends in an error, and never in the end of the process.

usage: check_memory_failures.py BUILD_DIR [--every N | --all] [--last N] [--lasting K] [--jobs N] [--cc CC] [--only TEXT]

Small archives, a source file and, where ../shared is present, published archives are loaded and called with the N-th
request for memory failing (utils/memory_failures): by a host in C, which goes on with the program afterwards, and by
tsc-run, each with code that is compiled never, in the background, and at once. Each N-th of --every (default 37) is
tried up to --last (default 3000); --all tries each one. With --lasting, each K-th request behind it fails, too.

Prints a line for each end that is neither the right result nor an error with its sentence, and a table of all ends;
fails where there was such a line.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
REALWORLD = SOURCE.parent / "shared/realworld"
MODES = ("off", "background", "eager")
# Archives of write_archive.py, and files, with the arguments of a call.
PROGRAMS = [("scale", ["2x3"]), ("policy", ["1x48"]), ("hooked", ["5"])]
FILES = [(SOURCE / "examples/c/policy.py", ["4x2"])]
PUBLISHED = [("wtw_actuator_go1", ["4x6"])]  # for the host
RECORDED = ["tch_foo3", "fiber_20", "anydrive_lstm"]  # for tsc-run, with the inputs beside them
GOOD = ("right", "refused")
LONGEST = 60  # seconds that one process may take


def compile_parts(options, scratch):
    """The host and the library that is preloaded; without libtsc.so there is no host."""
    parts = SOURCE / "utils/memory_failures"
    library, host = scratch / "failing_malloc.so", scratch / "host"
    subprocess.run([options.cc, "-O1", "-shared", "-fPIC", parts / "failing_malloc.c", "-o", library, "-ldl"], check=True)
    libraries = options.build / "lib"
    if not (libraries / "libtsc.so").exists():
        return library, None
    subprocess.run([options.cc, "-O1", f"-I{SOURCE}/include", parts / "host.c", parts / "failing_malloc.c", "-o", host, f"-L{libraries}",
                    "-ltsc", f"-Wl,-rpath,{libraries}", "-ldl"], check=True)
    return library, host


def host_ends(options, host, program, arguments, mode, first):
    """(N, how it ended, what it said) of the host's processes."""
    command = [host, first, options.last, options.every * options.jobs, options.lasting, LONGEST, mode, program, *arguments]
    run = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    if run.returncode != 0:
        raise SystemExit(f"{program}: the host fails where nothing else does: {run.stderr}")
    for line in run.stdout.splitlines():
        number, end, told = re.fullmatch(r"(\d+) ([a-z ]+?)(?:: (.*))?", line).groups()
        yield int(number), end, told or ""


def run_tool(options, library, command, number, count=None):
    """tsc-run with one request that fails."""
    environment = {**os.environ, "XDG_CACHE_HOME": "/dev/null/none", "LD_PRELOAD": str(library), "FAIL_ALLOCATION": str(number), "FAIL_EVERY": str(options.lasting)}
    if count:
        environment["FAIL_COUNT"] = str(count)
    try:
        return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return None


def tool_end(run, expected):
    """How a run of tsc-run ended, and what it said."""
    if run is None:
        return "no end", ""
    told = run.stderr.decode(errors="replace").strip()
    if run.returncode < 0 or run.returncode > 2:
        return "crash", f"exit status {run.returncode} {told[-300:]}"
    if run.returncode == 0:
        return ("right", "") if run.stdout == expected else ("wrong result", run.stdout.decode(errors="replace")[:200])
    if "MemoryError" in told or "out of memory" in told or "Cannot allocate memory" in told:
        return "refused", told
    return "other error", told[-300:]


def tool_ends(options, library, scratch, command, first):
    expected = run_tool(options, library, command, 0, scratch / f"count-{first}")
    if expected is None or expected.returncode != 0:
        raise SystemExit(f"{command}: fails where nothing else does: {expected and expected.stderr.decode()}")
    last = min(options.last, int((scratch / f"count-{first}").read_text()))
    for number in range(first, last + 1, options.every * options.jobs):
        yield number, *tool_end(run_tool(options, library, command, number), expected.stdout)


def expression(argument):
    """An argument of the host's as tsc-run wants it."""
    return f"torch.ones({argument.replace('x', ', ')})" if "x" in argument else argument


def tasks(options, scratch):
    """(name, function that gives ends from the first N on)."""
    library, host = compile_parts(options, scratch)
    programs = []
    for name, arguments in PROGRAMS:
        subprocess.run([sys.executable, SOURCE / "test/Serialization/Inputs/write_archive.py", name, scratch / f"{name}.pt"], check=True)
        programs.append((scratch / f"{name}.pt", arguments))
    programs += FILES
    programs += [(REALWORLD / name / "model.pt", arguments) for name, arguments in PUBLISHED if (REALWORLD / name).exists()]
    for program, arguments in programs:
        called = f"{program.parent.name}/{program.name}"
        for mode in MODES:
            if host:
                yield f"host {mode} {called}", lambda first, p=program, a=arguments, m=mode: host_ends(options, host, p, a, m, first)
            command = [options.build / "bin/tsc-run", "--compile", mode, "--args", ", ".join(map(expression, arguments)), program]
            yield f"tsc-run {mode} {called}", lambda first, c=command: tool_ends(options, library, scratch, c, first)
    for name in RECORDED:
        if (REALWORLD / name).exists():
            command = [options.build / "bin/tsc-run", "--inputs", REALWORLD / name / "io.pt", REALWORLD / name / "model.pt"]
            yield f"tsc-run {name}", lambda first, c=command: tool_ends(options, library, scratch, c, first)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--every", type=int, default=37)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--last", type=int, default=3000)
    parser.add_argument("--lasting", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--only", default="", help="only what has this text in its name")
    options = parser.parse_args()
    options.every = 1 if options.all else options.every
    ends, bad = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, function in tasks(options, pathlib.Path(scratch)):
            if options.only not in name:
                continue
            starts = [1 + options.every * job for job in range(options.jobs)]
            mine = collections.Counter()
            for number, end, told in sorted(end for part in pool.map(lambda first: list(function(first)), starts) for end in part):
                mine[end] += 1
                if end not in GOOD:
                    bad += 1
                    print(f"{name}: {number}: {end}: {told}", flush=True)
            print(f"{name}: " + ", ".join(f"{count} {end}" for end, count in mine.most_common()), flush=True)
            ends += mine
    print(f"{sum(ends.values())} processes: " + ", ".join(f"{count} {end}" for end, count in ends.most_common()))
    sys.exit(1 if bad or not ends else 0)


if __name__ == "__main__":
    main()
