#!/usr/bin/env python3
"""Run fuzz targets, one after the other, each for a time.

usage: run.py BUILD_DIR [--seconds N | --runs N] [--most-seeds N] [--without-shared] [--work DIR] [TARGET...]

The first inputs of a target are fuzz/seeds/TARGET, what examples/ and test/ have of its kind, the archives that
test/Serialization/Inputs/write_archive.py makes, and, where ../shared is present, what it offers of the kind. New inputs
and findings go to DIR/TARGET (default BUILD_DIR/fuzz-work). Prints for each target how many inputs were tried, and how many
calls these made of operators; the exit status is not 0 when one found something.
"""
import argparse
import functools
import importlib.util
import io
import json
import pathlib
import random
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
TARGETS = ("schema", "ir", "source", "compile", "archive", "pickle", "zip", "program", "operators")
MAX_SEED = 20_000  # bytes; libFuzzer learns more from small inputs


def lines_of(path):
    with open(path) as file:
        yield from map(json.loads, file)


def functions_of_corpus(key):
    if (path := SHARED / "corpus/sources.jsonl").exists():
        for case in lines_of(path):
            yield from (function[key].encode() for function in case.get("functions", []) if function.get(key))


def tests(suffix):
    yield from (path.read_bytes() for path in sorted((ROOT / "test").rglob("*" + suffix)) if "Inputs" not in path.parts)


@functools.cache
def written_archives():
    """The archives of the tests. Their names say what is odd about them."""
    path = ROOT / "test/Serialization/Inputs/write_archive.py"
    spec = importlib.util.spec_from_file_location("write_archive", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    archives = []
    with tempfile.TemporaryDirectory() as folder:
        for name, write in sorted(module.ARCHIVES.items()):
            write(f"{folder}/{name}.pt")
            archives.append(pathlib.Path(f"{folder}/{name}.pt").read_bytes())
    return archives


def source_seeds():
    yield from (path.read_bytes() for path in sorted((ROOT / "examples").glob("*.py")))
    yield from tests(".py")
    yield from functions_of_corpus("code")
    if (path := SHARED / "corpus/errors.jsonl").exists():
        yield from (case["source"].encode() for case in lines_of(path) if case.get("source"))


def ir_seeds():
    yield from tests(".ir")
    yield from functions_of_corpus("graph")
    if (path := SHARED / "corpus/graphs.tar.gz").exists():
        with tarfile.open(path) as graphs:
            members = [member for member in graphs if member.isfile()]
            yield from (graphs.extractfile(member).read() for member in members[::10])


def schema_seeds():
    for record in sorted((ROOT / "include/tsc/IR/Ops").glob("*.td")):
        yield from (schema.encode() for schema in re.findall(r'"(\w+::[^"]*\) -> [^"]*)"', record.read_text()))


def archive_seeds():
    """Whole archives, and the pickles inside of them."""
    yield from written_archives()
    for path in sorted(SHARED.glob("realworld/*/*.pt")):
        data = path.read_bytes()
        yield data
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                yield from (archive.read(name) for name in archive.namelist() if name.endswith(".pkl"))
        except zipfile.BadZipFile:
            pass


def entries_of_archives(suffix):
    paths = [*sorted((ROOT / "fuzz/seeds/archive").glob("*.pt")), *sorted(SHARED.glob("realworld/*/*.pt"))]
    for data in (*written_archives(), *(path.read_bytes() for path in paths)):
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                yield from (archive.read(name) for name in archive.namelist() if name.endswith(suffix))
        except (zipfile.BadZipFile, OSError):
            pass


def pickle_seeds():
    yield from entries_of_archives(".pkl")


def zip_seeds():
    """One entry, then more and more of them: sound files."""
    for entries in range(1, 9):
        yield bytes([entries]) + bytes(value for index in range(entries) for value in
                                       (0, index, index, 10, 0, 0, 10, 10, 10, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0)) + bytes([10] * 12)


def program_seeds():
    """Code of archives; the functions of recorded sources as methods of one."""
    head = "class Outer(Module):\n  __parameters__ = []\n  __buffers__ = []\n"
    yield from entries_of_archives(".py")
    for code in functions_of_corpus("code"):
        lines = code.decode(errors="replace").splitlines()
        yield (head + "\n".join("  " + line for line in lines)).encode()


def operator_seeds():
    """Sequences of sixteen records, which are calls (fuzz/FuzzOperators.cpp): of each operator several, by chance."""
    chosen = random.Random(1)
    yield from (chosen.randbytes(16 * 48) for _ in range(1000))


SEEDS = {"source": source_seeds, "compile": source_seeds, "ir": ir_seeds, "schema": schema_seeds, "archive": archive_seeds,
         "pickle": pickle_seeds, "zip": zip_seeds, "program": program_seeds, "operators": operator_seeds}


def write_seeds(target, folder, most):
    """At most so many, from the whole of them."""
    seeds = [seed for seed in SEEDS[target]() if 0 < len(seed) <= MAX_SEED]
    for index, seed in enumerate(seeds[::max(1, -(-len(seeds) // most))]):
        (folder / str(index)).write_bytes(seed)


def fuzz(target, work, options):
    """What was tried, in words, and whether something was found."""
    corpus, seeds = work / target / "corpus", work / target / "seeds"
    for folder in (corpus, seeds):
        folder.mkdir(parents=True, exist_ok=True)
    write_seeds(target, seeds, options.most_seeds)
    folders = [corpus, seeds] + [folder for folder in [ROOT / "fuzz/seeds" / target] if folder.is_dir()]
    dictionary = ROOT / "fuzz" / f"{target}.dict"
    limits = [f"-runs={options.runs}", "-seed=1"] if options.runs else [f"-max_total_time={options.seconds}"]
    timeout = 60 if target == "operators" else 10  # its calls are cancelled, and end soon after where a processor is free
    command = [options.build / "bin" / f"fuzz-{target}", *limits, f"-artifact_prefix={work / target}/", f"-timeout={timeout}",
               "-rss_limit_mb=2048", "-print_final_stats=1", *([f"-dict={dictionary}"] if dictionary.exists() else []), *folders]
    result = subprocess.run(command, capture_output=True, text=True, errors="replace")
    (work / target / "log").write_text(result.stderr)

    def last(name):
        found = re.findall(rf"\b{name}:\s*(\d+)", result.stderr)
        return int(found[-1]) if found else 0

    tried = f"{last('stat::number_of_executed_units'):10} inputs, {last('cov'):7} edges covered"
    if calls := last("stat::number_of_calls"):
        tried += f", {calls} calls of {last('stat::operators')} operators, {last('stat::operators_with_result')} of which gave a result"
    return tried, result.returncode != 0


def main():
    global SHARED
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--runs", type=int, help="so many inputs, the same ones each time, in the place of a time")
    parser.add_argument("--most-seeds", type=int, default=1_000_000)
    parser.add_argument("--without-shared", action="store_true", help="no seeds from ../shared")
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("targets", nargs="*", default=TARGETS)
    options = parser.parse_intermixed_args()
    if options.without_shared:
        SHARED = pathlib.Path("/nonexistent")
    work = options.work or options.build / "fuzz-work"
    failed = False
    for target in options.targets:
        tried, found = fuzz(target, work, options)
        failed |= found
        print(f"{target:10} {tried}, " + (f"a finding: {work / target}/log" if found else "nothing found"), flush=True)
    sys.exit(failed)


main()
