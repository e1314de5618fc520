#!/usr/bin/env python3
"""Runs the tests of a build and counts them: the Catch2 programs case by case, the lit suite test by test, the
programs outside the tree that use the package, random programs and expressions, and, where ../shared/corpus is, the recorded cases that
passed before.

usage: run_tests.py BUILD_DIR [--shipped BUILD_DIR] [--parts NAME,...] [--costs BUILD_DIR]...
       run_tests.py BUILD_DIR --quick [--since REV] [--changed FILE]... [--seconds N] [--dry-run] [--no-build]

With --shipped, the programs outside the tree use that build, and it is tried in short: the lit tests of what a build as
shipped is for (SMOKE), and some of the recorded cases. A build with a sanitizer runs fewer random programs and some of the
recorded cases, and programs outside the tree, which know no sanitizer, do not use it.

With --quick it builds what changed and runs those tests of it, and of what depends on it, that fit into the time. How long
each took and whether it failed is known from the last run. `utils/check --help` explains the options.

The slowest tests are printed at the end, and files that took long to compile for each --costs. The last line is
`N passed, N failed`.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import dataclasses
import functools
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
import xml.etree.ElementTree

LONGEST_PROGRAM = 900  # seconds, of which they take some tens
RANDOM_PROGRAMS = 1000  # the same ones each time, in about a minute
SANITIZED_PROGRAMS = 100
RANDOM_EXPRESSIONS = 2000
SANITIZED_EXPRESSIONS = 200
RANDOM_GRADIENTS = 60
SANITIZED_GRADIENTS = 5
SOME_CASES = 200  # of thousands that were recorded
SLOWEST = 10
SLOW_FILE = 25  # seconds
# What is to be seen of a shipped build: that the README is true, archives load, levels and tiers agree, sections that the
# linker dropped or folded were not needed, and kernels are compiled for the processor at hand.
SMOKE = ["CAPI", "Docs", "FuserCPU", "Support", "tsc-opt", "tsc-reduce", "tsc-run"]
CAPTURED = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "errors": "replace"}
SOURCE = pathlib.Path(__file__).resolve().parent.parent


def run_catch(program, scratch, names=None):
    """Runs a Catch2 program, or those of its cases that have one of `names`. Returns how many passed and failed, what it
    printed, and [name, seconds, file, whether it passed] of each case; dying or hanging is a failed case."""
    scratch = pathlib.Path(tempfile.mkdtemp(dir=scratch))
    report, command = scratch / "report.xml", [program]
    if names is not None:
        (scratch / "names").write_text("".join(re.sub(r'([\\,\["])', r"\\\1", name) + "\n" for name in names))
        command += ["-f", scratch / "names"]
    try:
        run = subprocess.run([*command, "-r", "xml", "-d", "yes", "-o", report], cwd=scratch, timeout=LONGEST_PROGRAM, **CAPTURED)
    except subprocess.TimeoutExpired:
        cases = read_cases(report)
        name = cases[-1][0] if cases else "no test case"
        passed = sum(case[3] for case in cases)
        told = f"{program.name}: no end after {LONGEST_PROGRAM} s, in '{name}'\n"
        return passed, max(len(cases) - passed, 1), told, cases
    cases = read_cases(report)
    try:
        total = xml.etree.ElementTree.parse(report).getroot().find("OverallResultsCases")
        passed, failed = int(total.get("successes")), int(total.get("failures"))
    except (xml.etree.ElementTree.ParseError, AttributeError, OSError):
        passed, failed = 0, 1
    if run.returncode == 0:
        return passed, failed, run.stdout, cases
    told = run.stdout
    with contextlib.suppress(subprocess.TimeoutExpired):
        told += subprocess.run(command, cwd=scratch, timeout=LONGEST_PROGRAM, **CAPTURED).stdout  # again, for people to read
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


def case_record(build):
    return build / "unittests" / ".case-times.json"


def read_record(build):
    """What is known of Catch2's cases: program -> {case: [seconds, file, whether it passed]}. Of a case that was there and did
    not run yet, seconds are None."""
    try:
        return json.loads(case_record(build).read_text())
    except (OSError, ValueError):
        return {}


def write_record(build, runs, is_whole):
    """Adds what ran to the record. Cases that a whole run lacks are there no more."""
    record = read_record(build)
    for program, cases in runs.items():
        there = [] if is_whole else list_cases(build / "unittests" / program) or []
        known = {} if is_whole else {**{name: [None, "", True] for name in there}, **record.get(program, {})}
        record[program] = {**known, **{name: rest for name, *rest in cases}}
    with contextlib.suppress(OSError):  # the next --quick knows less
        case_record(build).write_text(json.dumps(record))


def cached(build, name):
    """What CMake's cache holds for `name`; empty when it holds nothing."""
    lines = (build / "CMakeCache.txt").read_text().splitlines()
    return next((line.partition("=")[2] for line in lines if line.startswith(name + ":")), "")


def run_lit(build, scratch, results, tests=("",), options=()):
    """Runs tests and folders of the suite. Returns how many passed and how many failed."""
    report = pathlib.Path(scratch) / "lit.json"
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

    def record_command(self, name, command):
        """One test that is a command: passed when it exits with 0."""
        started = time.monotonic()
        code = subprocess.run(command, cwd=SOURCE).returncode
        self.record(name, code == 0, code != 0, started)

    def print_slowest(self):
        slowest = sorted(self.times, reverse=True)[:SLOWEST]
        if slowest:
            print("the slowest tests:")
        for seconds, name in slowest:
            print(f"{seconds:8.1f} s  {name}")


def unit_programs(build):
    return [program for program in sorted((build / "unittests").glob("*Tests")) if program.is_file() and os.access(program, os.X_OK)]


def run_all_catch(build, scratch, results):
    """The programs side by side, those that take longest first."""
    programs = sorted(unit_programs(build), key=lambda program: -program.stat().st_size)
    started, ran = time.monotonic(), {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {pool.submit(run_catch, program, scratch): program.name for program in programs}
        for run in concurrent.futures.as_completed(runs):
            passed, failed, told, ran[runs[run]] = run.result()
            results.record(runs[run], passed, failed, started, told)
            results.times += [(seconds, f"{runs[run]}: {name}") for name, seconds, *_ in ran[runs[run]]]
    write_record(build, ran, is_whole=True)


def has_corpus(part):
    if (SOURCE.parent / "shared" / "corpus").is_dir():
        return True
    print(f"{part}: left out, as ../shared/corpus is not there")
    return False


def run_corpus(build, results, *options):
    if has_corpus("corpus"):
        results.record_command("corpus", [sys.executable, SOURCE / "utils/check_corpus.py", build, *options])


def run_on_fake_gpu(build, results):
    """A sample of the recorded programs with --device cuda: kernels behind the shim, and everything on copies."""
    driver = build / "unittests/libtscFakeDriver.so"
    if not driver.exists():
        print(f"gpu: left out, as {driver} is not built")
        return
    if not has_corpus("gpu"):
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


def run_unit(build, results):
    with tempfile.TemporaryDirectory() as scratch:
        run_all_catch(build, scratch, results)


def run_lit_part(build, results, name="lit", folders=("",)):
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        results.record(name, *run_lit(build, scratch, results, folders), started)


# What utils/quickstart builds differs from other builds in two ways. Its files see precompiled headers, so that a name may
# be ambiguous there alone; and it has no fuser for GPUs, for which lib/FuserCUDA/WithoutCuda.cpp stands. The part quick-build
# asks for both without building it: a third of the files, another one by each commit, are parsed as that preset has them, with
# all that changed last; and what tsc-run takes from the fuser must be defined in the one file. Headers that tsc-tblgen
# writes are those of the other build.
THIRDS = 3
WITHOUT_CUDA = "lib/FuserCUDA/WithoutCuda.cpp"


def git(*arguments):
    """What git prints, or None where it fails or is not there."""
    with contextlib.suppress(OSError):
        run = subprocess.run(["git", *arguments], cwd=SOURCE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return run.stdout if run.returncode == 0 else None
    return None


def changed_since(revision):
    """The files that differ from a revision, and new ones; None where git does not know the revision."""
    differ = git("diff", "--name-only", "--no-renames", "-z", revision, "--")
    new = git("ls-files", "--others", "--exclude-standard", "-z")
    return None if differ is None else sorted(name for name in (differ + (new or "")).split("\0") if name)


def compile_command(entry, build, folder):
    """The words of one entry of compile_commands.json, without a cache, and with the headers that `build` generated."""
    words = shlex.split(entry["command"].replace(str(folder / "include"), str(build / "include")))
    while not re.search(r"clang(\+\+)?(-\d+)?$", words[0]):
        words.pop(0)
    return words


def parse_with_preset(build, folder, results):
    """Compiles the precompiled headers and WithoutCuda.cpp, and parses a third of the files that see such headers."""
    started = time.monotonic()
    entries = json.loads((folder / "compile_commands.json").read_text())
    commands = {entry["file"]: compile_command(entry, build, folder) for entry in entries}
    headers = [command for command in commands.values() if "-emit-pch" in command]
    files = sorted(file for file, command in commands.items() if "-include-pch" in command and not file.startswith(str(folder)))
    latest = {str(SOURCE / name) for name in changed_since("HEAD~1") or []}
    third = int((git("rev-parse", "HEAD") or "0").strip(), 16) % THIRDS
    chosen = [file for n, file in enumerate(files) if n % THIRDS == third or file in latest]

    def compile_one(command):
        return subprocess.run(command, cwd=folder, **CAPTURED)

    def parse(file):
        command = list(commands[file])
        if file == str(SOURCE / WITHOUT_CUDA):
            return compile_one(command)
        at = command.index("-o")
        del command[at:at + 2]
        return compile_one(["-fsyntax-only" if word == "-c" else word for word in command])

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = list(pool.map(compile_one, headers))
        if all(run.returncode == 0 for run in runs):
            runs += pool.map(parse, {*chosen, str(SOURCE / WITHOUT_CUDA)})
    told = "".join(run.stdout for run in runs if run.returncode)
    print(f"quick-build: {len(headers)} sets of precompiled headers, {len(runs) - len(headers)} of {len(files)} files")
    results.record("quick-build: files", not told, bool(told), started, told)
    return not told


def symbols(nm, options, files):
    """The last word of each line of nm."""
    run = subprocess.run([nm, *options, *files], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    return {line.split()[-1] for line in run.stdout.splitlines() if line and not line.endswith(":")}


def link_without_cuda(build, folder, results):
    """Whether WithoutCuda.cpp defines all that the files of tsc-run take from the fuser for GPUs."""
    started = time.monotonic()
    nm, fuser = cached(build, "CMAKE_NM"), "lib/FuserCUDA/libtscFuserCUDA.a"
    linked = [build / file for file in link_inputs(build).get("bin/tsc-run", ()) if re.search(r"\.[oa]$", file) and file != fuser]
    entry = next(entry for entry in json.loads((folder / "compile_commands.json").read_text())
                 if entry["file"] == str(SOURCE / WITHOUT_CUDA))
    words = shlex.split(entry["command"])
    stand_in = folder / words[words.index("-o") + 1]
    defined = ["--defined-only", "--extern-only"]
    wanted = symbols(nm, ["--undefined-only"], linked) - symbols(nm, defined, linked)
    missing = (wanted & symbols(nm, defined, [build / fuser])) - symbols(nm, defined, [stand_in])
    told = "".join(f"{WITHOUT_CUDA}: error: does not define {name}, which a build with TSC_CUDA=OFF needs\n" for name in sorted(missing))
    results.record("quick-build: symbols", not told, bool(told), started, told)


def check_quick_build(build, results):
    folder = build.parent / "quick-check"
    configure = ["cmake", "--preset", "quick", "-B", folder]
    run = subprocess.run(configure, cwd=SOURCE, **CAPTURED)
    if run.returncode:
        results.record("quick-build: configuring", 0, 1, time.monotonic(), run.stdout)
    elif parse_with_preset(build, folder, results):
        link_without_cuda(build, folder, results)


# From here to `quick`: which tests an edit asks for. A file of a library stands for the library; lit tests and Catch2 cases
# get a rank, the sum of times decides how many of them run, and lower ranks come first.
FAILED, CHANGED, SAME, DEPENDENT = 0, 1, 2, 3  # DEPENDENT + n: by n further libraries
HOLDS = 100  # the test runs a program in which a changed library is
RANKS = {FAILED: "failed last time", CHANGED: "changed", SAME: "of what changed", DEPENDENT: "of what depends on it",
         HOLDS: "others that run it"}
TEST_MARGIN = 0.85  # times vary; so much of the time that is left is given away
LEAST_SECONDS = 30  # for tests, however long the build took
UNKNOWN_SECONDS = {"unit": 0.5, "lit": 1.0}  # for tests that have not run yet
LONGEST_CHUNK = 10  # seconds of the cases that one process runs
BATCH = 20  # seconds that one run of lit takes
TOOLS = ("tsc-lsp", "tsc-opt", "tsc-reduce", "tsc-run", "tsc-tblgen", "tsc-translate")
LIBTSC = "lib/libtsc.so.1.0"
SUBSTITUTIONS = {"%exits": "test/expect_exit.py", "%all_modes": "test/all_modes.py",
                 "%write_archive": "test/Serialization/Inputs/write_archive.py"}
EVERYTHING = re.compile(r"(cmake/|utils/tsc-tblgen/|CMakeLists\.txt$|CMakePresets\.json$)")


@dataclasses.dataclass
class Test:
    kind: str  # unit or lit
    group: str  # its program or its folder
    name: str  # a case, or a file below test/; for a program of which no case is known, empty
    seconds: float
    rank: int
    programs: frozenset = frozenset()  # what is built for it

    def title(self):
        return self.name if self.kind == "lit" else f"{self.group}: {self.name or 'all cases'}"


def link_inputs(build):
    """Output of the build -> the files that it is linked from, by build.ninja."""
    inputs = {}
    for line in (build / "build.ninja").read_text().replace("$\n", "").splitlines():
        if match := re.match(r"build ((?:bin|lib|unittests)/[^:|]*?)(?: \|[^:]*)?: \S*(?:EXECUTABLE|SHARED|MODULE)_\S*LINKER\S* (.*)", line):
            for output in match[1].split():
                inputs[output] = [word for word in match[2].partition("||")[0].split() if word != "|"]
    return inputs


def distances(build, changed):
    """Library -> over how many libraries it depends on a changed one."""
    users = collections.defaultdict(set)
    for file in (build / "libraries").glob("*.txt"):
        users[file.stem]  # known, though nothing may use it
        for lower in re.findall(r"^tsc::(\w+)$", file.read_text(), re.M):
            users[lower].add(file.stem)
    distance = dict.fromkeys(changed, 0)
    queue = collections.deque(changed)
    while queue:
        library = queue.popleft()
        for user in users[library]:
            if user not in distance:
                distance[user] = distance[library] + 1
                queue.append(user)
    return distance, set(users)


class Change:
    """What the changed files are, by their paths."""

    def __init__(self, build, files):
        self.files = files
        _, self.all_libraries = distances(build, [])
        self.is_everything = any(EVERYTHING.match(file) for file in files)
        self.libraries, self.tools, self.unit, self.lit_folders = set(), set(), set(), set()
        for file in files:
            self.add(pathlib.PurePosixPath(file).parts)
        if self.is_everything:
            self.libraries |= self.all_libraries
            self.tools |= set(TOOLS)
        self.distance, _ = distances(build, sorted(self.libraries))

    def add(self, parts):
        if parts[0] == "lib" and len(parts) > 2:
            self.libraries.add(parts[1])
        elif parts[:2] == ("include", "tsc") and len(parts) > 3:
            self.libraries.add(parts[2])
        elif parts[:2] == ("include", "tsc-c"):
            self.libraries.add("CAPI")
        elif parts[0] == "tools" and len(parts) > 2:
            self.tools.add(parts[1])
        elif parts[0] == "unittests":
            self.unit |= {parts[1]} if len(parts) > 2 else self.all_libraries
        elif parts[0] == "fuzz":
            self.lit_folders.add("Fuzz")
        elif parts[0] == "docs" or len(parts) == 1 and parts[0].endswith(".md"):
            self.lit_folders.add("Docs")
        elif parts[:2] in (("test", "lit.cfg.py"), ("test", "lit.site.cfg.py.in")):
            self.lit_folders.add("")

    def reads(self, token):
        """How a path in a RUN line has to do with the change: it is a changed file, has one below it, or neither."""
        cut = re.split(r"[%*]", token)[0]
        if cut in self.files:
            return CHANGED
        prefix = cut if cut != token else token.rstrip("/") + "/"
        if token in ("", "."):
            prefix = ""
        return SAME if any(file.startswith(prefix) for file in self.files) else None


def lit_tests(build):
    """The names of the suite's tests, below test/, as lit finds them."""
    run = subprocess.run([sys.executable, cached(build, "TSC_LLVM_LIT"), "--show-tests", build / "test"], **CAPTURED)
    if run.returncode:
        sys.exit(f"error: lit finds no tests in {build}/test: {run.stdout.strip()}")
    return re.findall(r"^  tsc :: (\S+)$", run.stdout, re.M)


def lit_times(build):
    """Name -> seconds; negative where it failed."""
    try:
        lines = (build / "test" / ".lit_test_times.txt").read_text().splitlines()
    except OSError:
        return {}
    return {name: float(seconds) for seconds, _, name in (line.partition(" ") for line in lines)}


def run_lines(name):
    """The commands of a lit test."""
    text = (SOURCE / "test" / name).read_text(errors="replace")
    return "\n".join(re.findall(r"(?:RUN|DEFINE):(.*)", text))


def paths_of(commands, name):
    """The paths below the source folder in a test's commands."""
    here = "test/" + name
    commands = re.sub(r"%S\b", "%source_dir/" + os.path.dirname(here), commands)
    for mark, path in SUBSTITUTIONS.items():
        commands = re.sub(mark + r"\b", f"%source_dir/{path}", commands)
    return {os.path.normpath(path.lstrip("/") or ".") for path in re.findall(r"%source_dir(?!\w)([^\s\"'|;><=]*)", commands)}


def programs_of(commands, outputs):
    """What the build makes of which a test's commands use something."""
    programs = {f"bin/{tool}" for tool in TOOLS if re.search(rf"(?<![\w/.-]){tool}(?![\w/.-])", commands)}
    programs |= set(re.findall(r"%build_dir/((?:bin|unittests)/[\w.-]+)", commands))
    if re.search(r"%build_dir(?!/)", commands):
        programs |= {output for output in outputs if output.startswith("bin/")} | {LIBTSC}
    if re.search(r"%(link_)?libtsc\b", commands):
        programs.add(LIBTSC)
    if "%python_alone" in commands:
        programs.add("unittests/PythonAlone")
    if "%fake_cuda_driver" in commands:
        programs.add("unittests/libtscFakeDriver.so")
    return programs & set(outputs)


def rank_lit(name, change, paths, programs, libraries_of):
    """The rank of a lit test; None where it has nothing to do with the change."""
    folder = name.partition("/")[0]
    ranks = [change.reads("test/" + name), *(change.reads(path) for path in paths)]
    if change.lit_folders & {"", folder} or folder in change.tools or folder.removeprefix("tsc-") in change.tools:
        ranks.append(SAME)
    if folder in change.distance:
        ranks.append(SAME + change.distance[folder])
    if any(libraries_of[program] & change.libraries or program.removeprefix("bin/") in change.tools for program in programs):
        ranks.append(HOLDS)
    if "unittests/libtscFakeDriver.so" in programs and "FuserCUDA" in change.unit:
        ranks.append(SAME)
    return min((rank for rank in ranks if rank is not None), default=None)


def find_lit(build, change, inputs, libraries_of):
    times, tests, readers = lit_times(build), [], set()
    for name in lit_tests(build):
        commands = run_lines(name)
        paths, programs = paths_of(commands, name), programs_of(commands, inputs)
        readers |= paths & set(change.files) | {"test/" + name}
        rank = rank_lit(name, change, paths, programs, libraries_of)
        seconds = times.get(name, UNKNOWN_SECONDS["lit"])
        tests.append(Test("lit", name.partition("/")[0], name, abs(seconds), FAILED if seconds < 0 else rank, frozenset(programs)))
    # A file of the suite that no command names stands for its folder.
    for file in change.files:
        if file.startswith("test/") and file not in readers and file.count("/") > 1:
            folder = re.sub(r"/(Inputs/.*|[^/]*)$", "/", file.removeprefix("test/"))
            for test in tests:
                if test.name.startswith(folder) and (test.rank is None or test.rank > SAME):
                    test.rank = SAME
    return [test for test in tests if test.rank is not None]


def find_unit(build, change, inputs):
    record, tests = read_record(build), []
    for program in sorted(output for output in inputs if re.fullmatch(r"unittests/\w+Tests", output)):
        name = program.removeprefix("unittests/")
        library = name.removesuffix("Tests")
        rank = SAME if library in change.unit else SAME + change.distance[library] if library in change.distance else None
        cases = record.get(name, {})
        there = list_cases(build / program)
        for case in there if there is not None else cases:
            seconds, file, has_passed = cases.get(case, [None, "", True])
            is_new = cases and case not in cases
            is_changed = is_new or any(file.endswith(changed) for changed in change.files if changed.startswith("unittests/"))
            found = FAILED if not has_passed else CHANGED if is_changed and rank is not None else rank
            if found is not None:
                tests.append(Test("unit", name, case, UNKNOWN_SECONDS["unit"] if seconds is None else seconds, found, frozenset([program])))
        if there is None and not cases and rank is not None:
            tests.append(Test("unit", name, "", UNKNOWN_SECONDS["unit"], rank, frozenset([program])))
    return tests


def list_cases(program):
    """The names of a program's cases, or None where it is not built."""
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        # Catch2 gives back how many there are.
        run = subprocess.run([program, "--list-test-names-only"], stdout=subprocess.PIPE, text=True, timeout=60)
        return run.stdout.splitlines() or None
    return None


def find_tests(build, files):
    change, inputs = Change(build, files), link_inputs(build)
    libraries_of = {output: frozenset(re.findall(r"(?:^|\s)lib/(\w+)/", " ".join(words))) for output, words in inputs.items()}
    return change, find_unit(build, change, inputs) + find_lit(build, change, inputs, libraries_of)


def choose(tests, seconds):
    """Splits tests into those that fit into the time, and the rest: by rank, and the quick ones of a rank first."""
    room, chosen, left = seconds * os.cpu_count(), [], []
    for test in sorted(tests, key=lambda test: (test.rank, test.seconds)):
        if test.seconds <= min(room, seconds):
            room -= test.seconds
            chosen.append(test)
        else:
            left.append(test)
    return chosen, left


def duration(seconds):
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.1f} minutes"


def print_choice(chosen, left, is_dry):
    everything = chosen + left
    for rank, what in RANKS.items():
        higher = min((other for other in RANKS if other > rank), default=1 << 30)
        of_rank = [test for test in everything if rank <= test.rank < higher]
        if of_rank:
            runs = [test for test in chosen if rank <= test.rank < higher]
            print(f"  {what:24} {len(runs):5} of {len(of_rank):5} tests, {duration(sum(test.seconds for test in runs))} one by one")
    if is_dry:
        for test in chosen:
            print(f"  runs {test.title()} ({test.seconds:.2f} s)")
    if not left:
        return
    print(f"left out, as the time does not allow them: {len(left)} tests, {duration(sum(test.seconds for test in left))} one by one")
    important = [test for test in left if is_dry or test.rank <= CHANGED]
    for test in important:
        print(f"  leaves out {test.title()} ({test.seconds:.2f} s)" + (f", which {RANKS[test.rank]}" if test.rank <= CHANGED else ""))
    groups = collections.Counter(test.group for test in left)
    print("  " + ", ".join(f"{group} {count}" for group, count in sorted(groups.items())))
    print("  `utils/check unit lit` runs them, --seconds N more of them, and --dry-run names them")


def out_of_date(build, dependencies):
    """The compiled files that are older than a file they were read from, by what `ninja -t deps` prints."""
    @functools.cache
    def changed_at(path):
        with contextlib.suppress(OSError):
            return os.stat(os.path.join(build, path)).st_mtime_ns
        return 1 << 63  # what is not there is newer than all

    found, output = [], None
    for line in dependencies.splitlines():
        if not line.startswith(" "):
            output = line.partition(": #deps")[0] if ": #deps" in line else None
        elif output and changed_at(line.strip()) > changed_at(output):
            found.append(output)
            output = None
    return found


def estimate_build(build, targets):
    """About how many files must be compiled for the targets, and the seconds that they took last time. (`ninja -n` does not
    say: it stops at CMake, which looks for new files in each build.)"""
    try:
        run = subprocess.run(["ninja", "-C", build, "-t", "deps"], **CAPTURED)
    except OSError:
        usage_error("ninja is not installed: run utils/check without --no-build and --dry-run, which installs it")
    times = {}
    with contextlib.suppress(OSError):
        for line in (build / ".ninja_log").read_text().splitlines():
            parts = line.split("\t")
            if len(parts) == 5:
                times[parts[3]] = (int(parts[1]) - int(parts[0])) / 1000
    inputs, linked = link_inputs(build), set()
    for target in targets:
        linked |= {re.sub(r"lib(\w+)\.a$", r"CMakeFiles/\1.dir/", file) for file in inputs[target] if re.search(r"\.[oa]$", file)}
    files = [file for file in out_of_date(build, run.stdout) if file.startswith(tuple(linked))]
    return len(files), sum(times.get(file, 0) for file in files) / os.cpu_count()


def find_changed(since):
    """The changed files, and words for what they were compared with."""
    if git("rev-parse", "--git-dir") is None:
        usage_error("git does not know this folder, so that nobody knows what changed: give --changed FILE")
    base = since
    if since is None:
        remote = (git("symbolic-ref", "--short", "refs/remotes/origin/HEAD") or "").strip()
        bases = (git("merge-base", "HEAD", branch) for branch in (remote, "main", "master") if branch)
        base = next((found.strip() for found in bases if found), "HEAD")
    files = changed_since(base)
    if files is None:
        usage_error(f"git knows no revision '{base}': give another one to --since")
    return files, f"since {since or (git('rev-parse', '--short', base) or base).strip()}"


def usage_error(text):
    print(f"error: {text}", file=sys.stderr)
    sys.exit(2)


def run_chosen_cases(build, chosen, deadline, scratch, results):
    """Runs cases of several programs side by side, each process for some seconds. Returns how many it did not begin."""
    by_program = collections.defaultdict(list)
    for test in chosen:
        by_program[test.group].append(test)
    chunks = []
    for program, tests in by_program.items():
        if not all(test.name for test in tests):  # built just now: what it has is not known
            chunks.append((program, None))
            continue
        names, seconds = [], 0
        for test in tests:
            if names and seconds + test.seconds > LONGEST_CHUNK:
                chunks.append((program, names))
                names, seconds = [], 0
            names.append(test.name)
            seconds += test.seconds
        chunks.append((program, names))

    def run(chunk):
        return run_catch(build / "unittests" / chunk[0], scratch, chunk[1]) if time.monotonic() < deadline else None

    started, not_begun, total = time.monotonic(), 0, collections.defaultdict(lambda: [0, 0, "", []])
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (program, names), ran in zip(chunks, pool.map(run, chunks)):
            if ran is None:
                not_begun += len(names or [""])
                continue
            if names is not None and len(ran[3]) < len(names) and not ran[1]:
                ran = (ran[0], 1, f"{program}: {len(names) - len(ran[3])} of its cases did not run\n" + ran[2], ran[3])
            total[program] = [old + new for old, new in zip(total[program], ran)]
    for program, (passed, failed, told, cases) in sorted(total.items()):
        results.record(program, passed, failed, started, told)
        results.times += [(seconds, f"{program}: {name}") for name, seconds, *_ in cases]
    write_record(build, {program: cases for program, (*_, cases) in total.items()}, is_whole=False)
    return not_begun


def run_chosen_lit(build, chosen, name, deadline, scratch, results):
    """Runs lit tests in batches of some seconds, so that those that ran are known when the time is over (lit's own limit forgets
    them). Returns how many it did not begin."""
    started, passed, failed, begun = time.monotonic(), 0, 0, 0
    while begun < len(chosen) and time.monotonic() < deadline:
        batch, seconds = [], 0
        while begun < len(chosen) and (not batch or seconds + chosen[begun].seconds <= BATCH * os.cpu_count()):
            seconds += chosen[begun].seconds
            batch.append(chosen[begun].name)
            begun += 1
        more = run_lit(build, scratch, results, batch, ["--order=smart"])
        passed, failed = passed + more[0], failed + more[1]
    if begun:
        results.record(name, passed, failed, started)
    return len(chosen) - begun


def build_targets(build, tests, started, options):
    """Builds what the tests use, or says how much that is."""
    targets = sorted(set().union(*(test.programs for test in tests)))
    print(f"== building {' '.join(os.path.basename(target) for target in targets) or 'nothing'}", flush=True)
    if not targets:
        return
    count, seconds = estimate_build(build, targets)
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
    files, since = (sorted(options.changed), "named by --changed") if options.changed else find_changed(options.since)
    files = [os.path.normpath(file) for file in files]  # as git names them
    for file in options.changed or []:
        if not (SOURCE / file).exists():
            usage_error(f"there is no file {file} below {SOURCE}: --changed takes paths from there")
    change, tests = find_tests(build, files)
    what = sorted(change.libraries | change.tools | {f"{name}Tests" for name in change.unit})
    print(f"== {since}: {len(files)} changed file{'s' * (len(files) != 1)}" + (f", of {', '.join(what)}" if what else ""))
    if not tests:
        print("no test has to do with that" if files else "nothing changed: --since REV compares with another revision")
        return
    if not options.no_build:
        build_targets(build, tests, started, options)
        if not options.dry_run:
            tests = find_tests(build, files)[1]  # programs that were not built have told no cases
    seconds = max(options.seconds - (time.monotonic() - started), min(LEAST_SECONDS, options.seconds))
    print(f"== tests, in {duration(seconds)}", flush=True)
    chosen, left = choose(tests, TEST_MARGIN * seconds)
    print_choice(chosen, left, options.dry_run)
    if options.dry_run:
        return
    sys.stdout.flush()
    deadline = time.monotonic() + seconds
    important = [test for test in chosen if test.kind == "lit" and test.rank <= CHANGED]
    others = [test for test in chosen if test.kind == "lit" and test.rank > CHANGED]
    with tempfile.TemporaryDirectory() as scratch:
        not_begun = run_chosen_lit(build, important, "lit, failed and changed", deadline, scratch, results)
        not_begun += run_chosen_cases(build, [test for test in chosen if test.kind == "unit"], deadline, scratch, results)
        not_begun += run_chosen_lit(build, others, "lit", deadline, scratch, results)
    if not_begun:
        print(f"the time was over before {not_begun} of the chosen tests began: others took longer than was known")


def run_part(name, build, shipped, results):
    """Runs one part. Those of a shipped build run on that."""
    is_sanitized = name not in ("shipped", "packages", "install") and cached(build, "TSC_SANITIZE") != ""
    if is_sanitized:
        allow_large_frames()
    if name == "unit":
        run_unit(build, results)
    elif name == "lit":
        run_lit_part(build, results)
    elif name == "programs":
        run_random_programs(build, SANITIZED_PROGRAMS if is_sanitized else RANDOM_PROGRAMS, results)
    elif name == "expressions":
        run_random_expressions(build, SANITIZED_EXPRESSIONS if is_sanitized else RANDOM_EXPRESSIONS, results)
    elif name == "gradients":
        run_random_gradients(build, SANITIZED_GRADIENTS if is_sanitized else RANDOM_GRADIENTS, results)
    elif name == "corpus":
        run_corpus(build, results, *(["--limit", str(SOME_CASES)] if is_sanitized else []))
    elif name == "gpu":
        run_on_fake_gpu(build, results)
    elif name == "quick-build":
        check_quick_build(build, results)
    elif name == "shipped":
        run_lit_part(shipped, results, "lit, as shipped", SMOKE)
        run_corpus(shipped, results, "--limit", str(SOME_CASES))
    elif name == "install":
        run_install(shipped or build, results)
    elif name == "packages":
        results.record_command("packages", [sys.executable, SOURCE / "utils/check_packages.py"])


PARTS = ("unit", "lit", "programs", "expressions", "gradients", "corpus", "gpu", "quick-build", "shipped", "install", "packages")


def usual_parts(build, has_shipped):
    """What runs where no part is named."""
    parts = ["unit", "lit", "programs", "expressions", "gradients", "corpus"]
    if cached(build, "TSC_SANITIZE") == "":
        parts += ["gpu", "install"] + (["shipped"] if has_shipped else [])
    return parts


def require_builds(parts, options):
    """Fails with a sentence where a part's build is not there."""
    needs_shipped = {"shipped", "install"} if options.shipped else {"shipped"}
    for part in parts:
        if part not in PARTS:
            usage_error(f"there is no part '{part}': the parts are {', '.join(PARTS)}")
        folder = options.shipped if part in needs_shipped else options.build
        if part == "packages":
            continue
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
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--since")
    parser.add_argument("--changed", action="append")
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--no-build", action="store_true")
    parser.error = usage_error
    options = parser.parse_args()
    build, shipped = options.build.resolve(), options.shipped and options.shipped.resolve()
    results = Results()
    if options.quick:
        if not options.seconds > 0:
            usage_error("--seconds takes a number above 0")
        quick(build, options, results)
    else:
        if options.parts is None:
            require_builds(["unit"], options)
        parts = usual_parts(build, shipped is not None) if options.parts is None else options.parts
        require_builds(parts, options)
        for part in PARTS:
            if part in parts:
                run_part(part, build, shipped, results)
    results.print_slowest()
    for folder in options.costs:
        print(f"files of {folder}:", flush=True)
        subprocess.run([sys.executable, SOURCE / "utils/build_costs.py", folder, "--slow", str(SLOW_FILE)])
    if not options.dry_run:
        print(f"{results.passed} passed, {results.failed} failed")
    sys.exit(results.failed != 0)


if __name__ == "__main__":
    main()
