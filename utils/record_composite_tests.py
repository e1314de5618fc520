#!/usr/bin/env python3
"""Writes test/Composites/NAME.py from NAME.cases with the values that PyTorch gives; wants a Python with torch: 1.13, or for
recent.cases the current release.

usage: utils/record_composite_tests.py test/Composites/*.cases

A .cases file: statements that make operands, an empty line, then an expression a line whose value is a tensor. Both parts
are TorchScript and eager Python. Of each value the test compares shape, sum and norm, and the sum weighted by cosines, so
that elements in wrong places show.
"""
import pathlib, sys
import torch

try:
    import torchvision  # whose operators vision.cases calls
except ImportError:
    pass

HEADER = '''# Recorded by utils/record_composite_tests.py with PyTorch's values; do not edit, edit {name}.cases.
#
# RUN: %all_modes tsc-run %s | FileCheck %s
# CHECK-NOT: differs
# CHECK: {count} cases
import torch
from typing import List, Optional
from checks import check
from torch import Tensor


'''


def number(value):
    if value != value or value in (float("inf"), -float("inf")):
        return "float('%s')" % value
    text = "%.6g" % value
    return text if "." in text or "e" in text else text + "."


def record(path):
    statements, expressions = path.read_text().strip().split("\n\n", 1)
    names = {"torch": torch, "Optional": __import__("typing").Optional, "List": list}
    exec(statements, names)
    body, count, parts = [], 0, []
    for line in expressions.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        try:
            value = eval(line, names)
        except Exception as error:
            sys.exit("%s: %s\n%s" % (path, line, str(error).splitlines()[0]))
        row = value.detach().reshape(-1).double()
        weighted = (row * torch.cos(torch.arange(row.numel(), dtype=torch.double))).sum()
        name = line.split("(")[0].split(".")[-1]
        body.append('    check("%s", %s, %s, %s, %s, %s)' % (
            name, line, list(value.shape), number(row.sum().item()), number(weighted.item()), number(row.norm().item())))
        count += 1
    setup = "\n".join("    " + s for s in statements.splitlines())
    text = HEADER.format(name=path.stem, count=count)
    for first in range(0, len(body), 20):  # functions of a size that compiles quickly
        text += "def part%d() -> None:\n%s\n%s\n\n\n" % (len(parts), setup, "\n".join(body[first:first + 20]))
        parts.append("    part%d()" % len(parts))
    text += "def main():\n%s\n    print(%d, \"cases\")\n" % ("\n".join(parts), count)
    path.with_suffix(".py").write_text(text)
    print(path, count)


for argument in sys.argv[1:]:
    record(pathlib.Path(argument))
