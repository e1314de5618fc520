"""Chooses the tests that `utils/check --quick` runs; run_tests.py builds and runs them.

An edit is a list of files. A file of a library stands for the whole library. Each lit test and each Catch2 case gets a rank,
which says how it depends on the edit. Tests of low rank are chosen first, until the sum of the times that they took in the
last run fills the time that there is. Functions that read a build or ask git are here too, because choosing needs them.
"""
import ast
import collections
import contextlib
import dataclasses
import functools
import json
import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
CAPTURED = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "errors": "replace"}

# Ranks.
FAILED, CHANGED, SAME, DEPENDENT = 0, 1, 2, 3  # DEPENDENT + n: by n further libraries
HOLDS = 100  # the test runs a program in which a changed library is
RANKS = {FAILED: "failed last time", CHANGED: "changed", SAME: "of what changed", DEPENDENT: "of what depends on it",
         HOLDS: "others that run it"}
TEST_MARGIN = 0.85  # times vary; so much of the time that is left is given away
LEAST_SECONDS = 30  # for tests, however long the build took
UNKNOWN_SECONDS = {"unit": 0.5, "lit": 1.0}  # for tests that have not run yet
LONGEST_CHUNK = 10  # seconds of the cases that one process runs
BATCH = 20  # seconds that one run of lit takes
LIBTSC = "lib/libtsc.so.1.0"
EVERYTHING = re.compile(r"(cmake/|utils/tsc-tblgen/|CMakeLists\.txt$|CMakePresets\.json$)")
NO_SOURCE = re.compile(r"((build[^/]*|dist|\.git|\.cache)|(.*/)?__pycache__)(/|$)")  # folders whose files nobody edits


def usage_error(text):
    print(f"error: {text}", file=sys.stderr)
    sys.exit(2)


@functools.cache
def lit_table(name):
    """A table of test/lit.cfg.py: `tools`, which RUN lines name, or `scripts`, by the substitutions that stand for them."""
    for statement in ast.parse((SOURCE / "test/lit.cfg.py").read_text()).body:
        if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", "") == name:
            return ast.literal_eval(statement.value)
    raise LookupError(f"test/lit.cfg.py has no table `{name}`")


def cached(build, name):
    """What CMake's cache holds for `name`; empty when it holds nothing."""
    lines = (build / "CMakeCache.txt").read_text().splitlines()
    return next((line.partition("=")[2] for line in lines if line.startswith(name + ":")), "")


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


def case_record(build):
    return build / "unittests" / ".case-times.json"


def read_record(build):
    """What is known of Catch2's cases: program -> {case: [seconds, file, whether it passed]}. Of a case that was there and did
    not run yet, seconds are None."""
    try:
        return json.loads(case_record(build).read_text())
    except (OSError, ValueError):
        return {}


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


def library_of(folders):
    """The library of a file by the folders that hold it, of which an inner one may be a library of its own."""
    for depth in range(len(folders), 1, -1):
        if SOURCE.joinpath("lib", *folders[:depth], "CMakeLists.txt").exists():
            return folders[depth - 1]
    return folders[0]


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
            self.tools |= set(lit_table("tools"))
        self.distance, _ = distances(build, sorted(self.libraries))

    def add(self, parts):
        if parts[0] == "lib" and len(parts) > 2:
            self.libraries.add(library_of(parts[1:-1]))
        elif parts[:2] == ("include", "tsc") and len(parts) > 3:
            self.libraries.add(library_of(parts[2:-1]))
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
    for mark, path in lit_table("scripts").items():
        commands = re.sub(mark + r"\b", f"%source_dir/test/{path}", commands)
    return {os.path.normpath(path.lstrip("/") or ".") for path in re.findall(r"%source_dir(?!\w)([^\s\"'|;><=]*)", commands)}


def programs_of(commands, outputs):
    """What the build makes of which a test's commands use something."""
    programs = {f"bin/{tool}" for tool in lit_table("tools") if re.search(rf"(?<![\w/.-]){tool}(?![\w/.-])", commands)}
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
    linked = {output: " ".join(words) for output, words in inputs.items()}
    libraries_of = {output: frozenset(re.findall(r"(?:^|\s)lib/(\w+)/", words) + re.findall(r"/libtsc(\w+)\.a", words))
                    for output, words in linked.items()}
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


def files_named(names):
    """The files that --changed names, by absolute paths or from the top of the tree, each as git would name it. A folder stands
    for the files of the source that are in it."""
    found = set()
    for name in names:
        path = pathlib.Path(os.path.normpath(SOURCE / name))
        if not path.is_relative_to(SOURCE):  # perhaps by a link to the tree
            path = path.resolve()
        if not path.is_relative_to(SOURCE):
            usage_error(f"{name} is outside of {SOURCE}: --changed takes files and folders of this tree")
        if not path.exists():
            usage_error(f"there is no file {name} below {SOURCE}: --changed takes paths from there")
        inside = files_below(path) if path.is_dir() else [path]
        if not inside:
            usage_error(f"the folder {name} has no files of the source: --changed takes files and folders of this tree")
        found.update(file.relative_to(SOURCE).as_posix() for file in inside)
    return sorted(found)


def files_below(folder):
    found = []
    for path, folders, names in os.walk(folder):
        if NO_SOURCE.match(pathlib.Path(path).relative_to(SOURCE).as_posix()):
            folders.clear()
        else:
            found += [pathlib.Path(path, name) for name in names]
    return found
