#!/usr/bin/env python3
"""Runs the commands that README.md shows, and fails unless each prints what is shown below it.

usage: run_readme.py SOURCE_DIR BIN_DIR

A block of commands with a picture behind it shows no output: there the commands have to be those of the picture's scene,
which `utils/record_terminal.py --check` runs. Links to files of the tree have to lead somewhere.
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(?:^    .*\n)(?:(?:    .*)?\n)*", re.M)
PICTURE = re.compile(r"\s*!\[[^]]+\]\(([^)]+)\.svg\)")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def blocks(page):
    """(lines, picture) of each indented block that begins with a prompt; picture is the path before .svg, or None."""
    for match in BLOCK.finditer(page):
        lines = [line[4:] for line in match[0].rstrip().splitlines()]
        if lines[0].startswith("$ "):
            picture = PICTURE.match(page, match.end())
            yield lines, picture and picture[1]


def commands_of(scene):
    return [line for line in scene.read_text().splitlines() if line.startswith("$ ")] if scene.exists() else []


def run(lines, source, tools):
    """What a terminal shows when the commands of a block are given."""
    shown = []
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(source.resolve() / "examples", pathlib.Path(folder, "examples"))
        environment = {**os.environ, "PATH": os.pathsep.join([str(tools.resolve()), os.environ.get("PATH", os.defpath)])}
        for line in lines:
            if line.startswith("$ "):
                done = subprocess.run(["sh", "-c", line[2:]], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                shown += [line, *done.stdout.splitlines()]
                if done.returncode != 0:
                    shown.append(f"(ended with {done.returncode})")
    return shown


def main():
    source, tools = map(pathlib.Path, sys.argv[1:])
    page = (source / "README.md").read_text()
    bad = [f"README.md: '{link}' leads nowhere" for link in LINK.findall(page) if not (source / link).exists()]
    runs = pictures = 0
    for lines, picture in blocks(page):
        if picture:
            pictures += 1
            made = commands_of(source / (picture + ".txt"))
        else:
            runs += 1
            made = run(lines, source, tools)
        if made != lines:
            bad += difflib.unified_diff(lines, made, "README.md", (picture or "bin") + (".txt" if picture else ""), lineterm="")
    if not runs or not pictures:
        bad.append(f"README.md: {runs} commands with output and {pictures} pictures were found; it should have some of each")
    sys.exit("\n".join(bad) if bad else 0)


if __name__ == "__main__":
    main()
