#!/usr/bin/env python3
"""Takes the ```ir blocks of a page, each into a file of its own, named by its line; or runs a tool on each of them.

usage: extract_ir.py PAGE.md FOLDER
       extract_ir.py --run TSC_OPT FOLDER      fails unless each prints as it stands
"""
import difflib
import pathlib
import shutil
import subprocess
import sys


def extract(page, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    block, first = None, 0
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.strip() == "```ir":
            block, first = [], number + 1
        elif line.strip() == "```" and block is not None:
            (folder / f"line-{first:04}.ir").write_text("\n".join(block) + "\n")
            block = None
        elif block is not None:
            block.append(line)


def check(tool, folder):
    files, bad = sorted(folder.glob("*.ir")), 0
    for file in files:
        run = subprocess.run([tool, file], capture_output=True, text=True)
        expected = [line.rstrip() for line in file.read_text().strip().splitlines()]
        found = [line.rstrip() for line in run.stdout.strip().splitlines()]
        if run.returncode != 0 or expected != found:
            bad += 1
            print(f"{file.name}: exit code {run.returncode}\n{run.stderr}")
            print("\n".join(difflib.unified_diff(expected, found, "on the page", "printed", lineterm="")))
    print(f"{len(files) - bad} of {len(files)} examples print as they stand on the page")
    sys.exit(bad != 0 or not files)


if sys.argv[1] == "--run":
    check(sys.argv[2], pathlib.Path(sys.argv[3]))
extract(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
