#!/usr/bin/env python3
"""Run every test of a build and count them: the Catch2 programs case by case, the lit suite test by test, the
programs outside the tree that use the package, random programs and expressions, and, where ../shared/corpus is, the recorded cases that
passed before.

usage: run_tests.py BUILD_DIR [--shipped BUILD_DIR]

With --shipped, the programs outside the tree use that build, and it is tried in short: the lit tests of what a build as
shipped is for (SMOKE), and some of the recorded cases. A build with a sanitizer runs fewer random programs and some of the
recorded cases, and programs outside the tree, which know no sanitizer, do not use it.

The last line is `N passed, N failed`.
"""
import argparse
import concurrent.futures
import contextlib
import html
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

LONGEST_PROGRAM = 900  # seconds, of which they take some tens
RANDOM_PROGRAMS = 1000  # the same ones each time, in about a minute
SANITIZED_PROGRAMS = 100
RANDOM_EXPRESSIONS = 2000
SANITIZED_EXPRESSIONS = 200
RANDOM_GRADIENTS = 60
SANITIZED_GRADIENTS = 5
SOME_CASES = 200  # of thousands that were recorded
# What is to be seen of a shipped build: that the README is true, archives load, levels and tiers agree, sections that the
# linker dropped or folded were not needed, and kernels are compiled for the processor at hand.
SMOKE = ["CAPI", "Docs", "FuserCPU", "Support", "tsc-opt", "tsc-reduce", "tsc-run"]
CAPTURED = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "errors": "replace"}
SOURCE = pathlib.Path(__file__).resolve().parent.parent


def run_catch(program, scratch):
    """The passed and failed test cases of one Catch2 program, and what it printed; dying or hanging is a failed case."""
    report = pathlib.Path(scratch) / f"{program.name}.xml"
    try:
        run = subprocess.run([program, "-r", "xml", "-o", report], cwd=scratch, timeout=LONGEST_PROGRAM, **CAPTURED)
    except subprocess.TimeoutExpired:
        written = report.read_text() if report.exists() else ""
        case = (re.findall(r'<TestCase name="([^"]*)"', written) or ["no test case"])[-1]
        told = f"{program.name}: no end after {LONGEST_PROGRAM} s, in '{html.unescape(case)}'\n"
        return written.count('<OverallResult success="true"'), 1 + written.count('<OverallResult success="false"'), told
    try:
        total = xml.etree.ElementTree.parse(report).getroot().find("OverallResultsCases")
        passed, failed = int(total.get("successes")), int(total.get("failures"))
    except (xml.etree.ElementTree.ParseError, AttributeError, OSError):
        passed, failed = 0, 1
    if run.returncode == 0:
        return passed, failed, run.stdout
    told = run.stdout
    with contextlib.suppress(subprocess.TimeoutExpired):
        told += subprocess.run([program], cwd=scratch, timeout=LONGEST_PROGRAM, **CAPTURED).stdout  # again, for people to read
    return passed, max(failed, 1), told


def cached(build, name):
    """What CMake's cache holds for `name`; empty when it holds nothing."""
    lines = (build / "CMakeCache.txt").read_text().splitlines()
    return next((line.partition("=")[2] for line in lines if line.startswith(name + ":")), "")


def run_lit(build, scratch, folders=("",)):
    report = pathlib.Path(scratch) / "lit.json"
    subprocess.run([sys.executable, cached(build, "TSC_LLVM_LIT"), "-sv", "--output", report,
                    *(build / "test" / folder for folder in folders)])
    try:
        codes = [test["code"] for test in json.loads(report.read_text())["tests"]]
    except (OSError, ValueError, KeyError):
        return 0, 1
    failed = sum(code in ("FAIL", "XPASS", "UNRESOLVED", "TIMEOUT") for code in codes)
    return sum(code in ("PASS", "FLAKYPASS", "XFAIL") for code in codes), failed


class Results:
    def __init__(self):
        self.passed = self.failed = 0

    def record(self, name, passed, failed, started, told=""):
        self.passed += passed
        self.failed += failed
        print(f"{told}{name:24} {passed:5} passed {failed:5} failed  {time.monotonic() - started:7.1f} s", flush=True)

    def record_command(self, name, command):
        """One test that is a command: passed when it exits with 0."""
        started = time.monotonic()
        code = subprocess.run(command, cwd=SOURCE).returncode
        self.record(name, code == 0, code != 0, started)


def run_all_catch(build, scratch, results):
    """The programs side by side, those that take longest first."""
    programs = [program for program in (build / "unittests").glob("*Tests") if program.is_file() and os.access(program, os.X_OK)]
    programs.sort(key=lambda program: -program.stat().st_size)
    started = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {pool.submit(run_catch, program, scratch): program.name for program in programs}
        for run in concurrent.futures.as_completed(runs):
            passed, failed, told = run.result()
            results.record(runs[run], passed, failed, started, told)


def run_corpus(build, results, *options):
    if (SOURCE.parent / "shared" / "corpus").is_dir():
        results.record_command("corpus", [sys.executable, SOURCE / "utils/check_corpus.py", build, *options])


def run_on_fake_gpu(build, results):
    """A sample of the recorded programs with --device cuda: kernels behind the shim, and everything on copies."""
    driver = build / "unittests/libtscFakeDriver.so"
    if not (SOURCE.parent / "shared" / "corpus").is_dir() or not driver.exists():
        return
    for kernels, limit in (("eager", "40"), ("off", "200")):
        results.record_command(f"recorded programs on the fake GPU, kernels {kernels}",
                               [sys.executable, SOURCE / "utils/check_cuda.py", build, "--driver", driver,
                                "--kernels", kernels, "--limit", limit])


def run_install(build, results):
    results.record_command("install", ["ctest", "--test-dir", build, "-R", "^install$", "--output-on-failure"])


def run_random_programs(build, count, results):
    results.record_command("random programs", [sys.executable, SOURCE / "utils/random_programs.py", "--tsc-run", build / "bin/tsc-run",
                                               "--count", str(count), "--keep", build / "random-programs"])


def run_random_expressions(build, count, results):
    results.record_command("random expressions", [sys.executable, SOURCE / "utils/random_expressions.py", "--tsc-run", build / "bin/tsc-run",
                                                  "--count", str(count), "--known", SOURCE / "test/known-expressions.txt"])


def run_random_gradients(build, count, results):
    results.record_command("random gradients", [sys.executable, SOURCE / "utils/random_gradients.py", "--tsc-run",
                                                build / "bin/tsc-run", "--count", str(count), "--keep", build / "random-gradients"])


def allow_large_frames():
    """Programs limit how deep they nest by what frames of a build as shipped take; a sanitizer's are several times as large."""
    _, hard = resource.getrlimit(resource.RLIMIT_STACK)
    wanted = 128 << 20
    resource.setrlimit(resource.RLIMIT_STACK, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def test(build, has_shipped, results):
    is_sanitized = cached(build, "TSC_SANITIZE") != ""
    if is_sanitized:
        allow_large_frames()
    with tempfile.TemporaryDirectory() as scratch:
        run_all_catch(build, scratch, results)
        started = time.monotonic()
        results.record("lit", *run_lit(build, scratch), started)
    if not is_sanitized and not has_shipped:
        run_install(build, results)
    run_random_programs(build, SANITIZED_PROGRAMS if is_sanitized else RANDOM_PROGRAMS, results)
    run_random_expressions(build, SANITIZED_EXPRESSIONS if is_sanitized else RANDOM_EXPRESSIONS, results)
    run_random_gradients(build, SANITIZED_GRADIENTS if is_sanitized else RANDOM_GRADIENTS, results)
    run_corpus(build, results, *(["--limit", str(SOME_CASES)] if is_sanitized else []))
    if not is_sanitized:
        run_on_fake_gpu(build, results)


def smoke_test(build, results):
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        results.record("lit, as shipped", *run_lit(build, scratch, SMOKE), started)
    run_install(build, results)
    run_corpus(build, results, "--limit", str(SOME_CASES))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--shipped", type=pathlib.Path)
    options = parser.parse_args()
    results = Results()
    test(options.build.resolve(), options.shipped is not None, results)
    if options.shipped:
        smoke_test(options.shipped.resolve(), results)
    print(f"{results.passed} passed, {results.failed} failed")
    sys.exit(results.failed != 0)


main()
