#!/usr/bin/env python3
"""Runs each example of docs/Language.md, and fails unless it prints what the page shows behind it.

usage: run_language.py SOURCE_DIR BIN_DIR

An example is a block of Python and the block of text after it. Of a program that does not compile, the message and the
lines with the caret are compared, and the notes, without places.
"""
import difflib
import pathlib
import re
import subprocess
import sys
import tempfile


def main():
    source, tools = map(pathlib.Path, sys.argv[1:])
    page = (source / "docs/Language.md").read_text()
    examples = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", page, re.S)
    bad = page.count("```python") - len(examples)
    with tempfile.TemporaryDirectory() as folder:
        for program, shown in examples:
            path = pathlib.Path(folder, "example.py")
            path.write_text(program)
            run = subprocess.run([tools / "tsc-run", path], capture_output=True, text=True)
            printed = run.stdout.removesuffix("None\n")
            if shown.startswith("error:"):
                said = re.sub(r"^.*example\.py:\d+:\d+: ", "", run.stderr, flags=re.M)
                printed = "".join(said.splitlines(True)[: shown.count("\n")])
            if printed != shown or first_error(run, shown):
                bad += 1
                sys.stderr.write(run.stderr)
                sys.stderr.writelines(difflib.unified_diff(shown.splitlines(True), printed.splitlines(True), "page", "tsc"))
    sys.exit(bad > 0 or not examples)


def first_error(run, shown):
    """Whether the program failed although the page says that it runs, or the other way round."""
    return (run.returncode != 0) != shown.startswith("error:")


if __name__ == "__main__":
    main()
