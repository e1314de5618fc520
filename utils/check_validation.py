#!/usr/bin/env python3
"""Runs passes over recorded graphs with translation validation, and counts what was checked.

usage: check_validation.py [--tsc-opt PATH] [--passes PIPELINE] [--runs N] [--limit N] [--verbose] WHERE...

WHERE is a folder or a .tar.gz (its *.ir files, at any depth) or passes.jsonl.gz: then the pass that each record names runs over its
graph of before, unless --passes says otherwise. A graph is
  checked    it ran, and did the same after every pass
  skipped    it cannot be run (classes or operators that nobody defined), or takes other inputs after a pass
  different  a pass changed what it does, or broke it
The last line is the figure; the exit status is 1 when a graph is different, or the tool crashed.
"""
import argparse
import collections
import concurrent.futures
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile


def find_tool(name):
    builds = sorted(pathlib.Path.cwd().glob("build*/**/bin/" + name), key=lambda path: path.stat().st_mtime)
    return os.environ.get(name.upper().replace("-", "_")) or (str(builds[-1]) if builds else shutil.which(name))


def read_cases(where, passes):
    """(name, pipeline, text) of each graph."""
    if where.is_dir():
        for path in sorted(where.rglob("*.ir")):
            if not path.name.endswith(".roundtrip.ir"):
                yield str(path.relative_to(where)), passes, path.read_text(errors="replace")
    elif where.name.endswith(".tar.gz"):
        with tarfile.open(where) as archive:
            for member in archive:
                if member.name.endswith(".ir") and not member.name.endswith(".roundtrip.ir"):
                    yield member.name, passes, archive.extractfile(member).read().decode(errors="replace")
    else:
        for line in gzip.open(where, "rt"):
            record = json.loads(line)
            yield record["id"], passes or record["name"].removeprefix("_jit_pass_"), record["before"]


def check(tool, runs, case):
    name, passes, text = case
    command = [tool, f"-validate={runs}", "-v", "-verify-each", "-crash-reproducer=", f"-passes={passes}", "-"]
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return "timeout", passes, ""
    err = done.stderr.decode(errors="replace")
    if done.returncode < 0:
        return "crash", passes, f"signal {-done.returncode}"
    if done.returncode == 2:
        return ("unknown pass" if "there is no pass" in err else "unreadable"), passes, err.split("\n")[0]
    if done.returncode == 1:
        return "different", passes, err[err.find("error:"):].strip()
    skipped = re.findall(r"^validate: (.*)$", err, re.M)
    return ("skipped", passes, skipped[0]) if skipped else ("checked", passes, "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tsc-opt")
    parser.add_argument("--passes")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=int, default=0, help="take about so many graphs, evenly spread")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true", help="also print why graphs were skipped")
    parser.add_argument("where", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    tool = options.tsc_opt or find_tool("tsc-opt")
    if not tool:
        sys.exit("no tsc-opt")
    cases = [case for where in options.where for case in read_cases(where, options.passes or (not where.name.endswith(".jsonl.gz") and "O3"))]
    if options.limit and len(cases) > options.limit:
        cases = [cases[int(i * len(cases) / options.limit)] for i in range(options.limit)]
    by_pass, why, total = collections.defaultdict(collections.Counter), collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for case, (what, passes, text) in zip(cases, pool.map(lambda case: check(tool, options.runs, case), cases)):
            by_pass[passes][what] += 1
            total[what] += 1
            if what in ("different", "crash", "timeout"):
                print(f"{case[0]}: {passes}: {what}: {text}\n")
            elif what == "skipped":
                why[re.sub(r"\d+", "#", text)[:120]] += 1
    for passes, counts in sorted(by_pass.items()):
        print(f"{passes[:50]:50} {dict(counts)}")
    if options.verbose:
        for text, count in why.most_common(40):
            print(f"{count:6} {text}")
    print(f"{total['checked']} of {len(cases)} graphs checked, {total['different']} different, {total['crash']} crash, {total['timeout']} time out, "
          f"{total['skipped']} cannot be run, {total['unknown pass']} without the pass, {total['unreadable']} unreadable")
    sys.exit(bool(total["different"] or total["crash"] or total["timeout"] or not cases))


if __name__ == "__main__":
    main()
