#!/usr/bin/env python3
"""Run programs compiled and walked, and list those that print something else.

usage: walked_and_compiled.py TSC_RUN PROGRAMS...

A program is a file whose RUN lines begin with `%all_modes tsc-run %s`, with or without an entry, which a copy of it calls
and prints. What a file with modules does outside of functions is walked: another copy has one. A walked program may be
refused, with a sentence; what it prints before that has to be the beginning of what the compiled one prints.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

MODULE = """

import torch as _torch


class _WalkedModule(_torch.nn.Module):
    def forward(self, x: _torch.Tensor):
        return x
"""
REFUSAL = "supported in code that runs while the program is loaded; Python runs it"


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def compare(tool, program, options, folder):
    """A word for what came out, and what shows it."""
    entry = re.search(r"--entry (\w+)", options)
    if "--args" in options or "--inputs" in options:
        return "given arguments", ""
    text = program.read_text()
    call = ""
    if entry:  # by another name: tsc-run calls `main` by itself
        text = re.sub(rf"\b{entry[1]}\b", "_program", text)
        call = "\n\nprint(_program())\n"
    copies = [pathlib.Path(folder) / way / program.name for way in ("compiled", "walked")]
    for copy, more in zip(copies, ("", MODULE)):
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(text + more + call)
    compiled, walked = (run(tool, copy) for copy in copies)
    if walked[:2] == compiled[:2]:
        return "same", ""
    error = next((line for line in walked[2].splitlines() if "error: " in line), "")
    if walked[0] and REFUSAL in error and compiled[1].startswith(walked[1]):
        return "refused", error.split("error: ")[1].split(" in code that runs")[0]
    ours, theirs = walked[1].splitlines(), compiled[1].splitlines()
    for mine, wanted in zip(ours + ["(no more)"] * len(theirs), theirs + ["(no more)"]):
        if mine != wanted:
            return "different", f"walked: {mine}\n  compiled: {wanted}\n  {error}"
    return "different", error


def main():
    tool, *names = sys.argv[1:]
    jobs = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name in sorted(names):
            program = pathlib.Path(name)
            line = re.search(r"RUN: %all_modes tsc-run %s([^|>\n]*)", program.read_text())
            if line:
                jobs.append((program, pool.submit(compare, tool, program, line[1], folder)))
        counts = {}
        for program, job in jobs:
            word, why = job.result()
            counts[word] = counts.get(word, 0) + 1
            if word != "given arguments":
                print(f"{program.name}: {word}" + (f": {why}" if why else ""))
    print(", ".join(f"{counts[word]} {word}" for word in sorted(counts)))


main()
