#!/usr/bin/env python3
"""Runs the tests of a build and counts them: the Catch2 programs case by case, the lit suite test by test, the
programs outside the tree that use the package, random programs and expressions, and, where ../shared/corpus is, the recorded cases that
passed before.

usage: run_tests.py BUILD_DIR [--shipped BUILD_DIR] [--parts NAME,...] [--costs BUILD_DIR]...
       run_tests.py BUILD_DIR --quick [--since REV] [--changed FILE]... [--seconds N] [--dry-run] [--no-build]

With --shipped, the programs outside the tree use that build, and it is tried in short: the lit tests of what a build as
shipped is for (SMOKE), and some of the recorded cases. A build with a sanitizer runs fewer random programs and some of the
recorded cases, and programs outside the tree, which know no sanitizer, do not use it.

With --quick it builds what changed and runs those tests of it, and of what depends on it, that fit into the time
(choose_tests.py). How long each took and whether it failed is known from the last run. `utils/check --help` explains the options.

A part that cannot run, because a program is missing or for any other reason, counts as one failed test, and the next part runs.
The slowest tests are printed at the end, and files that took long to compile for each --costs. The last line is
`N passed, N failed`.
"""
import argparse
import collections
import collections.abc
import concurrent.futures
import contextlib
import dataclasses
import html
import json
import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import time
import traceback
import xml.etree.ElementTree

import choose_tests
from choose_tests import CAPTURED, CHANGED, LONGEST_CHUNK, SOURCE, cached, changed_since, duration, git, link_inputs, usage_error

LONGEST_PROGRAM = 900  # seconds, of which they take some tens
EMULATED = 8  # times as long a program may take in an emulator
NO_TESTS_RAN = 5  # what Python's unittest exits with where none ran, since 3.12
WITH_FOREIGN_THREADS = "torch|_ray$|notebooks"  # the tests of the Python package whose other libraries start threads
SOME_CASES = 200  # of thousands that were recorded
SLOWEST = 10
SLOW_FILE = 25  # seconds
# What is to be seen of a shipped build: that the README is true, archives load, levels and tiers agree, sections that the
# linker dropped or folded were not needed, and kernels are compiled for the processor at hand.
SMOKE = ["CAPI", "CodeGen", "Docs", "Engine", "FuserCPU", "Fusion", "Kernels", "Runtime", "Support", "tsc-opt", "tsc-reduce", "tsc-run"]


class CannotRun(Exception):
    """Raised by a part that finds nothing to test, or cannot ask. Its text is a sentence for the user."""


def run_catch(program, scratch, names=None, limit=LONGEST_PROGRAM):
    """Runs a Catch2 program, or those of its cases that have one of `names`, for at most `limit` seconds. Returns how many
    passed and failed, what it printed, and [name, seconds, file, whether it passed] of each case; dying or hanging is a failed
    case."""
    scratch = pathlib.Path(tempfile.mkdtemp(dir=scratch))
    report, command = scratch / "report.xml", [program]
    if names is not None:
        (scratch / "names").write_text("".join(re.sub(r'([\\,\["])', r"\\\1", name) + "\n" for name in names))
        command += ["-f", scratch / "names"]
    try:
        run = subprocess.run([*command, "-r", "xml", "-d", "yes", "-o", report], cwd=scratch, timeout=limit, **CAPTURED)
    except subprocess.TimeoutExpired:
        cases = read_cases(report)
        name = cases[-1][0] if cases else "no test case"
        passed = sum(case[3] for case in cases)
        told = f"{program.name}: no end after {limit:.0f} s, in '{name}'\n"
        return passed, max(len(cases) - passed, 1), told, cases
    except OSError as error:
        return 0, 1, f"{program.name}: cannot be started: {error.strerror}\n", []
    cases = read_cases(report)
    try:
        total = xml.etree.ElementTree.parse(report).getroot().find("OverallResultsCases")
        passed, failed = int(total.get("successes")), int(total.get("failures"))
    except (xml.etree.ElementTree.ParseError, AttributeError, OSError):
        passed, failed = 0, 1
    if run.returncode == 0:
        return passed, failed, run.stdout, cases
    # A second run is for people to read; where it passes, the names of what failed are all there is of the first.
    told = "".join(f"{program.name}: failed: {name}\n" for name, *_, isRight in cases if not isRight) + run.stdout
    with contextlib.suppress(subprocess.TimeoutExpired):
        told += subprocess.run(command, cwd=scratch, timeout=limit, **CAPTURED).stdout
    return passed, max(failed, 1), told, cases


def read_cases(report):
    """The cases of a report, which may end where its program died."""
    cases = []
    for part in report.read_text(errors="replace").split("<TestCase ")[1:] if report.exists() else []:
        name, file = re.search(r'name="([^"]*)"', part), re.search(r'filename="([^"]*)"', part)
        end = re.search(r'<OverallResult success="(\w+)" durationInSeconds="([^"]*)"', part)
        if name:
            cases.append([html.unescape(name[1]), float(end[2]) if end else 0.0, file[1] if file else "",
                          end is not None and end[1] == "true"])
    return cases


def write_record(build, runs, is_whole):
    """Adds what ran to the record. Cases that a whole run lacks are there no more."""
    record = choose_tests.read_record(build)
    for program, cases in runs.items():
        there = [] if is_whole else choose_tests.list_cases(build / "unittests" / program) or []
        known = {} if is_whole else {**{name: [None, "", True] for name in there}, **record.get(program, {})}
        record[program] = {**known, **{name: rest for name, *rest in cases}}
    with contextlib.suppress(OSError):  # the next --quick knows less
        choose_tests.case_record(build).write_text(json.dumps(record))


def run_lit(build, scratch, results, tests=("",), options=()):
    """Runs tests and folders of the suite. Returns how many passed and how many failed."""
    report = pathlib.Path(scratch) / "lit.json"
    report.unlink(missing_ok=True)  # an earlier run's, where this one dies
    subprocess.run([sys.executable, cached(build, "TSC_LLVM_LIT"), "-sv", "--output", report, *options,
                    *(build / "test" / test for test in tests)])
    try:
        ran = json.loads(report.read_text())["tests"]
    except (OSError, ValueError, KeyError):
        return 0, 1
    results.times += [(test["elapsed"] or 0.0, test["name"].removeprefix("tsc :: ")) for test in ran]
    count = collections.Counter(test["code"] for test in ran)
    return (count["PASS"] + count["FLAKYPASS"] + count["XFAIL"],
            count["FAIL"] + count["XPASS"] + count["UNRESOLVED"] + count["TIMEOUT"])


class Results:
    def __init__(self):
        self.passed = self.failed = 0
        self.times = []  # seconds and name of each test

    def record(self, name, passed, failed, started, told=""):
        self.passed += passed
        self.failed += failed
        print(f"{told}{name:24} {passed:5} passed {failed:5} failed  {time.monotonic() - started:7.1f} s", flush=True)

    def record_command(self, name, *command):
        """One test that is a command: passed when it exits with 0."""
        started = time.monotonic()
        code = subprocess.run(command, cwd=SOURCE).returncode
        self.record(name, code == 0, code != 0, started)

    def record_script(self, name, script, *arguments):
        """One test that is a script of utils/."""
        self.record_command(name, sys.executable, SOURCE / "utils" / script, *arguments)

    def print_slowest(self):
        slowest = sorted(self.times, reverse=True)[:SLOWEST]
        if slowest:
            print("the slowest tests:")
        for seconds, name in slowest:
            print(f"{seconds:8.1f} s  {name}")


def is_emulated(build):
    """Whether the build is for another processor, so that scripts in its folder `emulated` run its programs."""
    return (build / "emulated").is_dir()


def unit_programs(build):
    folder = build / "emulated" if is_emulated(build) else build
    return [program for program in sorted((folder / "unittests").glob("*Tests")) if program.is_file() and os.access(program, os.X_OK)]


def shards(program):
    """The names of a program's cases in groups that may run side by side, for each processor two, so that none waits for the longest
    program. Cases that follow one another often take equally long: each goes to the next group. [None], which means all cases,
    where the program does not tell them."""
    cases = choose_tests.list_cases(program)
    count = min(len(cases or ()), 2 * os.cpu_count())
    return [cases[first::count] for first in range(count)] or [None]


def record_program(name, parts, started, results):
    """Records a program as one, of which run_catch() ran these parts. Returns its cases."""
    passed, failed, told, cases = zip(*parts)
    cases = [case for part in cases for case in part]
    results.record(name, sum(passed), sum(failed), started, "".join(told) if any(failed) else "")
    results.times += [(seconds, f"{name}: {case}") for case, seconds, *_ in cases]
    return cases


def run_all_catch(build, scratch, results):
    """The programs side by side, those that take longest first."""
    programs = sorted(unit_programs(build), key=lambda program: -program.stat().st_size)
    if not programs:
        sanitizer = {"asan": "--sanitize=address ", "tsan": "--sanitize=thread ", "aarch64": "--target=aarch64 "}.get(build.name, "")
        raise CannotRun(f"there are no test programs in {build}/unittests: build them, with `utils/check {sanitizer}unit`")
    started, ran = time.monotonic(), {}
    limit = LONGEST_PROGRAM * (EMULATED if is_emulated(build) else 1)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {program.name: [pool.submit(run_catch, program, scratch, names, limit) for names in shards(program)] for program in programs}
        for name, parts in runs.items():
            ran[name] = record_program(name, [part.result() for part in parts], started, results)
    write_record(build, ran, is_whole=True)


def has_corpus(part):
    if (SOURCE.parent / "shared" / "corpus").is_dir():
        return True
    print(f"{part}: left out, as ../shared/corpus is not there")
    return False


def run_corpus(build, results, is_short):
    if has_corpus("corpus"):
        results.record_script("corpus", "check_corpus.py", build, *(["--limit", str(SOME_CASES)] if is_short else []))


def run_on_fake_gpu(build, results, _):
    """A sample of the recorded programs with --device cuda: kernels behind the shim, and everything on copies."""
    driver = build / "unittests/libtscFakeDriver.so"
    if not driver.exists():
        print(f"gpu: left out, as {driver} is not built")
        return
    if not has_corpus("gpu"):
        return
    for kernels, limit in (("eager", "40"), ("off", "200")):
        results.record_script(f"recorded programs on the fake GPU, kernels {kernels}", "check_cuda.py", build, "--driver", driver,
                              "--kernels", kernels, "--limit", limit)


def run_unittest(python, file, package, variables):
    """Runs a file of Python's unittest with the package. Returns how many passed and failed, what it printed, and the seconds."""
    started = time.monotonic()
    environment = {**os.environ, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1", **variables}
    try:
        run = subprocess.run([python, "-m", "unittest", file.name], cwd=file.parent, env=environment, timeout=LONGEST_PROGRAM, **CAPTURED)
    except (OSError, subprocess.TimeoutExpired) as error:
        return 0, 1, f"{file.name}: {error}\n", time.monotonic() - started
    seconds = time.monotonic() - started
    count = re.search(r"^Ran (\d+) tests? in .*\n\n(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$", run.stdout, re.M)
    if not count:  # it ended before the last test did
        return 0, 1, f"{file.name}: ended with {run.returncode}\n{run.stdout}", seconds
    others = {kind: int(number) for kind, number in re.findall(r"([a-z ]+)=(\d+)", count[2] or "")}
    failed = sum(others.get(kind, 0) for kind in ("failures", "errors", "unexpected successes"))
    passed = max(int(count[1]) - others.get("skipped", 0) - failed, 0)
    if failed == 0 and run.returncode not in (0, NO_TESTS_RAN):  # it died behind the tests, or a sanitizer has something to say
        failed = 1
    return passed, failed, run.stdout if failed else "", seconds


def python_with_torch(python):
    """An interpreter of the same version that has torch, or None: the one that the environment was made with, or the system's."""
    code = "import sys; print(sys.version_info[:2], sys._base_executable)"
    told = subprocess.run([python, "-c", code], check=True, **CAPTURED).stdout
    version, base = told.strip().rsplit(" ", 1)
    for candidate in (base, "/usr/bin/python3"):
        with contextlib.suppress(OSError):
            run = subprocess.run([candidate, "-c", f"import numpy, torch; {code}"], **CAPTURED)
            if run.returncode == 0 and run.stdout.startswith(version):
                return candidate
    return None


def sanitizer_variables(build, python):
    """What the environment of an interpreter has to say, so that it runs an extension with the sanitizer of threads. One without
    the sanitizer is not watched, only its calls of the C library, and its lock orders most of what happens.
    """
    options = {"TSAN_OPTIONS": "die_after_fork=0:" + os.environ.get("TSAN_OPTIONS", "")}  # tests fork, with threads around
    code = "import sysconfig; print(sysconfig.get_config_var('CONFIG_ARGS'))"
    if "--with-thread-sanitizer" in subprocess.run([python, "-c", code], env={**os.environ, **options}, **CAPTURED).stdout:
        return options
    compiler = cached(build, "CMAKE_CXX_COMPILER")
    name = f"libclang_rt.tsan-{os.uname().machine}.so"
    library = subprocess.run([compiler, f"-print-file-name={name}"], **CAPTURED).stdout.strip()
    if not os.path.isfile(library):
        raise CannotRun(f"{compiler} has no {name}: install Debian's package libclang-rt-19-dev")
    return {**options, "LD_PRELOAD": library}


def run_python(build, results, is_sanitized):
    """The tests of the Python package, file by file; those that are named for torch where an interpreter has it. With the
    sanitizer of threads those that need no other library with threads of its own, which it does not see into."""
    package = build / "python"
    python = cached(build, "Python_EXECUTABLE") or cached(build, "_Python_EXECUTABLE")
    if cached(build, "TSC_BUILD_PYTHON") != "ON" or not (package / "tsc/__init__.py").is_file():
        print(f"python: left out, as {package} is not built")
        return
    started = time.monotonic()
    is_sanitized = is_sanitized and cached(build, "TSC_SANITIZE") == "thread"
    variables = sanitizer_variables(build, python) if is_sanitized else {}
    files = [(file, python) for file in sorted((SOURCE / "bindings/python/tests").glob("test_*.py"))
             if not is_sanitized or not re.search(WITH_FOREIGN_THREADS, file.stem)]
    with_torch = None if is_sanitized else python_with_torch(python)
    if with_torch is None and not is_sanitized:
        print("python: no interpreter of this version has torch, so that tests that need it are skipped")
    files = [(file, with_torch or python) if "torch" in file.stem else (file, python) for file, python in files]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = list(pool.map(lambda one: run_unittest(one[1], one[0], package, variables), files))
    passed, failed, told, seconds = zip(*runs)
    results.record("python", sum(passed), sum(failed), started, "".join(told))
    results.times += [(time, f"python: {file.stem}") for time, (file, _) in zip(seconds, files)]


def run_install(build, results, _):
    results.record_command("install", "ctest", "--test-dir", build, "-R", "^install$", "--no-tests=error", "--output-on-failure")


def run_tidy(build, results, _):
    results.record_script("tidy", "check_tidy.py", build)


def run_cluster(build, results, _):
    """The tests of serving and of batch work, by the Python that the package is built for: what it lacks is skipped."""
    python = cached(build, "Python_EXECUTABLE") or cached(build, "_Python_EXECUTABLE") or sys.executable
    results.record_command("cluster", python, SOURCE / "utils/check_cluster.py", "--build", build)


def run_published_hosts(build, results, _):
    results.record_script("hosts", "check_published_hosts.py", build)


def run_packages(_, results, __):
    results.record_script("packages", "check_packages.py", "--twice")


def random_tests(what, count, count_if_short, option, file):
    """Returns the function that runs utils/random_WHAT.py, which tries the same things each time. The file that the option
    takes is one of {build} or of {source}."""
    def run(build, results, is_short):
        results.record_script(f"random {what}", f"random_{what}.py", "--tsc-run", build / "bin/tsc-run",
                              "--count", str(count_if_short if is_short else count), option, file.format(build=build, source=SOURCE))
    return run


def allow_large_frames():
    """Programs limit how deep they nest by what frames of a build as shipped take; a sanitizer's are several times as large."""
    _, hard = resource.getrlimit(resource.RLIMIT_STACK)
    wanted = 128 << 20
    resource.setrlimit(resource.RLIMIT_STACK, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def run_unit(build, results, _):
    with tempfile.TemporaryDirectory() as scratch:
        run_all_catch(build, scratch, results)


def run_lit_part(build, results, _, name="lit", folders=("",)):
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        results.record(name, *run_lit(build, scratch, results, folders), started)


def run_shipped(build, results, _):
    run_lit_part(build, results, False, "lit, as shipped", SMOKE)
    run_corpus(build, results, is_short=True)


# What utils/quickstart builds has no libraries for GPUs, for which lib/FuserCUDA/WithoutCuda.cpp stands; and every preset but
# this check's reads precompiled headers, so that a file may use what it does not include. The part quick-build looks for both
# without building anything: a sixteenth of the files, another one by each commit, are parsed without precompiled headers, with all
# that changed last; and what tsc-run takes from these libraries must be defined in the one file. Headers that tsc-tblgen writes are
# those of the other build. It joins sources into units, too (tsc_join_sources of cmake/TscLibrary.cmake), where two may use one
# name for different things: units with what changed last, and a sixteenth of the others, are parsed as the other build
# compiles the first of their sources, which has the headers precompiled.
PARTS_OF_FILES = 16
MOST_UNITS = 16
WITHOUT_CUDA = "lib/FuserCUDA/WithoutCuda.cpp"
OF_CUDA = [f"lib/{name}/libtsc{name}.a" for name in ("DeviceCUDA", "KernelsCUDA", "FuserCUDA")]


def told_by(file, run):
    """What a compiler printed that failed. One that a signal ended may have printed nothing."""
    if run.returncode >= 0:
        return run.stdout or f"{file}: error: the compiler failed with status {run.returncode}\n"
    return f"{run.stdout}{file}: error: signal {-run.returncode} ended the compiler\n"


def compile_command(entry, build, folder):
    """The words of one entry of compile_commands.json, without a cache, and with the headers that `build` generated."""
    words = shlex.split(entry["command"].replace(str(folder / "include"), str(build / "include")))
    while words and not re.search(r"clang(\+\+)?(-\d+)?$", words[0]):
        words.pop(0)  # the cache
    if not words:
        raise CannotRun(f"the preset quick compiles {entry['file']} with another compiler than clang: configure it with clang")
    return words


def without_precompiled(words):
    """The words of a compilation but for the headers that it reads precompiled."""
    kept = list(words)
    for option in ("-include-pch", "-include"):
        while option in kept:  # -Xclang OPTION -Xclang FILE
            at = kept.index(option)
            del kept[at - 1:at + 3]
    return kept


def commands_of_bindings(build):
    """File -> what the extension of Python is compiled with, which is not a part of the preset quick, without precompiled headers."""
    database = build / "compile_commands.json"
    entries = json.loads(database.read_text()) if database.is_file() else []
    return {entry["file"]: without_precompiled(compile_command(entry, build, build)) for entry in entries
            if entry["file"].startswith(f"{SOURCE}/bindings/")}


def commands_of_quick(build, folder):
    """What the preset quick compiles: file -> the words of its compilation, and unit -> the sources that it includes."""
    commands, units = {}, {}
    for entry in json.loads((folder / "compile_commands.json").read_text()):
        file, command = entry["file"], compile_command(entry, build, folder)
        if file.startswith(f"{folder}/") and pathlib.Path(file).parent.name == "joined":
            units[file] = re.findall(r'^#include "(.*)"$', pathlib.Path(file).read_text(), re.MULTILINE)
        for source in units.get(file, [file]):
            commands[source] = [source if word == file else word for word in command]
    return commands, units


def parsed_only(command):
    """A compilation that finds errors and writes nothing."""
    at = command.index("-o")
    return ["-fsyntax-only" if word == "-c" else word for word in command[:at] + command[at + 2:]]


def latest_files():
    return {str(SOURCE / name) for name in changed_since("HEAD~1") or []}


def part_of_files():
    return int((git("rev-parse", "HEAD") or "0").strip(), 16) % PARTS_OF_FILES


def parse_alone(build, folder, commands, results):
    """Parses a sixteenth of the files as they stand, without precompiled headers, and compiles WithoutCuda.cpp."""
    started = time.monotonic()
    without_cuda = str(SOURCE / WITHOUT_CUDA)
    if without_cuda not in commands:
        raise CannotRun(f"the preset quick does not compile {WITHOUT_CUDA}")
    if any("-include-pch" in command for command in commands.values()):
        raise CannotRun(f"{folder} has precompiled headers, so that nothing is checked: remove the folder")
    commands = commands | commands_of_bindings(build)
    folders = tuple(f"{SOURCE}/{name}/" for name in ("bindings", "lib", "tools"))
    files = sorted(file for file in commands if file.startswith(folders) and file != without_cuda)
    latest, part = latest_files(), part_of_files()
    chosen = [file for n, file in enumerate(files) if n % PARTS_OF_FILES == part or file in latest]

    def compile_one(file):
        command = commands[file] if file == without_cuda else parsed_only(commands[file])
        return file, subprocess.run(command, cwd=folder, **CAPTURED)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = list(pool.map(compile_one, [*chosen, without_cuda]))
    print(f"quick-build: {len(chosen)} of {len(files)} files, and {WITHOUT_CUDA}")
    failed = [told_by(file, run) for file, run in runs if run.returncode]
    results.record("quick-build: files", not failed, len(failed), started, "".join(failed))
    return not failed


def parse_units(build, folder, commands, units, results):
    """Parses units that hold what changed last, and a sixteenth of the others: names of their sources may clash."""
    started = time.monotonic()
    latest, part = latest_files(), part_of_files()
    wanted = [unit for unit in sorted(units) if latest.intersection(units[unit])]
    wanted += [unit for n, unit in enumerate(sorted(units)) if n % PARTS_OF_FILES == part and unit not in wanted]
    chosen = wanted[:MOST_UNITS]
    database = build / "compile_commands.json"
    of_build = {entry["file"]: entry for entry in (json.loads(database.read_text()) if database.is_file() else [])}

    def parse_one(unit, scratch):
        first = units[unit][0].replace(str(folder), str(build))
        command = compile_command(of_build[first], build, build) if first in of_build else commands[units[unit][0]]
        if "-include-pch" in command and not pathlib.Path(command[command.index("-include-pch") + 2]).exists():
            command = without_precompiled(command)
        copy = pathlib.Path(scratch, pathlib.Path(unit).name)  # what tsc-tblgen writes is in the other build
        copy.write_text(pathlib.Path(unit).read_text().replace(str(folder), str(build)))
        words = [str(copy) if word in (first, units[unit][0]) else word for word in parsed_only(command)]
        return copy.name, subprocess.run(words, cwd=build, **CAPTURED)

    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = list(pool.map(parse_one, chosen, [scratch] * len(chosen)))
    print(f"quick-build: {len(chosen)} of {len(units)} units" + f", {len(wanted) - len(chosen)} left out" * (chosen != wanted))
    failed = [told_by(unit, run) for unit, run in runs if run.returncode]
    results.record("quick-build: units", not failed, len(failed), started, "".join(failed))


def symbols(nm, options, files):
    """The last word of each line of nm."""
    run = subprocess.run([nm, *options, *files], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode:
        raise CannotRun(f"{nm} ended with exit status {run.returncode}" + f": {run.stderr.strip()}" * (run.stderr != ""))
    return {line.split()[-1] for line in run.stdout.splitlines() if line and not line.endswith(":")}


def link_without_cuda(build, folder, results):
    """Whether WithoutCuda.cpp defines all that the files of tsc-run take from the libraries for GPUs."""
    started = time.monotonic()
    nm = cached(build, "CMAKE_NM")
    linked = [build / file for file in link_inputs(build).get("bin/tsc-run", ())
              if re.search(r"\.[oa]$", file) and file not in OF_CUDA]
    if not linked:
        raise CannotRun(f"{build}/build.ninja does not say from what bin/tsc-run is linked: build it, with `utils/check quick-build`")
    words = next(shlex.split(entry["command"]) for entry in json.loads((folder / "compile_commands.json").read_text())
                 if entry["file"] == str(SOURCE / WITHOUT_CUDA))
    stand_in = folder / words[words.index("-o") + 1]
    defined = ["--defined-only", "--extern-only"]
    wanted = symbols(nm, ["--undefined-only"], linked) - symbols(nm, defined, linked)
    missing = (wanted & symbols(nm, defined, [build / file for file in OF_CUDA])) - symbols(nm, defined, [stand_in])
    told = "".join(f"{WITHOUT_CUDA}: error: does not define {name}, which a build with TSC_CUDA=OFF needs\n" for name in sorted(missing))
    results.record("quick-build: symbols", not told, bool(told), started, told)


def check_quick_build(build, results, _):
    folder = build.parent / "quick-check"
    configure = ["cmake", "--preset", "quick", "-B", folder, "-DTSC_PRECOMPILED_HEADERS=OFF"]
    run = subprocess.run(configure, cwd=SOURCE, **CAPTURED)
    if run.returncode:
        results.record("quick-build: configuring", 0, 1, time.monotonic(), run.stdout)
        return
    commands, units = commands_of_quick(build, folder)
    is_parsed = parse_alone(build, folder, commands, results)
    if units:
        parse_units(build, folder, commands, units, results)
    if is_parsed:
        link_without_cuda(build, folder, results)


def batches(tests, seconds):
    """Yields the tests in groups that took at most so long together. One that took longer is alone."""
    batch, total = [], 0
    for test in tests:
        if batch and total + test.seconds > seconds:
            yield batch
            batch, total = [], 0
        batch.append(test)
        total += test.seconds
    if batch:
        yield batch


def run_chosen_cases(build, chosen, deadline, limit, scratch, results):
    """Runs cases of several programs side by side, each process for some seconds. One that takes longer than `limit`, and than
    four times what its cases took last time, hangs. Returns how many cases did not begin."""
    by_program = collections.defaultdict(list)
    for test in chosen:
        by_program[test.group].append(test)
    chunks = []
    for program, tests in by_program.items():
        if not all(test.name for test in tests):  # built just now: what it has is not known
            chunks.append((program, None, max(limit, deadline - time.monotonic())))
            continue
        for part in batches(tests, LONGEST_CHUNK):
            chunks.append((program, [test.name for test in part], max(limit, 4 * sum(test.seconds for test in part))))

    def run(chunk):
        program, names, longest = chunk
        return run_catch(build / "unittests" / program, scratch, names, longest) if time.monotonic() < deadline else None

    started, not_begun, runs = time.monotonic(), 0, collections.defaultdict(list)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (program, names, _), ran in zip(chunks, pool.map(run, chunks)):
            if ran is None:
                not_begun += len(names or [""])
                continue
            if names is not None and len(ran[3]) < len(names) and not ran[1]:
                ran = (ran[0], 1, f"{program}: {len(names) - len(ran[3])} of its cases did not run\n" + ran[2], ran[3])
            runs[program].append(ran)
    cases = {program: record_program(program, parts, started, results) for program, parts in sorted(runs.items())}
    write_record(build, cases, is_whole=False)
    return not_begun


def run_chosen_lit(build, chosen, name, deadline, scratch, results):
    """Runs lit tests in batches of some seconds, so that those that ran are known when the time is over (lit's own limit forgets
    them). Returns how many it did not begin."""
    started, passed, failed, begun = time.monotonic(), 0, 0, 0
    for batch in batches(chosen, choose_tests.BATCH * os.cpu_count()):
        if time.monotonic() >= deadline:
            break
        more = run_lit(build, scratch, results, [test.name for test in batch], ["--order=smart"])
        passed, failed, begun = passed + more[0], failed + more[1], begun + len(batch)
    if begun:
        results.record(name, passed, failed, started)
    return len(chosen) - begun


def build_targets(build, tests, started, options):
    """Builds what the tests use, or says how much that is."""
    targets = sorted(set().union(*(test.programs for test in tests)))
    print(f"== building {' '.join(os.path.basename(target) for target in targets) or 'nothing'}", flush=True)
    if not targets:
        return
    count, seconds = choose_tests.estimate_build(build, targets)
    if count:
        print(f"about {count} file{'s' * (count != 1)} to compile, {duration(seconds)} by the last build"
              + (": tests begin when the time is over" if seconds > options.seconds else ""), flush=True)
    if not options.dry_run:
        status = subprocess.run([sys.executable, SOURCE / "utils/build_progress.py", "-C", build, *targets]).returncode
        if status:
            sys.exit(f"error: the build failed after {duration(time.monotonic() - started)}; no test ran")


def quick(build, options, results):
    """Builds what changed and runs the tests of it that fit into the time."""
    started = time.monotonic()
    if not (build / "build.ninja").is_file():
        usage_error(f"{options.build} is not configured: run `utils/check build`, or --quick without --dry-run and --no-build")
    if options.changed:
        files, since = choose_tests.files_named(options.changed), "named by --changed"
    else:
        files, since = choose_tests.find_changed(options.since)
    change, tests = choose_tests.find_tests(build, files)
    what = sorted(change.libraries | change.tools | {f"{name}Tests" for name in change.unit})
    print(f"== {since}: {len(files)} changed file{'s' * (len(files) != 1)}" + (f", of {', '.join(what)}" if what else ""))
    if not tests:
        print("no test has to do with that" if files else "nothing changed: --since REV compares with another revision")
        return
    if not options.no_build:
        build_targets(build, tests, started, options)
        if not options.dry_run:
            tests = choose_tests.find_tests(build, files)[1]  # programs that were not built have told no cases
    seconds = max(options.seconds - (time.monotonic() - started), min(choose_tests.LEAST_SECONDS, options.seconds))
    print(f"== tests, in {duration(seconds)}", flush=True)
    chosen, left = choose_tests.choose(tests, choose_tests.TEST_MARGIN * seconds)
    choose_tests.print_choice(chosen, left, options.dry_run)
    if options.dry_run:
        return
    sys.stdout.flush()
    deadline = time.monotonic() + seconds
    important = [test for test in chosen if test.kind == "lit" and test.rank <= CHANGED]
    others = [test for test in chosen if test.kind == "lit" and test.rank > CHANGED]
    with tempfile.TemporaryDirectory() as scratch:
        not_begun = run_chosen_lit(build, important, "lit, failed and changed", deadline, scratch, results)
        limit = max(LONGEST_CHUNK, options.seconds / 3)
        not_begun += run_chosen_cases(build, [test for test in chosen if test.kind == "unit"], deadline, limit, scratch, results)
        not_begun += run_chosen_lit(build, others, "lit", deadline, scratch, results)
    if not_begun:
        print(f"the time was over before {not_begun} of the chosen tests began: others took longer than was known")


@dataclasses.dataclass
class Part:
    """A part of the check, as the table of utils/check describes it."""
    build: str  # that it needs: development for the one that is tested, release for the one as shipped, or none
    runs_on: str  # other builds: sanitizers or threads for those with any or that one, anywhere for another processor too, or no
    run: collections.abc.Callable  # takes the build, the results, and whether the build has a sanitizer, which is slow


PARTS = {
    "unit": Part("development", "anywhere", run_unit),
    "lit": Part("development", "anywhere", run_lit_part),
    "programs": Part("development", "sanitizers", random_tests("programs", 1000, 100, "--keep", "{build}/random-programs")),
    "expressions": Part("development", "sanitizers", random_tests("expressions", 2000, 200, "--known", "{source}/test/known-expressions.txt")),
    "gradients": Part("development", "sanitizers", random_tests("gradients", 60, 5, "--keep", "{build}/random-gradients")),
    "corpus": Part("development", "sanitizers", run_corpus),
    "gpu": Part("development", "no", run_on_fake_gpu),
    "python": Part("development", "threads", run_python),
    "tidy": Part("development", "no", run_tidy),
    "quick-build": Part("development", "no", check_quick_build),
    "shipped": Part("release", "no", run_shipped),
    "install": Part("release", "no", run_install),
    "cluster": Part("development", "no", run_cluster),
    "hosts": Part("development", "no", run_published_hosts),
    "packages": Part("none", "no", run_packages),
}


def build_of(name, options):
    """The build on which a part runs, or None: install takes the one that is tested where none is given as shipped."""
    if PARTS[name].build == "release":
        return options.shipped or (options.build if name == "install" else None)
    return options.build


def run_part(name, build, results):
    """Runs one part. If it cannot go on, this counts as one failed test."""
    started = time.monotonic()
    try:
        is_sanitized = PARTS[name].build == "development" and cached(build, "TSC_SANITIZE") != ""
        if is_sanitized:
            allow_large_frames()
        PARTS[name].run(build, results, is_sanitized)
    except CannotRun as reason:
        results.record(name, 0, 1, started, f"{name}: {reason}\n")
    except OSError as error:
        results.record(name, 0, 1, started, f"{name}: could not go on: {error}\n")
    except Exception as error:  # a mistake in these scripts: say where
        traceback.print_exc()
        results.record(name, 0, 1, started, f"{name}: could not go on: {type(error).__name__}: {error}\n")


def usual_parts(build, has_shipped):
    """What runs where no part is named."""
    if sanitizer := cached(build, "TSC_SANITIZE"):
        kinds = {"sanitizers", "anywhere"} | ({"threads"} if sanitizer == "thread" else set())
        return [name for name, part in PARTS.items() if part.runs_on in kinds]
    if is_emulated(build):
        return [name for name, part in PARTS.items() if part.runs_on == "anywhere"]
    left_out = {"tidy", "quick-build", "cluster", "hosts", "packages"} | (set() if has_shipped else {"shipped"})
    return [name for name in PARTS if name not in left_out]


def require_builds(parts, options):
    """Fails with a sentence where a part's build is not there."""
    for part in parts:
        if part not in PARTS:
            usage_error(f"there is no part '{part}': the parts are {', '.join(PARTS)}")
        if PARTS[part].build == "none":
            continue
        folder = build_of(part, options)
        if folder is None:
            usage_error(f"the part '{part}' needs a build as shipped: give --shipped BUILD_DIR")
        if not (folder / "CMakeCache.txt").is_file():
            usage_error(f"{folder} is not there, which the part '{part}' tests: build it, with `utils/check {part}`")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--shipped", type=pathlib.Path)
    parser.add_argument("--parts", type=lambda text: [part for part in text.split(",") if part])
    parser.add_argument("--costs", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--since")
    parser.add_argument("--changed", action="append")
    parser.add_argument("--seconds", type=float, default=180)
    for switch in ("--quick", "--dry-run", "--no-build"):
        parser.add_argument(switch, action="store_true")
    parser.error = usage_error
    options = parser.parse_args()
    results = Results()
    if options.quick:
        if not options.seconds > 0:
            usage_error("--seconds takes a number above 0")
        quick(options.build.resolve(), options, results)
    else:
        if options.parts is None:
            require_builds(["unit"], options)
        parts = usual_parts(options.build, options.shipped is not None) if options.parts is None else options.parts
        require_builds(parts, options)
        for part in PARTS:
            if part in parts:
                run_part(part, build_of(part, options).resolve(), results)
    results.print_slowest()
    for folder in options.costs:
        print(f"files of {folder}:", flush=True)
        subprocess.run([sys.executable, SOURCE / "utils/build_costs.py", folder, "--slow", str(SLOW_FILE)])
    if not options.dry_run:
        print(f"{results.passed} passed, {results.failed} failed")
    sys.exit(results.failed != 0)


if __name__ == "__main__":
    main()
