#!/usr/bin/env python3
"""Run every test of a build and count them: the Catch2 programs case by case, the lit suite test by test, the
programs outside the tree that use the package, random programs, and, where ../shared/corpus is, the recorded cases that
passed before.

usage: run_tests.py BUILD_DIR

The last line is `N passed, N failed`.
"""
import contextlib
import html
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

LONGEST_PROGRAM = 900  # seconds, of which they take some tens
RANDOM_PROGRAMS = "1000"  # the same ones each time, in about a minute
SOURCE = pathlib.Path(__file__).resolve().parent.parent


def run_catch(program, scratch):
    """The passed and failed test cases of one Catch2 program; one that dies or hangs counts as a failed case."""
    report = pathlib.Path(scratch) / f"{program.name}.xml"
    try:
        code = subprocess.run([program, "-r", "xml", "-o", report], cwd=scratch, timeout=LONGEST_PROGRAM).returncode
    except subprocess.TimeoutExpired:
        written = report.read_text() if report.exists() else ""
        case = (re.findall(r'<TestCase name="([^"]*)"', written) or ["no test case"])[-1]
        print(f"{program.name}: no end after {LONGEST_PROGRAM} s, in '{html.unescape(case)}'")
        return written.count('<OverallResult success="true"'), 1 + written.count('<OverallResult success="false"')
    try:
        total = xml.etree.ElementTree.parse(report).getroot().find("OverallResultsCases")
        passed, failed = int(total.get("successes")), int(total.get("failures"))
    except (xml.etree.ElementTree.ParseError, AttributeError, OSError):
        passed, failed = 0, 1
    if code != 0:
        failed = max(failed, 1)
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run([program], cwd=scratch, timeout=LONGEST_PROGRAM)  # again, for people to read
    return passed, failed


def run_lit(build, scratch):
    site = next((line for line in (build / "CMakeCache.txt").read_text().splitlines() if line.startswith("TSC_LLVM_LIT:")), "")
    report = pathlib.Path(scratch) / "lit.json"
    subprocess.run([sys.executable, site.partition("=")[2], "-sv", "--output", report, build / "test"])
    try:
        codes = [test["code"] for test in json.loads(report.read_text())["tests"]]
    except (OSError, ValueError, KeyError):
        return 0, 1
    failed = sum(code in ("FAIL", "XPASS", "UNRESOLVED", "TIMEOUT") for code in codes)
    return sum(code in ("PASS", "FLAKYPASS", "XFAIL") for code in codes), failed


def run_command(command):
    """One test that is a command: passed when it exits with 0."""
    return (1, 0) if subprocess.run(command, cwd=SOURCE).returncode == 0 else (0, 1)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    results = []

    def record(name, result):
        results.append(result)
        print(f"{name:24} {result[0]:5} passed {result[1]:5} failed", flush=True)

    with tempfile.TemporaryDirectory() as scratch:
        for program in sorted((build / "unittests").glob("*Tests")):
            if program.is_file() and os.access(program, os.X_OK):
                record(program.name, run_catch(program, scratch))
        record("lit", run_lit(build, scratch))
    record("install", run_command(["ctest", "--test-dir", build, "-R", "^install$", "--output-on-failure"]))
    tester = SOURCE / "utils/random_programs.py"
    record("random programs", run_command([sys.executable, tester, "--tsc-run", build / "bin/tsc-run", "--count", RANDOM_PROGRAMS,
                                           "--keep", build / "random-programs"]))
    if (SOURCE.parent / "shared" / "corpus").is_dir():
        record("corpus", run_command([sys.executable, SOURCE / "utils/check_corpus.py", build]))
    passed, failed = (sum(column) for column in zip(*results))
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


main()
