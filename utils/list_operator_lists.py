#!/usr/bin/env python3
"""List the functions of every library that name three operators or more.

usage: list_operator_lists.py [--least N] [--known FILE] [folders...]

What is a fact about an operator stands in its record (include/tsc/IR/Ops). A function that names many operators either
holds such facts, or rewrites these very operators. Prints the number of operators that each function, table or macro names,
where it is, and which they are; then the numbers of each library, and of all. `folders` are read instead of those in lib/.

Names count once a function, without their overloads: `aten::sum`, `"aten::sum.dim_IntList"`, `OpKind::Aten_sum_dim_IntList`,
`SymbolId::aten_sum` and the typed view `SumDimIntListOp` are one. docs/Operators.md has the names of operators. An unquoted
`tsc::` is the namespace of C++. The nodes of the language itself (prim::If, prim::Constant and their like) are no operators.
Two kinds of names are not counted:

- The schema in a call of registerOperator defines its operator, which has no record where these facts could stand.
- In lib/Kernels, `PointwiseKind::Aten_mul_Tensor` is the kernel that was made of a record's scalar body. Other kernels call it,
  as they call functions of tsc::cpu: it is how they compute, and no fact about multiplication. (The definition of the operator
  that they are the kernel of may stand in its record as well. The kernel is the faster form of it, which rounds halves once
  and needs no interpreter, and a test compares the two.) A kind that is compared, or is a case of a switch, counts.

--known FILE compares the numbers with the lines of FILE that have them in the form in which this prints them. It fails if a
number has grown; where one has fallen, it says which line to lower.
"""
import argparse
import functools
import os
import pathlib
import re
import sys

from check_comments import LITERAL, compare_with_bounds, line_of, without_comments

SOURCE = pathlib.Path(__file__).resolve().parent.parent
LANGUAGE = {"If", "Loop", "Constant", "Param", "Return", "ListConstruct", "ListUnpack", "TupleConstruct", "TupleUnpack",
            "TupleIndex", "TupleSlice", "DictConstruct", "GetAttr", "SetAttr", "CallFunction", "CallMethod", "FusionGroup",
            "DifferentiableGraph", "RaiseException", "Print", "Uninitialized", "CreateObject", "fork", "Closure",
            "NamedTupleConstruct", "isinstance", "unchecked_cast", "annotate", "With", "Enter", "Exit", "BailOut", "TypeCheck",
            "Guard", "profile", "profile_ivalue", "TracedAttr", "TracedModuleForward", "TracedFork",
            "Load", "Store", "ReturnStmt", "BreakStmt", "ContinueStmt", "LoopContinuation"}
NAME = re.compile(r'\b(?:(?P<kind>(?:Aten|Prim|Tsc|Profiler|Python)_\w+)|(?P<view>[A-Z]\w*Op)|SymbolId::(?P<id>(?:aten|prim|tsc)_\w+)'
                  r'|(?P<name>(?:aten|prim)::\w+|(?<=")tsc::\w+))\b(?!\s*##)')
MAY_NAME = re.compile(r'(?:aten|prim|"tsc)::|SymbolId::|(?:Aten|Prim|Tsc|Profiler|Python)_|OpViews\.h')
OPERATOR = re.compile(r"\b(aten|prim|tsc|profiler|python)::(\w+)(?:\.(\w+))?")


@functools.cache
def records():
    """The names of the operators that have records, and the operator of each typed view ("SumDimIntListOp")."""
    names, views = set(), {}
    for namespace, name, overload in OPERATOR.findall((SOURCE / "docs/Operators.md").read_text()):
        names.add(f"{namespace}::{name}")
        views[view_of(namespace, name, overload)] = f"{namespace}::{name}"
    return names, views


def view_of(namespace, name, overload):
    """The class of a typed view, as utils/tsc-tblgen/EmitViews.cpp names it."""
    camel = lambda text: "".join(word[0].upper() + word[1:] for word in text.split("_") if word)
    prefix = "" if namespace == "aten" else camel(namespace)
    if re.match("_(?!_)", name):
        prefix += "Internal"
    return prefix + camel(name) + ("InPlace" if re.search("[^_]_$", name) else "") + camel(overload) + "Op"


@functools.cache
def of_kind(kind):
    """The operator of a kind: `aten::sum` of Aten_sum_dim_IntList. It has the longest name with which the kind begins; a form
    that writes to its operand has a name of its own."""
    namespace, rest = kind.split("_", 1)
    words = rest.split("_")
    for count in range(len(words), 0, -1):
        name = f"{namespace.lower()}::{'_'.join(words[:count])}"
        if name in records()[0] or name[-1] == "_" and name[:-1] in records()[0]:
            return name
    return f"{namespace.lower()}::{rest}"


BRACE_OR_LITERAL = re.compile(rf"[{{}}]|{LITERAL}", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.M)


def top_level_blocks(text):
    """(begin, end, head) of each function, class member, table and macro: the outermost blocks that no namespace or class is."""
    for match in DIRECTIVE.finditer(text):
        if macro := re.match(r"\s*#\s*define\s+\w+", match[0]):
            yield match.start(), match.end(), macro[0]
    text = DIRECTIVE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    stack, inner = [], 0  # what begins at each `{` that is open, and how many of these are functions or tables
    for match in BRACE_OR_LITERAL.finditer(text):
        if match[0] == "{":
            begin = text.rfind("\n\n", 0, match.start()) + 1
            # The braces of `f(Range range = {}) {` end no statement.
            ends = [end.end() for end in re.finditer(r"[;}](?!\s*[),])|\{(?!\s*\})", text[begin:match.start()])]
            begin += ends[-1] if ends else 0
            holds = bool(re.search(r"\b(namespace|class|struct|extern)\b[^()=]*$", text[begin:match.start()]))
            stack.append((begin, match.start(), holds))
            inner += not holds
        elif match[0] == "}" and stack:
            begin, brace, holds = stack.pop()
            inner -= not holds
            if not holds and not inner:
                yield begin, match.end(), text[begin:brace]


def name_of(head):
    if macro := re.match(r"\s*#\s*define\s+(\w+)", head):
        return macro[1]
    if named := re.search(r"([\w~:]+)\s*\(", head):
        return named[1]
    table = re.findall(r'(\w+)\s*(?:\[\w*\])?\s*=?\s*$', head.strip())
    return table[0] if table else "?"


def operator_of(match):
    """The operator's name, or None where the match names none."""
    if match["kind"]:
        return of_kind(match["kind"])
    if match["view"]:
        return records()[1].get(match["view"])
    return match["name"] or "::".join(match["id"].split("_", 1))


DEFINED = re.compile(r'registerOperator\(\s*"[^"]*"')
CALLED_KERNEL = re.compile(r"(?<!case )(?<![=!]= )\bPointwiseKind::\w+\b(?!\s*[=!]=)")


def operators_in(text, has_views, is_kernel):
    text = DEFINED.sub("", text)
    if is_kernel:
        text = CALLED_KERNEL.sub("", re.sub(r"\bK::", "PointwiseKind::", text))
    found = {operator_of(match) for match in NAME.finditer(text) if has_views or not match["view"]}
    return {name for name in found if name and not (name.startswith("prim::") and name[len("prim::"):] in LANGUAGE)}


def library_of(path):
    """`lib/IR` of lib/IR/Node.cpp; else the folder."""
    return "/".join(path.parts[:2]) if path.parts[0] == "lib" and len(path.parts) > 2 else path.parent.as_posix()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage=argparse.SUPPRESS)
    parser.add_argument("folders", nargs="*", default=["lib"], help=argparse.SUPPRESS)
    parser.add_argument("--least", type=int, default=3, metavar="N", help="operators that a function must name (default: 3)")
    parser.add_argument("--known", type=pathlib.Path, metavar="FILE", help="fail if a number is greater than in this file")
    options = parser.parse_args()
    rows, numbers = [], {}
    for path in sorted(path for folder in options.folders for path in (SOURCE / folder).rglob("*")):
        if path.suffix not in (".cpp", ".h", ".def", ".inc"):
            continue
        text = path.read_text()
        text = without_comments(text) if MAY_NAME.search(text) else ""
        shown = pathlib.Path(os.path.relpath(path, SOURCE))
        counts = numbers.setdefault(library_of(shown), {"functions": 0, "operators": 0})
        blocks = top_level_blocks(text) if path.suffix in (".cpp", ".h") else [(0, len(text), path.name)]
        for begin, end, head in blocks:
            operators = operators_in(text[begin:end], "IR/OpViews.h" in text, library_of(shown) == "lib/Kernels")
            if len(operators) >= options.least:
                line = text.count("\n", 0, end - len(text[begin:end].lstrip())) + 1
                rows.append((len(operators), f"{shown}:{line}", name_of(head), sorted(operators)))
                counts["functions"] += 1
                counts["operators"] += len(operators)
    if not numbers:
        sys.exit("no source was found")
    grown = compare_with_bounds(options.known.resolve(), numbers) if options.known else set()
    for count, place, name, operators in sorted(rows, reverse=True):
        if not options.known or any(library_of(pathlib.Path(place)) == library for library, _ in grown):
            print(f"{count:4} {place} {name}: {' '.join(operators)}")
    if not options.known:
        for name, counts in sorted(numbers.items()):
            print(line_of(name, counts))
    print(line_of("all", {what: sum(counts[what] for counts in numbers.values()) for what in ("functions", "operators")}))
    sys.exit(bool(grown))


if __name__ == "__main__":
    main()
