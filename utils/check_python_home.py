#!/usr/bin/env python3
"""Finds formulas of Python's numbers and texts that stand outside of lib/Python.

usage: check_python_home.py [SOURCE]

What Python computes is defined once (include/tsc/Python): the interpreter's handlers, boxed kernels, folding, printing and the
evaluator call it. A line of theirs that rounds, divides with a remainder, takes powers, reads or writes numbers, counts code
points, counts indices from the end, or has the words of an exception that lib/Python raises is reported, unless the table
says why it stands there: what PyTorch computes in another way has its one place too.
"""
import pathlib
import re
import sys

FOLDERS = ["lib/IR", "lib/Runtime/Interpreter", "lib/Runtime/Dispatch/Ops", "include/tsc/Runtime/Dispatch/Ops",
           "lib/Frontend/Emitter", "lib/Frontend/Evaluator", "lib/Frontend/SugaredValues"]

FORMULAS = {
    "rounding": r"std::(floor|ceil|trunc|nearbyint|rint|round|lround)\b",
    "remainder": r"std::(fmod|remainder|modf|frexp|ldexp)\b|% \w+ (!=|<) 0",
    "power": r"std::(pow|tgamma|lgamma|hypot)\b",
    "overflow": r"__builtin_(add|sub|mul)_overflow",
    "number text": r"std::(to_chars|from_chars|strto\w+|sto[dil])\b|\bsnprintf\b|%\.17g|APFloat",
    "code points": r"getNumBytesForUTF8|ConvertUTF|convertUTF|ConvertCodePoint|& 0xC0",
    "case": r"\bllvm::(toUpper|toLower)\b|\.(upper|lower)\(\)",
    "index": r"< 0 \? \w*(size|count|length)\b|< 0 \? \*?\w+ \+ \w*(size|count|length)|std::clamp\(\*?\w+ < 0",
    "order": r"std::partial_ordering::|std::(stable_)?sort\b",
    "exception": r"ZeroDivisionError: |math domain error\"|math range error|substring not found|empty separator|"
                 r"negative shift count|Unknown format code|not enough arguments for format|invalid literal for int|"
                 r"could not convert string to float|string index out of range|fill character must be exactly",
}

# What stands elsewhere, and why.
ALLOWED = {
    "include/tsc/Runtime/Dispatch/Ops/Scalars.h": "the place of what PyTorch computes with numbers in another way",
    "lib/Runtime/Dispatch/Ops/Scalars.cpp": "likewise",
    "lib/Runtime/Dispatch/Ops/StringLists.cpp": "PyTorch's formats, which are C's",
}
ALLOWED_FORMULAS = {
    ("lib/IR/PrintValue.cpp", "rounding"): "TorchScript's print writes 1. where Python writes 1.0",
    ("lib/IR/PrintValue.cpp", "number text"): "likewise",
    ("lib/IR/Printer.cpp", "number text"): "constants of graphs",
    ("lib/IR/Printer.cpp", "rounding"): "likewise",
    ("lib/Runtime/Interpreter/ScalarHandlers.cpp", "rounding"): "floor() and ceil(), which fail in PyTorch's words",
    ("lib/Frontend/Emitter/Expressions/Sets.cpp", "case"): "the name of a file",
    ("lib/Frontend/Evaluator/Statements.cpp", "overflow"): "counts steps",
}


def main():
    source = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
    used, found = set(), 0
    for folder in FOLDERS:
        for path in sorted((source / folder).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            name = path.relative_to(source).as_posix()
            for number, line in enumerate(path.read_text().splitlines(), 1):
                code = re.sub(r"//.*", "", line)
                for formula, pattern in FORMULAS.items():
                    if not re.search(pattern, code):
                        continue
                    if name in ALLOWED or (name, formula) in ALLOWED_FORMULAS:
                        used.add(name)
                        used.add((name, formula))
                        continue
                    found += 1
                    print(f"{name}:{number}: {formula}: {line.strip()}")
    for entry in [*ALLOWED, *ALLOWED_FORMULAS]:
        if entry not in used and (source / (entry if isinstance(entry, str) else entry[0])).exists():
            found += 1
            print(f"{entry}: has no formula any more")
    if found:
        sys.exit("lib/Python is the place of these; utils/check_python_home.py says what may stand elsewhere")


if __name__ == "__main__":
    main()
