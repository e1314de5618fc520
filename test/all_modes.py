#!/usr/bin/env python3
"""Run a program in every mode, and require that nobody can tell the difference; in RUN lines `%all_modes`.

usage: all_modes.py [--status N] TSC_RUN PROGRAM [options of tsc-run]

Standard output, the error and the exit status have to be those of -O0, which are printed. --status is the exit status
that is expected, 0 where it is not given.
"""
import subprocess
import sys

MODES = ["-O0", "-O1", "-O2", "-O3", "--compile=eager", "-O3 --compile=eager", "--executor=interp",
         "-O3 --executor=interp", "--compile=off", "--threads 2 --compile=eager"]


def run(tool, mode, options):
    done = subprocess.run([tool, *mode.split(), *options], capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def main():
    arguments = sys.argv[1:]
    wanted = 0
    if arguments[0] == "--status":
        wanted, arguments = int(arguments[1]), arguments[2:]
    tool, *options = arguments
    expected = run(tool, MODES[0], options)
    for mode in MODES[1:]:
        found = run(tool, mode, options)
        if found != expected:
            names = ("exit status", "standard output", "standard error")
            parts = [f"{name} with {MODES[0]}:\n{a}\nwith {mode}:\n{b}"
                     for name, a, b in zip(names, expected, found) if a != b]
            sys.exit("\n".join(parts))
    if expected[0] != wanted:
        sys.exit(f"exit status {expected[0]} instead of {wanted}\n{expected[1]}{expected[2]}")
    print(expected[1] + expected[2], end="")


main()
