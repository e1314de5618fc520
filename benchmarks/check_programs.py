#!/usr/bin/env python3
"""Check that each benchmark program gives under tsc-run what PyTorch gives with the same seed.

usage: check_programs.py BENCH_DIR [--tsc-run PATH] [--python PYTHON_WITH_TORCH] [CASE...]

With a Python that has torch the whole result is compared (torch.testing.assert_close's defaults). Tensors of floats that
differ by more, since sums are taken in another order, pass when they are as near to the result in double precision as
PyTorch's are. The last line is `N passed, N failed`.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

COMPARE = r"""
import importlib.util, json, sys, torch
case, folder, mine = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3]
spec = importlib.util.spec_from_file_location("case", folder + "/" + case["file"])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
torch.set_num_threads(1)
torch.manual_seed(0)
args = eval("(" + case["args"] + ",)", {"torch": torch})
expected = getattr(module, case["entry"])(*args)
def exact():
    return getattr(module, case["entry"])(*[a.double() if isinstance(a, torch.Tensor) and a.is_floating_point() else a
                                            for a in args])
found = torch.load(mine)
found = found["result"] if isinstance(found, dict) and "result" in found else found
def same(a, b, pick=lambda result: result):
    if isinstance(a, torch.Tensor):
        try:
            torch.testing.assert_close(b, a)
        except AssertionError:
            if not a.is_floating_point() or a.shape != b.shape or a.dtype != b.dtype or not a.isfinite().all():
                raise
            right = pick(exact())
            theirs, ours = ((x.double() - right).abs().max().item() for x in (a, b))
            if not ours <= 1.1 * theirs:
                raise
            print(f"(largest error against double precision: {ours:.3g}, PyTorch's {theirs:.3g})", end="")
    elif isinstance(a, (tuple, list)):
        assert len(a) == len(b), (len(a), len(b))
        for i, (x, y) in enumerate(zip(a, b)):
            same(x, y, lambda result, i=i: pick(result)[i])
    else:
        assert a == b, (a, b)
same(expected, found)
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", type=pathlib.Path)
    parser.add_argument("--tsc-run")
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    tool = options.tsc_run or next(map(str, pathlib.Path.cwd().glob("build*/**/bin/tsc-run")), None) or shutil.which("tsc-run")
    if not tool:
        sys.exit("no tsc-run")
    folder = options.bench / "cases"
    passed = failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for case in json.loads((options.bench / "cases.json").read_text()):
            if options.cases and case["name"] not in options.cases:
                continue
            result = f"{scratch}/{case['name']}.pt"
            run = subprocess.run([tool, "--seed", "0", "--entry", case["entry"], "--args", case["args"], "--output", result,
                                  str(folder / case["file"])], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            why, note = run.stderr.strip()[-600:] if run.returncode else "", ""
            if not run.returncode:
                compare = subprocess.run([options.python, "-c", COMPARE, json.dumps(case), str(folder), result],
                                         capture_output=True, text=True)
                why, note = compare.stderr.strip()[-600:] if compare.returncode else "", compare.stdout
            passed, failed = passed + (not why), failed + bool(why)
            print(f"{case['name']:18} {'FAILED' if why else 'ok'} {why or note}", flush=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


main()
