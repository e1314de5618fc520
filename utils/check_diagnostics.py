#!/usr/bin/env python3
"""Fail for each kind of diagnostic that no test provokes.

usage: check_diagnostics.py SOURCE_DIR

A kind counts as provoked when a test expects its text: an `expected-error {{…}}`, a CHECK line or a string of a unit
test in which the words of the format stand in their order. A kind that is nothing but another text ("{0}") has no words;
for it a test names the kind in a comment beside its expectation, as in `# BadType: a name that is no type.`
"""
import pathlib
import re
import sys

EXPECTATION = re.compile(r"expected-(?:error|warning|note|remark)|CHECK|error:|note:|\"|REQUIRE")
PATTERNS = ("test/**/*.py", "test/**/*.ir", "test/**/*.test", "unittests/**/*.cpp")


def kinds(table):
    """(name, format) of each DIAG of a Diagnostics.def."""
    text = table.read_text()
    for name, form in re.findall(r'^DIAG\(\w+,\s*(\w+),\s*"((?:[^"\\]|\\.)*)"', text, re.MULTILINE):
        yield name, form.replace('\\"', '"').replace("\\\\", "\\")


def main():
    root = pathlib.Path(sys.argv[1])
    lines = [line for pattern in PATTERNS for path in root.glob(pattern)
             for line in path.read_text(errors="replace").replace('\\"', '"').splitlines()]
    expectations = "\n".join(line for line in lines if EXPECTATION.search(line))
    comments = "\n".join(line for line in lines if re.match(r"\s*(#|//) [A-Z]", line))
    total, missing = 0, []
    for table in sorted(root.glob("include/tsc/*/Diagnostics.def")):
        for name, form in kinds(table):
            total += 1
            pieces = [piece for piece in re.split(r"\{\d\}", form) if piece]
            if not any(re.search(r"[A-Za-z]{3}", piece) for piece in pieces):
                provoked = re.search(rf"\b{name}\b", comments)
            else:
                provoked = re.search(".*".join(map(re.escape, pieces)), expectations)
            if not provoked:
                missing.append(f"{table.parent.name}: no test provokes {name}: {form}")
    print(*missing, f"{total - len(missing)} of {total} kinds of diagnostics are provoked by a test", sep="\n")
    sys.exit(bool(missing))


main()
