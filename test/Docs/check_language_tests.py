#!/usr/bin/env python3
"""Fails for a test that docs/Language.md or docs/LanguageReference.md names and that is not there.

usage: check_language_tests.py SOURCE_DIR

Rows of the reference that name a section have it in their first test, as a comment; builtins are used in theirs.
"""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
TEST = re.compile(r"\b((?:[A-Z]\w+|tsc-run)/[\w./-]+\.(?:py|test))\b")
wrong = []
for page in ("Language.md", "LanguageReference.md"):
    text = (source / "docs" / page).read_text()
    named = sorted(set(TEST.findall(text)))
    wrong += [f"docs/{page} names test/{name}, which is not there" for name in named
              if not (source / "test" / name).exists()]
    if not named:
        wrong.append(f"docs/{page} names no test")

for line in (source / "docs/LanguageReference.md").read_text().splitlines():
    cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
    tests = TEST.findall(cells[-1]) if cells else []
    if not tests or not (source / "test" / tests[0]).exists():
        continue
    test = (source / "test" / tests[0]).read_text()
    section = re.match(r"\d+(\.\d+)+(?= )", cells[0])
    if section and "refused" not in cells[1] and "reference" in tests[0] and not re.search(
            rf"# (.*, )?{re.escape(section[0])}\b", test):
        wrong.append(f"test/{tests[0]} has no section {section[0]}")
    for name in re.findall(r"\w+", cells[1]) if "reference-values" in tests[0] else []:
        if not re.search(rf"\b{name}\b", test):
            wrong.append(f"test/{tests[0]} does not use {name}")
print("\n".join(wrong), file=sys.stderr)
sys.exit(bool(wrong))
