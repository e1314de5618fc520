#!/usr/bin/env python3
"""Writes the CHECK lines of lit tests from what the tools print.

usage: update_test_checks.py [--build DIR] TEST.ir...

Each graph of a test gets, above it, what its RUN line prints for it: `CHECK-LABEL:` with the graph's head and
`CHECK-NEXT:` for each line after. Numbers of values become FileCheck variables, so that renumbering changes nothing. RUN
lines of the form `tool … %s | FileCheck %s [--check-prefix=P]` are taken; each prefix gets lines of its own. Comments and
check lines of other prefixes stay. The graphs need names (`graph @name(…)`), by which output and test are matched; a
test that says what it shows in fewer words is the better test, so read what comes out.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
RUN = re.compile(r"#\s*RUN:\s*(.*?)\s*\|\s*FileCheck %s(.*)$")
HEAD = re.compile(r"^graph @([\w.-]+)")
VALUE = re.compile(r"%([A-Za-z0-9_.]+)")


def runs_of(text):
    """(command, prefix) of each RUN line that pipes into FileCheck."""
    for line in text.splitlines():
        if match := RUN.match(line):
            prefix = re.search(r"--?check-prefix(?:es)?[= ](\w[\w-]*)", match.group(2))
            yield match.group(1), prefix.group(1) if prefix else "CHECK"


def graphs_of(output):
    """The lines of each named graph that was printed."""
    graphs, name = {}, None
    for line in output.splitlines():
        if head := HEAD.match(line):
            name = head.group(1)
            graphs[name] = []
        if name and line.strip():
            graphs[name].append(line.rstrip())
    return graphs


class Variables:
    """Gives each numbered value of a graph a FileCheck variable, named by what defines it."""

    def __init__(self):
        self.names, self.taken = {}, set()

    def define(self, value, hint):
        base = re.sub(r"\W", "_", hint).upper() or "V"
        name, number = base, 1
        while name in self.taken:
            number += 1
            name = f"{base}{number}"
        self.taken.add(name)
        self.names[value] = name
        return f"[[{name}:%[0-9]+]]"

    def line(self, text):
        """The pattern of one printed line: what stands before ` = `, or in the head of a block, is defined there."""
        if text.lstrip().startswith("block"):
            definitions, uses, hint = text, "", "arg"
        else:
            definitions, equals, uses = text.partition(" = ")
            hint = re.match(r"(?:\w+::)?(\w*)", uses).group(1)
            definitions, uses = (definitions + equals, uses) if equals else ("", text)

        def define(match):
            return self.define(match.group(1), hint) if match.group(1).isdigit() else match.group(0)

        def use(match):
            return f"[[{self.names[match.group(1)]}]]" if match.group(1) in self.names else match.group(0)

        literal = lambda part: part.replace("[[", "{{\\[\\[}}")  # else FileCheck would see a variable
        return VALUE.sub(define, literal(definitions)) + VALUE.sub(use, literal(uses))


def check_lines(prefix, graph):
    variables = Variables()
    return [f"# {prefix}-LABEL: {graph[0]}"] + [f"# {prefix}-NEXT:  {variables.line(line)}" for line in graph[1:]]


def update(path, tools):
    text = path.read_text()
    produced = []
    for command, prefix in runs_of(text):
        for name, tool in tools.items():
            command = re.sub(rf"(?<![\w/.-]){name}(?![\w/.-])", str(tool), command)
        done = subprocess.run(command.replace("%s", str(path)), shell=True, capture_output=True, text=True, cwd=SOURCE)
        if done.returncode != 0:
            print(f"{path}: exit code {done.returncode} of: {command}\n{done.stderr}", end="")
            return False
        produced.append((prefix, graphs_of(done.stdout)))
    if not produced:
        print(f"{path}: no RUN line pipes into FileCheck %s")
        return False
    prefixes = "|".join(sorted({re.escape(prefix) for prefix, _ in produced}))
    old_check = re.compile(rf"^\s*#\s*(?:{prefixes})(?:-LABEL|-NEXT|-NOT|-SAME|-DAG|-EMPTY|-COUNT-\d+)?:")
    lines = []
    for line in text.splitlines():
        if old_check.match(line):
            continue
        if head := HEAD.match(line):
            for prefix, graphs in produced:
                if head.group(1) in graphs:
                    lines += check_lines(prefix, graphs[head.group(1)])
        lines.append(line)
    new = "\n".join(lines) + "\n"
    if new != text:
        path.write_text(new)
        print(f"{path}: updated")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build/development")
    parser.add_argument("tests", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    tools = {name: options.build.resolve() / "bin" / name for name in ("tsc-opt", "tsc-run") if (options.build / "bin" / name).exists()}
    sys.exit(not all([update(path.resolve(), tools) for path in options.tests]))


main()
