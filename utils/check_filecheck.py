#!/usr/bin/env python3
"""Applies the checks that PyTorch's authors wrote about graphs to what our passes make of the same graphs.

usage: check_filecheck.py [--tsc-opt PATH] [--need PERCENT] [--only PASS] [--verbose] FILECHECK.jsonl PASSES.jsonl.gz

A recorded text belongs to a pass when it is what PyTorch's pass left (`after`) in the same test, up to the names of values,
what types tell of tensors, and comments. Our pass runs over that record's `before`, and the checks run over our text. Checks
that do not hold of PyTorch's own `after`, as recorded, say nothing and are left out. The last line is the rate over the
passes we have.
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


class CheckFailed(Exception):
    pass


class Text:
    """A text that calls of FileCheck go through from its beginning to its end, as torch.testing.FileCheck does."""

    def __init__(self, text):
        self.text = text
        self.end = 0  # of the last match
        self.absent = []  # check_not calls since then

    def find(self, wanted, start):
        at = self.text.find(wanted, start)
        if at < 0:
            raise CheckFailed(f"'{wanted}' is not found")
        return at

    def close_absent(self, end):
        """What must be absent must be so from the last match up to the next one."""
        for unwanted in self.absent:
            if unwanted in self.text[self.end:end]:
                raise CheckFailed(f"'{unwanted}' is there")
        self.absent = []

    def match(self, at, length):
        self.close_absent(at)
        self.end = at + length

    def check(self, wanted):
        self.match(self.find(wanted, self.end), len(wanted))

    def check_not(self, unwanted):
        self.absent.append(unwanted)

    def check_next(self, wanted):
        at = self.find(wanted, self.end)
        if self.text.count("\n", self.end, at) != 1:
            raise CheckFailed(f"'{wanted}' is not on the next line")
        self.match(at, len(wanted))

    def check_same(self, wanted):
        at = self.find(wanted, self.end)
        if "\n" in self.text[self.end:at]:
            raise CheckFailed(f"'{wanted}' is not on the same line")
        self.match(at, len(wanted))

    def check_count(self, wanted, count, exactly=False):
        for _ in range(count):
            self.check(wanted)
        if exactly:
            self.check_not(wanted)

    def check_dag(self, wanted_group):
        """Consecutive check_dag calls may match in any order."""
        places = [(self.find(wanted, self.end), len(wanted)) for wanted in wanted_group]
        self.close_absent(min(at for at, _ in places))
        self.end = max(at + length for at, length in places)

    def run(self, checks):
        i = 0
        while i != len(checks):
            name, *arguments = checks[i]
            if name == "check_dag":
                group = []
                while i != len(checks) and checks[i][0] == "check_dag":
                    group.append(checks[i][1])
                    i += 1
                self.check_dag(group)
                continue
            getattr(self, name)(*arguments)
            i += 1
        self.close_absent(len(self.text))


def problem(text, checks):
    """Why the checks do not hold; none when they do."""
    try:
        Text(text).run(checks)
    except CheckFailed as failure:
        return str(failure)
    return None


def skeleton(text):
    """A graph without comments, scopes, what is known of tensors, and with its values renamed in order."""
    text = re.sub(r"#.*", "", text)
    text = re.sub(r", scope: [^\n]*", "", text)
    text = re.sub(r"\b(?:Float|Double|Half|BFloat16|Long|Int|Short|Char|Byte|Bool|ComplexFloat|ComplexDouble|Tensor)(?:Tensor)?\([^()]*(?:\([^()]*\)[^()]*)*\)", "Tensor", text)
    names = {}
    text = re.sub(r"%[\w.]+", lambda match: names.setdefault(match.group(0), f"%{len(names)}"), text)
    return " ".join(text.split())


def find_tool(name):
    builds = sorted(pathlib.Path.cwd().glob("build*/**/bin/" + name), key=lambda path: path.stat().st_mtime)
    return os.environ.get(name.upper().replace("-", "_")) or (str(builds[-1]) if builds else shutil.which(name))


def pair_up(texts, records):
    """(text record, pass record): the pass that left the text; one that changed the graph before one that did not."""
    left_by = collections.defaultdict(list)
    for record in records:
        left_by[record["test"], skeleton(record["after"])].append(record)
    for text in texts:
        candidates = left_by.get((text["test"], skeleton(text["args"][-1])), [])
        if candidates:
            yield text, next((record for record in candidates if record["changed"]), candidates[-1])


def check(tool, known, pair):
    text, record = pair
    name = record["name"].removeprefix("_jit_pass_")
    checks = [call for call in text["checks"] if call[0] != "check_source_highlighted"]
    if not checks or problem(text["args"][-1], checks):
        return name, "says nothing", ""
    if name not in known:
        return name, "without the pass", ""
    command = [tool, "-crash-reproducer=", "-fill-constants", "-print-ranges", f"-passes={name}", "-"]
    try:
        done = subprocess.run(command, input=record["before"], capture_output=True, text=True, errors="replace", timeout=30)
    except subprocess.TimeoutExpired:
        return name, "fails", "time out"
    if done.returncode != 0:
        return name, "fails", f"exit code {done.returncode}: {done.stderr.splitlines()[0] if done.stderr else ''}"
    why = problem(done.stdout, checks)
    return (name, "fails", why) if why else (name, "holds", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tsc-opt")
    parser.add_argument("--need", type=float)
    parser.add_argument("--only")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("texts")
    parser.add_argument("passes")
    options = parser.parse_args()
    tool = options.tsc_opt or find_tool("tsc-opt")
    if not tool:
        sys.exit("no tsc-opt")
    known = set(re.findall(r"[\w-]+", subprocess.run([tool, "-help"], capture_output=True, text=True).stdout))
    texts = [text for text in map(json.loads, open(options.texts)) if text["graph"]]
    records = [record for record in map(json.loads, gzip.open(options.passes, "rt")) if record["name"].endswith(options.only or "")]
    pairs = list(pair_up(texts, records))
    table, total = collections.defaultdict(collections.Counter), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (text, record), (name, what, why) in zip(pairs, pool.map(lambda pair: check(tool, known, pair), pairs)):
            table[name][what] += 1
            total[what] += 1
            if what == "fails" and options.verbose:
                print(f"{text['id']} {record['id']} {name}: {why}")
    for name, counts in sorted(table.items()):
        print(f"{name:45} {dict(counts)}")
    asked = total["holds"] + total["fails"]
    rate = 100 * total["holds"] / max(1, asked)
    print(f"{len(texts)} texts of graphs, {len(pairs)} of them left by a recorded pass, {total['without the pass']} by one we have not; "
          f"the checks of {total['holds']} of {asked} hold ({rate:.1f} %)" + (f"; needs {options.need:g} %" if options.need else ""))
    sys.exit(options.need is not None and rate < options.need)


if __name__ == "__main__":
    main()
