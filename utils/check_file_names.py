#!/usr/bin/env python3
"""Comments and documents that name a file of this project which is not there.

A word counts as a file of ours when it has one of our endings; what stands for some file of a user (model.py), or is
made by the build (*.inc of tsc-tblgen), is let through.

    utils/check_file_names.py [SOURCE]
"""
import re
import sys
from pathlib import Path

CODE = (".h", ".cpp", ".td", ".def", ".inc", ".py", ".cmake", ".txt")
NAMED = re.compile(r"(?<![\w./*<>-])[\w./-]*\b\w[\w-]*\.(?:h|cpp|td|def|md|test)\b(?![\w(])")
PYTORCHS = {"dead_code_elimination.cpp"}
EXAMPLES = {"ReluMerging.cpp", "FILE.md", "h100.md"}  # what a guide lets its reader write
COMMENT = {".py": re.compile(r"#(.*)"), ".cmake": re.compile(r"#(.*)"), ".txt": re.compile(r"#(.*)")}
CPP_COMMENT = re.compile(r"//(.*)")


def texts(path):
    """(line number, text) of comments, or of a document."""
    pattern = None if path.suffix == ".md" else COMMENT.get(path.suffix, CPP_COMMENT)
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        if pattern is None:
            yield number, line
        elif found := pattern.search(line):
            yield number, found.group(1)


def main():
    source = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    listed = [name for name in (str(path.relative_to(source)) for path in source.rglob("*") if path.is_file())
              if not name.startswith(("build", ".git/"))]
    there = {Path(name).name for name in listed}
    failures = 0
    for name in listed:
        path = source / name
        if path.suffix not in (*CODE, ".md") or name.startswith("test/") or not path.exists():
            continue
        for number, text in texts(path):
            for word in NAMED.findall(text):
                if Path(word.lstrip("-")).name not in there | PYTORCHS | EXAMPLES and not word.startswith("llvm/"):
                    print(f"{name}:{number}: there is no '{word}'")
                    failures += 1
    sys.exit(bool(failures))


main()
