#!/usr/bin/env python3
"""Fail when results have other bits than were recorded for a level of vector instructions, or when docs/Bits.md says otherwise.

usage: check_level_bits.py TSC_RUN PROGRAM RECORDS PAGE [--record]

PROGRAM prints `kind: number` for each kind of operators, and runs once with each level that TSC_RUN and the machine have. RECORDS
has a line `kind: number number number number` for each kind, with what it printed for v2, v3, v4 and neon. In PAGE, a table has the
kinds whose numbers differ: a letter for each level, the same for equal numbers, and the reason. With --record, the numbers of the
levels that are here are written into RECORDS, and the rows that PAGE should have are printed.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LEVELS = ("v2", "v3", "v4", "neon")


def numbers_of(text):
    """What the program printed, by kind."""
    return dict(line.rsplit(": ", 1) for line in text.splitlines() if ": " in line) # the last line is main's result


def run(tool, program, level):
    """Returns what the program prints with a level, None where this build or the machine has it not."""
    with tempfile.TemporaryDirectory() as folder:
        # The bits of oneDNN's results depend on its version. An empty file takes its place, so that it is not loaded.
        (pathlib.Path(folder) / "libdnnl.so.2").touch()
        environment = dict(os.environ, TSC_SIMD=level)
        environment["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, (folder, environment.get("LD_LIBRARY_PATH"))))
        done = subprocess.run([tool, program], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        if "TSC_SIMD" in done.stderr:
            return None
        sys.exit(f"{program} fails with {level}:\n{done.stderr}")
    return numbers_of(done.stdout)


def read_records(path):
    """The recorded numbers, by kind and level."""
    lines = (line.rsplit(": ", 1) for line in path.read_text().splitlines() if line and not line.startswith("#"))
    return {kind: dict(zip(LEVELS, numbers.split(), strict=True)) for kind, numbers in lines}


def letters(numbers):
    """a for the first number, b for the next other one, and so on."""
    seen = {}
    return [seen.setdefault(numbers[level], chr(ord("a") + len(seen))) for level in LEVELS]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("records", type=pathlib.Path)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    found = {level: numbers for level in LEVELS if (numbers := run(options.tool, options.program, level))}
    if not found:
        sys.exit(f"{options.tool} runs with none of {', '.join(LEVELS)}")
    records = read_records(options.records)

    if options.record:
        kinds = list(next(iter(found.values())))
        for kind in kinds:
            records.setdefault(kind, dict.fromkeys(LEVELS, "0")).update({l: numbers[kind] for l, numbers in found.items()})
        header = "".join(line + "\n" for line in options.records.read_text().splitlines() if line.startswith("#"))
        options.records.write_text(header + "".join(f"{k}: {' '.join(records[k][l] for l in LEVELS)}\n" for k in kinds))
        for kind in kinds:
            if len(set(marks := letters(records[kind]))) > 1:
                print("|", kind, "|", " | ".join(marks), "|")
        return

    wrong = [f"{kind}: {level} gives {number}, and {records[kind][level]} was recorded" if kind in records
             else f"{kind}: there is no record"
             for level, numbers in found.items() for kind, number in numbers.items()
             if kind not in records or records[kind][level] != number]
    printed = next(iter(found.values()))
    wrong += [f"{kind}: is recorded, and not printed" for kind in records if kind not in printed]
    rows = re.findall(r"^\| ([^|]+) \| (\w) \| (\w) \| (\w) \| (\w) \|", options.page.read_text(), re.MULTILINE)
    said = {kind: marks for kind, *marks in rows}
    for kind, numbers in records.items():
        expected = letters(numbers)
        if said.pop(kind, ["a"] * len(LEVELS)) != expected:
            wrong.append(f"{kind}: {options.page.name} should have {' '.join(expected)}")
    wrong += [f"{kind}: is in {options.page.name}, and not recorded" for kind in said]
    print(*wrong, f"{len(printed)} kinds with {', '.join(found)}", sep="\n")
    sys.exit(bool(wrong))


main()
