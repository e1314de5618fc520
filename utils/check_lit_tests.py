#!/usr/bin/env python3
"""Fail for lit tests that cannot fail, and for passes that none runs.

usage: check_lit_tests.py SOURCE_DIR

- Each FileCheck of a RUN line needs a pattern that must be there. What has patterns of the kind -NOT alone also passes when
  the program prints something else altogether; where nothing is to be printed, `count 0` says so.
- Each pass of a Passes.def stands in the -passes of a RUN line.
"""
import pathlib
import re
import subprocess
import sys

SUFFIXES = (".ir", ".py", ".test", ".td")
PASS_LINE = re.compile(r'^\w*PASS\w*\("((?:[^"\\]|\\.)*)"', re.M)


def tests(root):
    for path in sorted((root / "test").rglob("*")):
        if path.suffix in SUFFIXES and path.is_file() and "Inputs" not in path.parts:
            yield path.relative_to(root), path.read_text(errors="replace")


def run_lines(text):
    """RUN lines, continued ones joined."""
    joined = re.sub(r"\\\n[^\n]*?RUN:", " ", text)
    return re.findall(r"RUN:(.*)", joined)


def prefixes_of(command):
    given = re.findall(r"--?check-prefix(?:es)?[= ]([\w,-]+)", command)
    return [prefix for names in given for prefix in names.split(",")] or ["CHECK"]


def must_be_there(text, prefix):
    kinds = re.findall(rf"(?<![\w-]){re.escape(prefix)}(-[A-Z]+(?:-\d+)?)?(?:{{LITERAL}})?:", text)
    return any(kind != "-NOT" for kind in kinds)


def main():
    source = pathlib.Path(sys.argv[1])
    problems, pipelines = [], ""
    for path, text in tests(source):
        for line in run_lines(text):
            pipelines += " ".join(re.findall(r"-passes=('[^']*'|\"[^\"]*\"|\S+)", line)) + "\n"
            for command in line.split("|"):
                if not re.search(r"\bFileCheck\b", command):
                    continue
                prefixes = prefixes_of(command)
                # Patterns that stand in another file are that file's.
                if re.search(r"FileCheck\b.*%s", command) and not any(must_be_there(text, prefix) for prefix in prefixes):
                    problems.append(f"{path}: nothing must be there for {', '.join(prefixes)}: {line.strip()}")
    used = set(re.findall(r"[\w-]+", pipelines))
    for table in sorted(source.glob("include/tsc/*/Passes.def")):
        problems += [f"no RUN line has pass '{name}'" for name in PASS_LINE.findall(table.read_text()) if name not in used]
    print(*problems, sep="\n", end="\n" if problems else "")
    sys.exit(bool(problems))


main()
