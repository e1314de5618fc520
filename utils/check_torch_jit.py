#!/usr/bin/env python3
"""Runs PyTorch's own tests of torch.jit with tsc in the place of torch.jit, and prints what passes, by group.

    utils/check_torch_jit.py --tsc build/python [--only REGEX] [--report FILE] [--jobs N] [--timeout S]
    utils/check_torch_jit.py --baseline

The tests are those of PyTorch 1.13.1. They are fetched from Debian's sources with `apt-get source` into a folder for
caches (--cache), which also keeps a virtual environment with the packages they import and the results that PyTorch
itself gives: a test counts where PyTorch passes it here. `--tsc` is the folder that holds the package `tsc`.
utils/torch_jit_tests/groups.py says how tests are grouped. The table goes to stdout; `--report` also lists each test
that fails with the first line of its reason, and `--results` keeps what every test gave.

Exits with 1 where a group stays below its bar, and with 2 where something that it needs is not there.
"""
import argparse
import collections
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent / "torch_jit_tests"
VERSION = "1.13.1"
TORCH_PYTHON = "/usr/bin/python3"
PACKAGES = ["expecttest", "hypothesis"]
# Percent of the tests of a group that have to pass.
BARS = {"public": 95, "text": 85, "passes": 80, "ir": 60, "generated": 98}


def give_up(sentence):
    print(f"check_torch_jit: {sentence}", file=sys.stderr)
    sys.exit(2)


def run(command, sentence, **options):
    """Runs a command; where it fails, prints what it said and gives up."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    except FileNotFoundError:
        give_up(f"{sentence}: there is no program {command[0]}")
    if done.returncode:
        print(done.stdout[-2000:], file=sys.stderr)
        give_up(sentence)
    return done.stdout


def check_torch(python):
    done = subprocess.run([python, "-c", "import torch; print(torch.__version__)"], capture_output=True, text=True)
    if done.returncode:
        give_up(f"{python} has no PyTorch: install Debian's package python3-torch, or name another Python with --python")
    if not done.stdout.startswith("1.13."):
        give_up(f"{python} has PyTorch {done.stdout.strip()}, and the tests are those of {VERSION}")


def package_places(folder=pathlib.Path("/etc/apt")):
    """Returns the places that the machine's apt takes Debian's packages from, without those of security updates. Both
    forms of apt's sources are read: lines `deb [options] place suite component…`, and fields `URIs:`."""
    files = [folder / "sources.list", *sorted(folder.glob("sources.list.d/*.list")),
             *sorted(folder.glob("sources.list.d/*.sources"))]
    places = []
    for file in files:
        if not file.is_file():
            continue
        text = file.read_text()
        if file.suffix == ".sources":
            for stanza in re.split(r"\n\s*\n", text):
                fields = {name.lower(): value for name, value in re.findall(r"^(\S+):[ \t]*(.*)$", stanza, re.MULTILINE)}
                if fields.get("enabled", "yes") != "no" and "main" in fields.get("components", "").split():
                    suites = fields.get("suites", "").split()
                    places += [place for place in fields.get("uris", "").split()
                               if any(not suite.endswith("-security") for suite in suites)]
        else:
            for place, suite, rest in re.findall(r"^deb(?:-src)?\s+(?:\[[^\]]*\]\s+)?(\S+)\s+(\S+)\s+(.*)$", text, re.MULTILINE):
                if "main" in rest.split() and not suite.endswith("-security"):
                    places.append(place)
    return list(dict.fromkeys(places))


def fetch(cache):
    """Returns the folder with PyTorch's tests, fetched where it is not in the cache."""
    tests = cache / f"pytorch-{VERSION}" / "test"
    if (tests / "test_jit.py").exists():
        return tests
    apt = cache / "apt"
    for folder in ("lists/partial", "cache/archives/partial"):
        (apt / folder).mkdir(parents=True, exist_ok=True)
    places = package_places()
    if not places:
        give_up("apt's sources name no place for Debian's packages")
    (apt / "sources.list").write_text("".join(f"deb-src {place} bookworm main\n" for place in places))
    options = [f"-oDir::Etc::SourceList={apt}/sources.list", "-oDir::Etc::SourceParts=-", f"-oDir::State::Lists={apt}/lists",
               f"-oDir::Cache={apt}/cache", "-oAcquire::Languages=none"]
    if os.geteuid() == 0:
        options.append("-oAPT::Sandbox::User=root")
    run(["apt-get", *options, "update"], f"cannot read Debian's list of sources from {', '.join(places)}")
    run(["apt-get", *options, "source", "--download-only", "--tar-only", f"pytorch={VERSION}+dfsg-4"],
        f"cannot fetch the sources of PyTorch {VERSION} from {', '.join(places)}", cwd=cache)
    archives = sorted(cache.glob(f"pytorch_{VERSION}*.orig.tar.xz"))
    if not archives:
        give_up(f"apt-get has fetched no archive of PyTorch's sources to {cache}")
    run(["tar", "-xf", str(archives[0]), "--wildcards", f"pytorch-{VERSION}/test/*"],
        f"cannot unpack {archives[0]}", cwd=cache)
    return tests


def environment(cache, python):
    """Returns a Python that has the given one's packages and those that the tests import."""
    folder = cache / "environment"
    inside = folder / "bin" / "python"
    if not inside.exists():
        run([python, "-m", "venv", "--system-site-packages", str(folder)],
            "cannot make a virtual environment: install Debian's package python3-venv")
    if subprocess.run([str(inside), "-c", "import expecttest, hypothesis"], capture_output=True).returncode:
        run([str(inside), "-m", "pip", "install", "-q", *PACKAGES], f"cannot install {', '.join(PACKAGES)} with pip")
    return inside


def read(path):
    """Returns {test: result} of a file of results. A test that has two keeps the last one."""
    results = {}
    for line in path.read_text().splitlines():
        result = json.loads(line)
        results[result["test"]] = result
    return results


def run_tests(python, tests, results, options, extra=(), folders=()):
    results.unlink(missing_ok=True)
    paths = [*map(str, folders), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run([str(python), str(HERE / "runner.py"), str(tests), str(results), "--jobs", str(options.jobs),
                           "--timeout", str(options.timeout), "--only", options.only, *extra],
                          env={**os.environ, "PYTHONPATH": ":".join(filter(None, paths))},
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        print(done.stderr[-3000:], file=sys.stderr)
        give_up("the tests do not start")


def baseline(cache, python, tests, options):
    """Returns the tests that PyTorch passes, run once and kept."""
    kept = cache / f"baseline-{VERSION}.jsonl"
    if options.baseline or not kept.exists():
        fresh = cache / "baseline.part"
        everything = argparse.Namespace(jobs=options.jobs, timeout=max(options.timeout, 120), only="")
        run_tests(python, tests, fresh, everything)
        fresh.rename(kept)
    return {name for name, result in read(kept).items() if result["status"] == "passed"}


def table(results, passing, group):
    """Returns rows (group, tests, passed, percent, bar) and whether every bar is reached."""
    counts = collections.defaultdict(collections.Counter)
    for test in passing:
        if test in results:
            counts[group(test)][results[test]["status"] == "passed"] += 1
    rows, good = [], True
    for name in ("public", "text", "passes", "ir", "generated", "internal"):
        total = sum(counts[name].values())
        if not total:
            continue
        percent = 100 * counts[name][True] / total
        bar = BARS.get(name)
        good &= bar is None or percent >= bar
        rows.append((name, total, counts[name][True], percent, bar))
    return rows, good


def shown(rows):
    lines = ["| group | tests | pass | % | bar |", "|---|---:|---:|---:|---:|"]
    for name, total, passed, percent, bar in rows:
        lines.append(f"| {name} | {total} | {passed} | {percent:.1f} | {bar if bar is not None else 'not counted'} |")
    return "\n".join(lines)


def kind_of(reason):
    """Returns a reason without the names and numbers in it, to count those that are alike."""
    return re.sub(r"'[^']*'|\"[^\"]*\"|\d+", "…", reason)[:110]


def report(path, rows, results, passing, group):
    failed = collections.defaultdict(list)
    kinds = collections.Counter()
    for test in sorted(passing):
        result = results.get(test)
        if result and result["status"] != "passed":
            failed[group(test)].append(f"- `{test}`: {result['status']}: {result['reason'] or 'no reason'}")
            kinds[kind_of(result["reason"])] += 1
    parts = [f"# PyTorch {VERSION}'s tests of torch.jit, run on tsc", shown(rows), "## The most frequent reasons"]
    parts.append("\n".join(f"- {count}: {kind}" for kind, count in kinds.most_common(40)))
    for name, lines in failed.items():
        parts += [f"## Failures: {name}", "\n".join(lines)]
    path.write_text("\n\n".join(parts) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tsc", type=pathlib.Path, help="the folder that holds the package tsc")
    parser.add_argument("--baseline", action="store_true", help="run PyTorch on its tests again, and tsc only with --tsc")
    parser.add_argument("--python", default=TORCH_PYTHON, help="a Python with PyTorch 1.13")
    parser.add_argument("--cache", type=pathlib.Path, default=pathlib.Path(
        os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache", "tsc", "torch-jit-tests"))
    parser.add_argument("--only", default="", help="run the tests whose Class::name this regular expression finds")
    parser.add_argument("--report", type=pathlib.Path, help="a file for the table and the failures, as Markdown")
    parser.add_argument("--results", type=pathlib.Path, help="a file for what every test gave, a JSON line for each")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=60, help="seconds that a test may take")
    options = parser.parse_args()
    if platform.system() != "Linux":
        give_up("the tests come from Debian's sources, so this runs on Linux only")
    if not options.tsc and not options.baseline:
        parser.error("--tsc or --baseline is needed")
    if options.tsc and not (options.tsc / "tsc").is_dir():
        give_up(f"there is no package tsc in {options.tsc}: build it first")
    check_torch(options.python)
    options.cache.mkdir(parents=True, exist_ok=True)
    cache = options.cache.resolve()
    tests = fetch(cache)
    python = environment(cache, options.python)
    passing = baseline(cache, python, tests, options)
    sys.path.insert(0, str(HERE))
    import groups
    known = groups.groups(tests)
    if options.tsc:
        kept = (options.results or cache / "results.jsonl").resolve()
        run_tests(python, tests, kept, options, ["--substitute"], [options.tsc.resolve()])
        results = read(kept)
    else:
        results = {test: {"status": "passed", "reason": ""} for test in passing}
    rows, good = table(results, passing, lambda test: groups.group_of(test, known))
    print(shown(rows))
    if options.report:
        report(options.report, rows, results, passing, lambda test: groups.group_of(test, known))
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
