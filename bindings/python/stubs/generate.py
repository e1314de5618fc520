#!/usr/bin/env python3
"""Writes the type stubs of the package tsc: those beside this file, and in tsc.pyi the operators, from their schemas.

usage: generate.py FOLDER/__init__.pyi        (with the built package on PYTHONPATH)

Each operator is a function and, where its first argument is a tensor called `self`, a method of Tensor, with an overload
for each schema. Overloads that write to `out` are left out.
"""
import keyword
import pathlib
import re
import sys

import tsc

import library_stubs
from tsc._signatures import parse, split

TYPES = {"Tensor": "TensorLike", "int": "_int", "SymInt": "_int", "float": "_float", "bool": "_bool", "str": "_str",
         "Scalar": "Number", "number": "Number", "complex": "_complex", "ScalarType": "_dtype", "Layout": "_layout",
         "Device": "_device | _str", "MemoryFormat": "_memory_format",
         "Generator": "Generator"}
RESULTS = {**TYPES, "Tensor": "Tensor", "Device": "_device", "ScalarType": "_int", "Layout": "_int", "MemoryFormat": "_int"}


def annotation(text, names, is_result=False):
    """The annotation for a type of a schema."""
    text = re.sub(r"\([a-z!*| >-]*\)", "", text.strip())  # which arguments share memory
    if text.endswith("?"):
        return f"{annotation(text[:-1], names, is_result)} | None"
    listed = re.fullmatch(r"(.*)\[(\d*)\]", text)
    if listed:
        element, length = listed.groups()
        inner = annotation(element, names, is_result)
        if is_result:
            return f"builtins.list[{inner}]"
        return f"{inner} | Sequence[{inner}]" if length else f"Sequence[{inner}]"
    return names.get(text, "Any")


def signatures(name, is_method):
    """The signatures of an operator's overloads, each once."""
    found = []
    for schema in tsc._tsc._find_operator("aten::" + name).schemas:
        parsed = parse(schema)
        if parsed is None:
            continue
        arguments, results = parsed
        has_self = bool(arguments) and arguments[0][1] == "self" and re.sub(r"\(.*\)", "", arguments[0][0]) == "Tensor"
        if any(one == "out" for _, one, _, _ in arguments) or (is_method and not has_self):
            continue
        shown, seen_only, seen_default = [], False, False
        for i, (kind, one, default, only) in enumerate(arguments):
            if i == 0 and has_self:
                other = any(one == "input" for _, one, _, _ in arguments)
                shown.append("self" if is_method else "self: TensorLike" if other else "input: TensorLike")
                continue
            if only and not seen_only:
                shown.append("*")
                seen_only = True
            seen_default |= default is not None and not only
            has_default = default is not None or (seen_default and not only)
            shown.append(f"{one}: {annotation(kind, TYPES)}" + (" = ..." if has_default else ""))
        if not is_method and not any(part.startswith("*") for part in shown) and results == ["Tensor"] and \
                any(one == "dtype" for _, one, _, _ in arguments):
            shown.append("*")
            seen_only = True
        if not is_method and results == ["Tensor"] and any(one == "dtype" for _, one, _, _ in arguments):
            shown.append("requires_grad: _bool = ...")
        made = [annotation(part, RESULTS, True) for part in results]
        result = "None" if not made else made[0] if len(made) == 1 else f"builtins.tuple[{', '.join(made)}]"
        found.append(f"({', '.join(shown)}) -> {result}: ...")
        sizes = [one for kind, one, default, only in arguments[has_self:] if not only]
        if len(sizes) == 1 and arguments[has_self][0] == "int[]":  # numbers one by one: x.view(2, 3)
            found.append(f"({', '.join(part.replace(sizes[0] + ': Sequence[_int]', '*' + sizes[0] + ': _int') for part in shown if part != '*')}) -> {result}: ...")
    return list(dict.fromkeys(found))


def definitions(names, is_method):
    indent = "    " if is_method else ""
    for name in names:
        overloads = signatures(name, is_method)
        for one in overloads:
            if len(overloads) > 1:
                yield f"{indent}@overload"
            yield f"{indent}def {name}{one}"


def main():
    template = (pathlib.Path(__file__).parent / "tsc.pyi").read_text()
    taken = set(re.findall(r"^(?:    )?(?:def|class) (\w+)|^(?:    )?(\w+):", template, re.MULTILINE))
    taken = {name for pair in taken for name in pair if name}
    in_tensor = template[template.index("class Tensor"):template.index("# OPERATORS AS METHODS")]
    methods_taken = set(re.findall(r"^    (?:def (\w+)|(\w+):)", in_tensor, re.MULTILINE))
    methods_taken = {name for pair in methods_taken for name in pair if name}
    names = [name for name in tsc._tsc._operator_names("aten")
             if not name.startswith("_") and name.isidentifier() and not keyword.iskeyword(name)]
    methods = [name for name in names if name not in methods_taken]
    top = template[:template.index("class Tensor")] + template[template.index("# OPERATORS AS METHODS"):]
    functions_taken = set(re.findall(r"^(?:def|class) (\w+)|^(\w+)\b", top, re.MULTILINE))
    functions_taken = {name for pair in functions_taken for name in pair if name}
    functions = [name for name in names if name not in functions_taken]
    text = template.replace("    # OPERATORS AS METHODS", "\n".join(definitions(methods, True)))
    text = text.replace("# OPERATORS AS FUNCTIONS", "\n".join(definitions(functions, False)))
    out = pathlib.Path(sys.argv[1])
    out.write_text(text)
    for other in ("autograd.pyi", "ops.pyi"):
        (out.parent / other).write_text((pathlib.Path(__file__).parent / other).read_text())
    library_stubs.write(out.parent)


if __name__ == "__main__":
    main()
