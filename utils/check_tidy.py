#!/usr/bin/env python3
"""Runs clang-tidy, with the checks of .clang-tidy, over C++ files that changed.

usage: check_tidy.py BUILD [--since REV] [--changed FILE]... [--limit N] [--program PROGRAM]

BUILD is a configured build folder, whose compile_commands.json says how files are compiled, and whose generated headers are
there. Files that differ from REV are looked at; without it, those that changed since the branch left the main one, or, where
nothing did, in the last commit. --changed names files and folders instead. A header that changed is looked at together with a
file that changed, or else with the file of its own name, if there is one.

A file takes some tens of seconds. Of more than N files (8) those with the most changed lines are looked at, and the last line
counts those that are left out. A file that takes more than two minutes is left out, too. The exit status is 1 where something
is found. It is 0, with a sentence, where clang-tidy-19 is not installed, or git does not know the folder.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import choose_tests
from choose_tests import CAPTURED, SOURCE, changed_since, git, usage_error

PROGRAM = "clang-tidy-19"
LIMIT = 8  # files
LONGEST = 120  # seconds for a file
# Not utils/tsc-tblgen, of which several files are compiled as one.
LOOKED_AT = re.compile(r"(include/tsc|lib|tools|unittests|fuzz)/.*\.(cpp|h)$")


def of_interest(files):
    return [name for name in files or [] if LOOKED_AT.match(name)]


def find_changed(options):
    """The changed files of C++, and the revision that they were compared with (None where they were named). Both are None where
    git knows of no changes."""
    if options.changed:
        return of_interest(choose_tests.files_named(options.changed)), None
    if git("rev-parse", "--git-dir") is None:
        return None, None
    files, since = choose_tests.find_changed(options.since)
    files, base = of_interest(files), since.removeprefix("since ")
    if not files and options.since is None and git("rev-parse", "--verify", "--quiet", "HEAD~1"):
        files, base = of_interest(changed_since("HEAD~1")), "HEAD~1"
    return files, base


def changed_lines(base):
    """File -> how many lines were added or removed; of new files nothing is known."""
    rows = (git("diff", "--numstat", "--no-renames", base, "--") or "").splitlines() if base else []
    return {name: sum(int(count) for count in counts if count.isdigit())
            for *counts, name in (row.split("\t") for row in rows)}


def arguments(entry):
    """What a file is compiled with, without the compiler, what it writes, and precompiled headers, which have other macros."""
    words = shlex.split(entry["command"])
    while words and not re.search(r"(clang(\+\+)?|g\+\+|c\+\+)(-\d+)?$", words[0]):
        words.pop(0)  # a cache
    words = words[1:]
    kept = []
    while words:
        word = words.pop(0)
        if word == "-o":
            words.pop(0)
        elif word == "-Xclang" and words[:1] in (["-include-pch"], ["-include"]):
            del words[:3]
        elif word not in ("-c", "-Winvalid-pch", "-fdiagnostics-color=always", entry["file"]):
            kept.append(word)
    return kept


def choose(files, commands, lines, limit):
    """The files to look at, the most changed first, and how many are left out."""
    sources = {name for name in files if name in commands}
    if not sources:
        own = (re.sub(r"^include/tsc/", "lib/", name).removesuffix(".h") + ".cpp" for name in files if name.endswith(".h"))
        sources = {name for name in own if name in commands}
    ordered = sorted(sources, key=lambda name: (-lines.get(name, 0), name))
    return ordered[:limit], len(ordered) - len(ordered[:limit])


def look_at(program, name, command, headers):
    """What clang-tidy finds in a file; None where it takes too long."""
    words = [program, "--quiet", f"--config-file={SOURCE / '.clang-tidy'}", f"--header-filter={headers}", str(SOURCE / name),
             "--", *command]
    try:
        run = subprocess.run(words, cwd=SOURCE, timeout=LONGEST, **CAPTURED)
    except subprocess.TimeoutExpired:
        return None
    told = "".join(line for line in run.stdout.splitlines(keepends=True)
                   if not re.match(r"\d+ warnings? generated|Suppressed \d+|Use -header-filter", line))
    if run.returncode and not told:
        told = f"{name}: error: {program} ended with exit status {run.returncode}\n"
    return told.replace(f"{SOURCE}/", "") if run.returncode or re.search(r": (warning|error): ", told) else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--since")
    parser.add_argument("--changed", action="append")
    parser.add_argument("--limit", type=int, default=LIMIT)
    parser.add_argument("--program", default=PROGRAM)
    parser.error = usage_error
    options = parser.parse_args()
    database = options.build / "compile_commands.json"
    if not database.is_file():
        usage_error(f"{database} is not there: configure {options.build}, with `utils/check build`")
    if not shutil.which(options.program):
        print(f"tidy: left out, as {options.program} is not installed: install Debian's package {PROGRAM}")
        return
    files, base = find_changed(options)
    if files is None:
        print("tidy: left out, as git does not know this folder, so that nobody knows what changed: give --changed FILE")
        return
    commands = {}
    for entry in json.loads(database.read_text()):
        path = pathlib.Path(entry["file"])
        if path.is_relative_to(SOURCE):
            commands[path.relative_to(SOURCE).as_posix()] = arguments(entry)
    chosen, left_out = choose(files, commands, changed_lines(base), options.limit)
    headers = "/(" + "|".join(re.escape(name) for name in files if name.endswith(".h")) + ")$"
    found, slow = 0, []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = pool.map(lambda name: look_at(options.program, name, commands[name], headers), chosen)
        for name, told in zip(chosen, runs):
            if told is None:
                slow.append(name)
            elif told:
                found += 1
                print(told, end="", flush=True)
    looked_at = len(chosen) - len(slow)
    print(f"tidy: {looked_at} changed file{'s' * (looked_at != 1)}, {found} with findings; {left_out + len(slow)} left out"
          + "".join(f"\n{name}: left out, as it takes more than {LONGEST} s" for name in slow))
    sys.exit(found != 0)


if __name__ == "__main__":
    main()
