#!/usr/bin/env python3
"""Fail for each kind of diagnostic whose text no test expects.

usage: check_diagnostics.py SOURCE_DIR

A text is expected by an `expected-error {{…}}`, by a CHECK line that must match, or by a string of a unit test, in which the
words of the format stand in their order. A kind that is nothing but another text ("{0}") has no words; for it a test names
the kind in a comment beside its expectation, as in `# BadType: a name that is no type.` That each kind is reported at all is
what unittests/Transforms/DiagnosticKindsTest.cpp sees.
"""
import pathlib
import re
import sys

# A line that must match, whatever its prefix, and a line that expects a diagnostic.
IN_LIT_TEST = re.compile(r"expected-(?:error|warning|note|remark)|^\s*# ?[A-Z][A-Z0-9_-]*(?<!-NOT):")
PATTERNS = {"test/**/*.py": IN_LIT_TEST, "test/**/*.ir": IN_LIT_TEST, "test/**/*.test": IN_LIT_TEST, "unittests/**/*.cpp": re.compile('"')}


def kinds(table):
    """(name, format) of each DIAG of a Diagnostics.def."""
    text = table.read_text()
    for name, form in re.findall(r'^DIAG\(\w+,\s*(\w+),\s*"((?:[^"\\]|\\.)*)"', text, re.MULTILINE):
        yield name, form.replace('\\"', '"').replace("\\\\", "\\")


def main():
    root = pathlib.Path(sys.argv[1])
    lines = [(line, expectation) for pattern, expectation in PATTERNS.items() for path in root.glob(pattern)
             for line in path.read_text(errors="replace").replace('\\"', '"').splitlines()]
    expectations = "\n".join(line for line, expectation in lines if expectation.search(line))
    comments = "\n".join(line for line, _ in lines if re.match(r"\s*(#|//) [A-Z]", line))
    total, missing = 0, []
    for table in sorted(root.glob("include/tsc/*/Diagnostics.def")):
        for name, form in kinds(table):
            total += 1
            pieces = [piece for piece in re.split(r"\{\d\}", form) if piece]
            if not any(re.search(r"[A-Za-z]{3}", piece) for piece in pieces):
                expected = re.search(rf"\b{name}\b", comments)
            else:
                expected = re.search(".*".join(map(re.escape, pieces)), expectations)
            if not expected:
                missing.append(f"{table.parent.name}: no test expects {name}: {form}")
    print(*missing, f"{total - len(missing)} of {total} kinds of diagnostics are expected by a test", sep="\n")
    sys.exit(bool(missing))


main()
