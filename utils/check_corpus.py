#!/usr/bin/env python3
"""Fail when a recorded case of ../shared that passed before no longer does.

usage: check_corpus.py BUILD_DIR [--update] [--validate] [--limit N] [--jobs N]

The cases that passed are kept in test/passing-cases.txt, one `category/case` a line, in four parts: recorded programs
(run), published archives (realworld), graphs (graphs) and benchmark programs (bench). A graph that PyTorch can parse
passes when it prints back as PyTorch prints it; any other, when it survives print, parse, print. A benchmark program
passes when -O2 gives the numbers of -O0. --update rewrites the list with what passes now.

With --limit, about N of the recorded programs are run, evenly spread, and nothing else.

With --validate, the passes of O3 also run over about a thousand recorded graphs with translation validation: no graph may
compute something else afterwards.
"""
import argparse
import array
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import zipfile

from recorded_cases import SHARED, add_arguments, for_each_case, name_of, outcome

SOURCE = pathlib.Path(__file__).resolve().parent.parent
LIST = SOURCE / "test/passing-cases.txt"


# No seed was recorded with it: it passes by chance.
BY_CHANCE = "opinfo-trace/nn.functional.dropout.float32.2-"


def measure_runs(options):
    """The recorded programs that were run, and those of them that pass; sets of `category/case`."""
    tool = options.build / "bin/tsc-run"
    found = {name_of(case): what for case, what in for_each_case(options, lambda case, _: outcome(tool, case))}
    print(f"recorded programs: {sum(what == 'passed' for what in found.values())} of {len(found)} pass")
    return set(found), {name for name, what in found.items() if what == "passed"}


def words_by_line(text):
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def printed_by(tool, path, text=None):
    """What the tool prints for a graph of a file, or of a text (path "-"); None when it fails."""
    try:
        run = subprocess.run([tool, path], input=text, capture_output=True, text=True, errors="replace", timeout=30)
    except subprocess.TimeoutExpired:
        return None
    return run.stdout if run.returncode == 0 else None


def graph_passes(tool, file):
    first = printed_by(tool, file)
    if first is None:
        return False
    canonical = file.with_suffix(".roundtrip.ir")
    if canonical.exists():
        return words_by_line(first) == words_by_line(canonical.read_text())
    return printed_by(tool, "-", first) == first


def measure_graphs(build, scratch):
    with tarfile.open(SHARED / "corpus/graphs.tar.gz") as archive:
        archive.extractall(scratch)
    files = sorted(file for file in pathlib.Path(scratch).rglob("*.ir") if not file.name.endswith(".roundtrip.ir"))
    tool = build / "bin/tsc-opt"
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        passed = list(pool.map(lambda file: graph_passes(tool, file), files))
    for kind, canonical in (("PyTorch can parse print back", True), ("it cannot parse survive", False)):
        of_kind = [good for file, good in zip(files, passed) if file.with_suffix(".roundtrip.ir").exists() == canonical]
        print(f"graphs that {kind}: {sum(of_kind)} of {len(of_kind)} ({100 * sum(of_kind) / max(1, len(of_kind)):.1f} %)")
    return {f"graphs/{file.stem}" for file, good in zip(files, passed) if good}


def bench_result(tool, case, level, file):
    """What a benchmark gives: its pickle, and its storages as float32 numbers; None when it fails."""
    command = [tool, level, "--seed", "0", "--entry", case["entry"], "--args", case["args"], "--output", file,
               SHARED / "bench/cases" / case["file"]]
    try:
        code = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60).returncode
    except subprocess.TimeoutExpired:
        return None
    if code != 0:
        return None
    with zipfile.ZipFile(file) as archive:
        parts = {name.partition("/")[2]: archive.read(name) for name in sorted(archive.namelist())}
    storages = [array.array("f", data[:len(data) & ~3]) for name, data in parts.items() if name.startswith("data/")]
    return parts["data.pkl"], storages


def is_close(one, other):
    """Bit for bit, or to 1e-4 of the largest number."""
    if one.tobytes() == other.tobytes():
        return True
    scale = max(map(abs, one), default=0)
    return len(one) == len(other) and all(abs(a - b) <= 1e-4 * scale for a, b in zip(one, other))


def bench_passes(tool, case, scratch):
    plain, optimized = (bench_result(tool, case, level, pathlib.Path(scratch) / "result.pt") for level in ("-O0", "-O2"))
    return plain is not None and optimized is not None and plain[0] == optimized[0] and \
        len(plain[1]) == len(optimized[1]) and all(map(is_close, plain[1], optimized[1]))


def measure_bench(build, scratch):
    cases = json.loads((SHARED / "bench/cases.json").read_text())
    return {f"bench/{case['name']}" for case in cases if bench_passes(build / "bin/tsc-run", case, scratch)}


def validate_passes(build):
    """Whether no pass of O3 changes what a recorded graph computes, over about a thousand of them."""
    archives = [SHARED / "corpus/graphs.tar.gz", *sorted((SHARED / "corpus/run").glob("*.tar.gz"))]
    command = [sys.executable, SOURCE / "utils/check_validation.py", "--tsc-opt", build / "bin/tsc-opt",
               "--jobs", str(os.cpu_count()), "--limit", "1000", *archives]
    return subprocess.run(command).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--validate", action="store_true", help="also compare recorded graphs before and after the passes of O3 (long)")
    options = parser.parse_args()
    if options.update and options.limit:
        parser.error("--update needs every case")
    tried, passing = measure_runs(options)
    if not options.limit:
        with tempfile.TemporaryDirectory() as scratch:
            passing |= measure_graphs(options.build, scratch) | measure_bench(options.build, scratch)
    passing = {name for name in passing if not name.startswith(BY_CHANCE)}
    if options.update:
        LIST.write_text("".join(name + "\n" for name in sorted(passing)))
        print(f"{len(passing)} cases pass; list written")
        return
    before = set(LIST.read_text().splitlines()) if LIST.exists() else set()
    if options.limit:
        before &= tried
    lost = sorted(before - passing)
    for name in lost:
        print(f"passed before and fails now: {name}")
    print(f"{len(passing)} recorded cases pass, {len(lost)} of {len(before)} that passed before fail")
    valid = not options.validate or validate_passes(options.build)
    sys.exit(bool(lost) or not valid)


if __name__ == "__main__":
    main()
