#!/usr/bin/env python3
"""Compares our passes with recorded runs of PyTorch's: what is left of a graph, and whether it still does the same.

usage: check_passes.py PASSES.jsonl.gz [--tsc-opt PATH] [--need PERCENT] [--runs N] [--write]

Each record holds a graph before and after one of PyTorch's passes. Our pass of that name runs over the graph of before.
Its result must verify; where the graph can be run, it must do the same on random inputs (-validate); and its nodes are
counted against those of PyTorch's result. --need fails when a pass leaves no more nodes in less than so many of its
cases. --write puts the table into docs/Passes.md. --runs=0 counts nodes only, which takes seconds.
"""
import argparse
import collections
import concurrent.futures
import gzip
import json
import pathlib
import subprocess
import sys

from check_validation import check, find_tool
from generate_pass_docs import TABLE, read_passes

BEGIN, END = "<!-- measured by utils/check_passes.py -->", "<!-- end of the measured part -->"


def count_nodes(text):
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    return sum("::" in line and "(" in line and not line.startswith(("graph", "block", "with", "->", "return")) for line in lines)


def compare(tool, runs, record):
    """(fewer, same, more or the error, how validation ended)."""
    name = record["name"].removeprefix("_jit_pass_")
    run = subprocess.run([tool, "-verify-each", "-crash-reproducer=", "-passes=" + name, "-"], input=record["before"], capture_output=True, text=True)
    if run.returncode:
        return "unknown" if "there is no pass" in run.stderr else "unreadable" if run.returncode == 2 else "error", "skipped"
    difference = count_nodes(run.stdout) - count_nodes(record["after"])
    size = "more" if difference > 0 else "fewer" if difference < 0 else "same"
    return size, check(tool, runs, (record["id"], name, record["before"]))[0] if runs else "skipped"


def rows_of(tool, records, runs, jobs):
    """PyTorch's name -> how often each outcome came."""
    rows = collections.defaultdict(collections.Counter)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for record, (size, validation) in zip(records, pool.map(lambda record: compare(tool, runs, record), records)):
            row = rows[record["name"].removeprefix("_jit_pass_")]
            row["cases"] += 1
            row[size] += 1
            row[validation] += 1
            if size == "error" or validation in ("different", "crash"):
                print(f"{record['id']}: {record['name']}: {size}, {validation}")
    return dict(sorted(rows.items(), key=lambda row: -row[1]["cases"]))


def rate(row):
    return 100 * (row["fewer"] + row["same"]) / row["cases"]


def markdown(rows):
    ours = {name: each for each in read_passes() for name in each.pytorch_names}
    lines = ["| PyTorch's pass | ours | cases | fewer nodes | as many | more | not readable | no more than PyTorch's | run before and after: the same |",
             "|---|---|---|---|---|---|---|---|---|"]
    for name, row in rows.items():
        if row["unknown"]:
            lines.append(f"| `{name}` | none | {row['cases']} | | | | | | |")
            continue
        own = f"[`{ours[name].name}`](passes/{ours[name].name}.md)" if name in ours else "`optimize-frozen`"
        ran = row["checked"] + row["different"]
        lines.append(f"| `{name}` | {own} | {row['cases']} | {row['fewer']} | {row['same']} | {row['more'] + row['error']} | {row['unreadable']} | "
                     f"{rate(row):.1f} % | {str(row['checked']) + ' of ' + str(ran) if ran else ''} |")
    known = [row for row in rows.values() if not row["unknown"]]
    total = sum(known, collections.Counter())
    ran = total["checked"] + total["different"]
    lines.append(f"| all that we have | | {total['cases']} | {total['fewer']} | {total['same']} | {total['more'] + total['error']} | {total['unreadable']} | "
                 f"{rate(total):.1f} % | {str(total['checked']) + ' of ' + str(ran) if ran else ''} |")
    return "\n".join(lines), known


def write_table(text):
    head, rest = TABLE.read_text().split(BEGIN)
    TABLE.write_text(head + BEGIN + "\n" + text + "\n" + END + rest.split(END)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tsc-opt")
    parser.add_argument("--need", type=float, default=0)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("passes", type=pathlib.Path)
    options = parser.parse_args()
    tool = options.tsc_opt or find_tool("tsc-opt")
    rows = rows_of(tool, [json.loads(line) for line in gzip.open(options.passes, "rt")], options.runs, options.jobs)
    text, known = markdown(rows)
    print(text)
    if options.write:
        write_table(text)
    sys.exit(any(rate(row) < options.need or row["different"] or row["crash"] for row in known))


main()
