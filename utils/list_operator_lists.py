#!/usr/bin/env python3
"""List the functions of passes and analyses that name three operators or more.

usage: list_operator_lists.py [--least N] [folders...]

What is a fact about an operator stands in its record (include/tsc/IR/Ops). A function that names many operators either
holds such facts, or rewrites these very operators. Prints the number of operators that each function or table names, where
it is, and which they are; the last line has the totals. Names count once a function: `aten::relu`, `OpKind::Aten_relu`,
`SymbolId::aten_relu` and `PointwiseKind::Aten_relu` are one. The nodes of the language itself (prim::If, prim::Constant and
their like) are no operators.
"""
import argparse
import os
import pathlib
import re

SOURCE = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["lib/Analysis", "lib/Transforms", "lib/Fusion", "lib/FuserCPU"]
LANGUAGE = {"If", "Loop", "Constant", "Param", "Return", "ListConstruct", "ListUnpack", "TupleConstruct", "TupleUnpack",
            "TupleIndex", "TupleSlice", "DictConstruct", "GetAttr", "SetAttr", "CallFunction", "CallMethod", "FusionGroup",
            "DifferentiableGraph", "RaiseException", "Print", "Uninitialized", "CreateObject", "fork", "Closure",
            "NamedTupleConstruct", "isinstance", "unchecked_cast", "annotate", "With", "Enter", "Exit", "BailOut", "TypeCheck"}
NAME = re.compile(r'\b(?:(?:OpKind|PointwiseKind)::(Aten|Prim|Tsc|Profiler)_(\w+)|SymbolId::(aten|prim|tsc)_(\w+)'
                  r'|(aten|prim|tsc)::(\w+))')


def without_comments(text):
    """The text with comments as blanks, so that offsets and lines stay."""
    blank = lambda match: re.sub(r"[^\n]", " ", match[0])
    return re.sub(r'//[^\n]*|/\*.*?\*/', blank, text, flags=re.S)


def top_level_blocks(text):
    """Pairs of where a function, class member or table begins and ends: the innermost blocks that are not within
    another function."""
    depth, starts, stack = 0, [], []
    for match in re.finditer(r'[{}]|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', text):
        token = match[0]
        if token == "{":
            line = text.rfind("\n\n", 0, match.start()) + 1
            head = text[max(line, text.rfind("}", 0, match.start()) + 1, text.rfind(";", 0, match.start()) + 1):match.start()]
            holds = bool(re.search(r'\b(namespace|class|struct|extern)\b[^()=]*$', head))
            stack.append((match.start(), head, holds))
        elif token == "}" and stack:
            start, head, holds = stack.pop()
            if not holds and all(outer[2] for outer in stack):
                yield start - len(head), match.end(), head


def name_of(head):
    named = re.findall(r'([\w~:]+)\s*\(', head)
    if named:
        return named[0]
    table = re.findall(r'(\w+)\s*(?:\[\w*\])?\s*=?\s*$', head.strip())
    return table[0] if table else "?"


def operators_in(text):
    found = set()
    for match in NAME.finditer(text):
        kind = (match[1] or match[3] or match[5]).lower()
        name = match[2] or match[4] or match[6]
        if match[2]:
            name = re.split(r"_(?=[A-Z])|_(?:int|float|complex|str|bool|t|dim|dtype|names|self|other|using_ints)\b", name)[0]
        if not (kind == "prim" and name in LANGUAGE):
            found.add(f"{kind}::{name}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", default=FOLDERS)
    parser.add_argument("--least", type=int, default=3, metavar="N", help="operators that a function must name (default: 3)")
    options = parser.parse_args()
    rows = []
    for folder in options.folders:
        for path in sorted((SOURCE / folder).rglob("*")):
            if path.suffix not in (".cpp", ".h", ".def"):
                continue
            text = without_comments(path.read_text())
            blocks = [(0, len(text), path.name)] if path.suffix == ".def" else top_level_blocks(text)
            for start, end, head in blocks:
                operators = operators_in(text[start:end])
                if len(operators) >= options.least:
                    line = text.count("\n", 0, end - len(text[start:end].lstrip())) + 1
                    rows.append((len(operators), f"{os.path.relpath(path, SOURCE)}:{line}", name_of(head), sorted(operators)))
    for count, place, name, operators in sorted(rows, reverse=True):
        print(f"{count:4} {place} {name}: {' '.join(operators)}")
    print(f"{len(rows)} functions name {sum(row[0] for row in rows)} operators")


if __name__ == "__main__":
    main()
