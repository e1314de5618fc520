#!/usr/bin/env python3
"""Writes a unit test of kernels from a list of calls, with the numbers that PyTorch gives.

A list (unittests/Kernels/[<Room>/]<Name>.cases) has lines `test name | C++ expression of a Tensor | Python expression`, and
`test name ! C++ expression of a Status | Python expression` where PyTorch raises. `# comment` lines are skipped,
`+ header` adds an include. Usage: utils/record_kernel_tests.py FOLDER/<Name>.cases > FOLDER/<Name>Test.cpp
"""
import sys
import warnings
import os
import torch
import torch.nn.functional as F

warnings.filterwarnings("ignore")


def ramp(sizes, seed=0, dtype=torch.float32):
    n = 1
    for s in sizes:
        n *= s
    values = [((i * 37 + seed * 11) % 23) / 8 - 1.25 for i in range(n)]
    if dtype.is_complex:
        values = [complex(v, ((i * 17 + seed) % 7) / 4) for i, v in enumerate(values)]
    return torch.tensor(values, dtype=dtype).reshape(sizes)


def bumps(sizes, seed=0, dtype=torch.float32):
    n = 1
    for s in sizes:
        n *= s
    values = [((i * i * 5 + i * 37 + seed * 11) % 29) / 8 - 1.5 for i in range(n)]
    if dtype.is_complex:
        values = [complex(v, ((i * 17 + seed) % 7) / 4) for i, v in enumerate(values)]
    return torch.tensor(values, dtype=dtype).reshape(sizes)


def indices(sizes, limit, seed=0):
    n = 1
    for s in sizes:
        n *= s
    return torch.tensor([(i * 7 + seed) % limit for i in range(n)], dtype=torch.int64).reshape(sizes)


def longs(*values):
    return torch.tensor(values, dtype=torch.int64)


def number(x):
    x = float(x)
    if x != x:
        return "NAN"
    if x in (float("inf"), float("-inf")):
        return "INFINITY" if x > 0 else "-INFINITY"
    return "%.7g" % x


def main():
    path = sys.argv[1]
    name = os.path.basename(path).split(".")[0]
    includes, tests = [], {}
    for line in open(path):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("+"):
            includes.append(line[1:].strip())
            continue
        raises = " ! " in line.split(" | ")[0]
        test, rest = line.split(" ! " if raises else " | ", 1)
        cpp, py = rest.split(" | ", 1)
        out = tests.setdefault(test.strip(), [])
        scope = dict(torch=torch, F=F, ramp=ramp, bumps=bumps, indices=indices, longs=longs, A=torch.ops.aten)
        try:
            result = eval(py, scope)
        except Exception as error:
            assert raises, (line, error)
            message = str(error).split("\nException raised")[0].replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
            out.append('  expectError(%s, "%s");' % (cpp, message))
            continue
        assert not raises, line
        result = result.detach().resolve_conj().contiguous()
        flat = torch.view_as_real(result) if result.is_complex() else result
        values = ", ".join(number(v) for v in flat.flatten().tolist())
        sizes = ", ".join(str(s) for s in result.shape)
        out.append("  expectTensor(%s, {%s},\n               {%s});" % (cpp, sizes, values))
    print("//===- %sTest.cpp - Recorded from PyTorch -------------------------------===//" % name)
    print("//\n// Written by utils/record_kernel_tests.py from %s.cases.\n//" % name)
    print("//===----------------------------------------------------------------------===//")
    is_in_room = os.path.basename(os.path.dirname(os.path.abspath(path))) != "Kernels"
    print('#include "%s"' % ("../KernelTest.h" if is_in_room else "KernelTest.h"))
    for include in includes:
        print('#include "%s"' % include)
    print("\nusing namespace tsc;\nusing namespace tsc::test;\n")
    for test, lines in tests.items():
        print('TEST_CASE("%s: %s") {' % (name, test))
        print("\n".join(lines))
        print("}\n")


main()
