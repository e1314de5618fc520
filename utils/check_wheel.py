#!/usr/bin/env python3
"""Tries the wheel of the Python package (utils/make_wheel.py) in clean environments of each Python that this system has.

usage: check_wheel.py WHEEL [--python INTERPRETER]... [--keep FOLDER] [--without-pypi]

Of the wheel: its size, the oldest system that it says it runs on, and what its extensions export. In each environment: the
package's tests, the time to import it, a million calls without growing memory, references, eight threads, loading beside
another thread, and importing it before and after torch, numba and onnxruntime in every order, as far as they are there: numba
and onnxruntime from PyPI (not with --without-pypi), torch where an interpreter has it. The last line is `N passed, N failed`.
"""
import argparse
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCE / "utils"))
import make_wheel

LARGEST_WHEEL = 26e6
NEWEST_GLIBC = (2, 35)
LONGEST_IMPORT = 20  # milliseconds
CALLS = 1_000_000
BESIDE = ("numba", "onnxruntime")
CAPTURED = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "errors": "replace"}


class Results:
    def __init__(self):
        self.passed = self.failed = 0

    def record(self, name, is_right, told=""):
        self.passed += is_right
        self.failed += not is_right
        print(f"{'passed' if is_right else 'FAILED'}  {name}{': ' + told if told else ''}", flush=True)

    def record_run(self, name, command, limit=900, may_skip_all=False, **options):
        started = time.monotonic()
        try:
            run = subprocess.run(command, timeout=limit, **CAPTURED, **options)
            told, is_right = run.stdout.strip(), run.returncode == 0
            if may_skip_all and "NO TESTS RAN (skipped=" in told:  # an error since Python 3.12
                is_right = True
            if run.returncode < 0:
                told += f" (ended by signal {-run.returncode})"
        except subprocess.TimeoutExpired:
            told, is_right = f"no end after {limit} s", False
        last = told.splitlines()[-1] if told else ""
        self.record(name, is_right, (last if is_right else told) or f"{time.monotonic() - started:.1f} s")


def check_file(wheel, results):
    """What can be said of the wheel without installing it."""
    size = wheel.stat().st_size
    results.record("size", size <= LARGEST_WHEEL, f"{size / 1e6:.1f} MB")
    tags = [tuple(map(int, pair)) for pair in re.findall(r"manylinux_(\d+)_(\d+)", wheel.name)]
    results.record("oldest system", bool(tags) and min(tags) <= NEWEST_GLIBC, wheel.name)
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(wheel) as archive:
            libraries = [name for name in archive.namelist() if name.endswith(".so")]
            archive.extractall(folder, libraries)
        for name in libraries:
            told = subprocess.run(["nm", "-D", "--defined-only", pathlib.Path(folder) / name], **CAPTURED).stdout
            exported = {line.split()[-1].split("@")[0] for line in told.splitlines() if line.split()}
            exported -= {symbol for symbol in exported if symbol.startswith("_DYNAMIC") or symbol == "tsc_1"}
            others = sorted(symbol for symbol in exported if not symbol.startswith("PyInit_"))
            limit = 0 if "_tsc." in name else None  # nanobind's part names what its C++ library throws
            is_right = limit is None and not any("llvm" in symbol or "tsc" in symbol for symbol in others) or not others
            results.record(f"exports of {name}", is_right, ", ".join(others[:5]) or "its initialization")


def make_environment(interpreter, folder, wheel, sees_system, packages):
    """Makes an environment with the wheel and packages of PyPI. Returns its interpreter and the packages that it has."""
    command = [interpreter, "-m", "venv", "--clear", folder] + ["--system-site-packages"] * sees_system
    subprocess.run(command, check=True)
    python = folder / "bin/python"
    pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    run = subprocess.run([*pip, "--no-index", "--no-deps", wheel], **CAPTURED)
    if run.returncode:
        return None, run.stdout
    had = []
    for package in packages:
        if subprocess.run([*pip, "--only-binary=:all:", package], **CAPTURED).returncode == 0:
            had.append(package.split("=")[0])
    return python, had


def has(python, module, environment):
    return subprocess.run([python, "-c", f"import {module}"], env=environment, **CAPTURED).returncode == 0


def check_tests(python, name, environment, results):
    tests = SOURCE / "bindings/python/tests"
    for file in sorted(tests.glob("test_*.py")):
        results.record_run(f"{name} {file.stem}", [python, "-m", "unittest", file.name], may_skip_all=True, cwd=tests,
                           env=environment)


def check_environment(python, name, modules, results, is_first):
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("PYTHONPATH", None)
    with tempfile.TemporaryDirectory() as elsewhere:
        def probe(what, *arguments):
            results.record_run(f"{name} {what}", [python, SOURCE / "utils/wheel_probes.py", what, *map(str, arguments)],
                               cwd=elsewhere, env=environment)

        subprocess.run([python, "-c", "import tsc, tsc.nn"], cwd=elsewhere, env={**environment, "PYTHONDONTWRITEBYTECODE": ""})
        probe("import", LONGEST_IMPORT)
        probe("calls", CALLS)
        probe("references")
        probe("threads", 2000)
        probe("loading")
        for order in itertools.permutations(["tsc", *modules]):
            probe("order", *order)
        results.record_run(f"{name} command", [python.parent / "tsc-run", "--version"], cwd=elsewhere, env=environment)
    check_tests(python, name, environment, results)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=pathlib.Path)
    parser.add_argument("--python", action="append")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--without-pypi", action="store_true")
    options = parser.parse_args()
    wheel = options.wheel.resolve()
    if not wheel.is_file():
        sys.exit(f"error: {options.wheel} is not there: make it with utils/make_wheel.py")
    results = Results()
    check_file(wheel, results)
    if options.python:
        found = {make_wheel.version_of(one): one for one in options.python}
    else:
        found = make_wheel.find_interpreters()
    work = options.keep or pathlib.Path(tempfile.mkdtemp())
    for version, interpreter in sorted(found.items()):
        name = "%d.%d" % version
        wanted = [] if options.without_pypi else ["numpy", *BESIDE]
        python, had = make_environment(interpreter, work / name, wheel, False, wanted)
        if python is None:
            results.record(f"{name} installation", False, had)
            continue
        results.record(f"{name} installation", True, f"beside {', '.join(had) or 'nothing'}")
        check_environment(python, name, [one for one in had if one in BESIDE], results, version == min(found))
    with_torch = next((one for one in [*found.values(), "/usr/bin/python3"] if has(one, "torch", None)), None)
    if with_torch is None:
        print("no interpreter has torch, beside which the wheel could be tried")
    else:
        python, had = make_environment(with_torch, work / "torch", wheel, True, [])
        if python is None:
            results.record("torch installation", False, had)
        else:
            check_environment(python, "with torch", ["torch", *(one for one in BESIDE if has(python, one, None))], results, False)
    if not options.keep:
        shutil.rmtree(work, ignore_errors=True)
    print(f"{results.passed} passed, {results.failed} failed")
    sys.exit(results.failed != 0)


if __name__ == "__main__":
    main()
