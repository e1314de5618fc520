#!/usr/bin/env python3
"""Fails for a test that docs/Language.md names and that is not there.

usage: check_language_tests.py SOURCE_DIR
"""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
page = (source / "docs/Language.md").read_text()
named = set(re.findall(r"\b((?:Language|Regressions|Frontend|tsc-run)/[\w.-]+\.(?:py|test))\b", page))
missing = sorted(name for name in named if not (source / "test" / name).exists())
for name in missing:
    print(f"docs/Language.md names test/{name}, which is not there", file=sys.stderr)
sys.exit(bool(missing) or not named)
