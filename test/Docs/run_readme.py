#!/usr/bin/env python3
"""Runs the commands that README.md shows on files of examples/, and fails unless each prints what is shown there.

usage: run_readme.py SOURCE_DIR BIN_DIR
"""
import difflib
import pathlib
import re
import shlex
import subprocess
import sys

PROMPT = "    $ build/quick/bin/"


def shown_commands(page):
    """(command, output) of each indented block that starts with a prompt."""
    for block in re.split(r"\n(?=\S)", page):
        at = block.find(PROMPT)
        if at < 0:
            continue
        command, _, output = block[at + len(PROMPT):].partition("\n")
        yield shlex.split(command), "".join(line[4:] + "\n" for line in output.rstrip().splitlines())


def main():
    source, tools = map(pathlib.Path, sys.argv[1:])
    runs = bad = 0
    for (tool, *arguments), shown in shown_commands((source / "README.md").read_text()):
        if not (source / arguments[-1]).exists():
            continue  # a file that the page only speaks of
        run = subprocess.run([tools / tool, *arguments], cwd=source, capture_output=True, text=True)
        runs += 1
        if run.returncode != 0 or run.stdout != shown:
            bad += 1
            sys.stderr.write(run.stderr)
            sys.stderr.writelines(difflib.unified_diff(shown.splitlines(True), run.stdout.splitlines(True), "README.md", tool))
    sys.exit(bad > 0 or runs == 0)


if __name__ == "__main__":
    main()
