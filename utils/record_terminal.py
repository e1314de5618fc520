#!/usr/bin/env python3
"""Runs the commands of scenes and draws what a terminal would show of them, as SVG.

usage: record_terminal.py BUILD [SCENE.txt...]            writes SCENE.svg beside each scene
       record_terminal.py --check BUILD [SCENE.txt...]    fails when a picture is not what the tools print now

The tools are those of BUILD/bin. Without scenes, those of docs/pictures are taken. A scene is a text file:

    # A comment.
    title: What the picture shows          stands in the bar above the terminal
    file: policy.py                        a file beside the scene, which the commands find where they run
    $ tsc-run policy.py                    a command of the shell
    exit: 2                                how the command above ends, if not with 0
    keep: curve.svg                        the picture is this file, which the commands write, in place of a terminal
    tolerance: 1                           --check takes numbers of a kept file that differ by so much at most

Commands run in an empty folder, in which `examples` is that of the source tree. The same output gives the same bytes.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unicodedata
from xml.sax.saxutils import escape

SOURCE = pathlib.Path(__file__).resolve().parent.parent
PICTURES = SOURCE / "docs" / "pictures"

# Whole pixels, so that no number in a picture depends on how a float is printed. `textLength` holds each piece of text
# to the grid, whatever font the reader's machine has.
CELL, LINE, MARGIN, BAR = 8, 18, 16, 32
STYLE = {
    "prompt": "#7ee787",
    "command": "#ffffff",
    "output": "#d0d7de",
    "error": "#ff7b72",
    "warning": "#e3b341",
    "note": "#79c0ff",
    "caret": "#7ee787",
}
DIAGNOSTIC = re.compile(r"\b(error|warning|note|remark):")
CARET = re.compile(r"\s*\^?~*\^?~*(?: <--- HERE)?\s*")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


class SceneError(Exception):
    """A sentence about a scene, for the one who wrote it."""


class Command:
    def __init__(self, text):
        self.text, self.status = text, 0


class Scene:
    """One scene file, read and checked."""

    def __init__(self, path):
        self.path, self.picture = path, path.with_suffix(".svg")
        self.title, self.files, self.commands, self.keep, self.tolerance = path.stem, [], [], None, 0.0
        try:
            lines = path.read_text().splitlines()
        except OSError as error:
            raise SceneError(f"{path}: cannot read the scene: {error.strerror}")
        except UnicodeDecodeError:
            raise SceneError(f"{path}: a scene is text in UTF-8, and this file is not")
        for number, line in enumerate(lines, 1):
            try:
                self.read(line)
            except SceneError as error:
                raise SceneError(f"{path}:{number}: {error}")
        if not self.commands:
            raise SceneError(f"{path}: a scene needs a line that begins with '$ ' and holds a command")

    def read(self, line):
        if line.startswith("$ "):
            self.commands.append(Command(line[2:].strip()))
            return
        if not line.strip() or line.startswith("#"):
            return
        key, colon, value = line.partition(":")
        value = value.strip()
        if not colon or key not in ("title", "file", "exit", "keep", "tolerance"):
            raise SceneError("a line is '$ COMMAND', '# COMMENT', or begins with title:, file:, exit:, keep: or tolerance:")
        if key == "title":
            self.title = value
        elif key == "file":
            if not (self.path.parent / value).is_file():
                raise SceneError(f"there is no file '{value}' beside the scene")
            self.files.append(value)
        elif key == "exit":
            if not self.commands or not value.isdigit():
                raise SceneError("'exit: NUMBER' stands below the command that ends so")
            self.commands[-1].status = int(value)
        elif key == "keep":
            self.keep = value
        else:
            try:
                self.tolerance = float(value)
            except ValueError:
                raise SceneError(f"'tolerance:' takes a number, and '{value}' is none")


def run(scene, tools):
    """Runs the commands. Returns the picture's text."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name, "work")
        folder.mkdir()
        (folder / "examples").symlink_to(SOURCE / "examples")
        for file in scene.files:
            (folder / file).write_bytes((scene.path.parent / file).read_bytes())
        environment = {"PATH": os.pathsep.join([str(tools), os.environ.get("PATH", os.defpath)]), "HOME": name,
                       "XDG_CACHE_HOME": name, "LC_ALL": "C.UTF-8", "TERM": "dumb"}
        environment |= {key: value for key, value in os.environ.items() if key.endswith("SAN_OPTIONS")}
        shown = []
        for command in scene.commands:
            done = subprocess.run(["sh", "-c", command.text], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            output = done.stdout.decode(errors="replace").expandtabs(8)
            if done.returncode != command.status:
                raise SceneError(f"{scene.path}: '{command.text}' ended with {done.returncode}, not {command.status}:\n{output}".rstrip())
            if control := next((c for c in output if unicodedata.category(c) == "Cc" and c != "\n"), None):
                raise SceneError(f"{scene.path}: '{command.text}' printed the control character {control!r}, which no picture can show")
            shown.append((command.text, output))
        if scene.keep is None:
            return draw(scene.title, shown)
        try:
            return (folder / scene.keep).read_text()
        except OSError:
            raise SceneError(f"{scene.path}: no command wrote '{scene.keep}', which the scene keeps")


def width_of(text):
    """The number of cells that a text takes."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def pieces_of(line):
    """(kind, text) of the parts of one line of output that have colours of their own."""
    if "^" in line and CARET.fullmatch(line) or "<--- HERE" in line:
        return [("caret", line)]
    if match := DIAGNOSTIC.search(line):
        kind = "note" if match[1] == "remark" else match[1]
        return [("output", line[:match.start()]), (kind, match[0]), ("command", line[match.end():])]
    return [("output", line)]


def draw(title, shown):
    """Draws commands and their output as a terminal."""
    rows = []
    for command, output in shown:
        rows.append([("prompt", "$ "), ("command", command)])
        rows += [pieces_of(line) for line in output.splitlines()]
    columns = max(width_of(title), *(sum(width_of(text) for _, text in row) for row in rows))
    width, height = 2 * MARGIN + CELL * columns, BAR + LINE * len(rows) + MARGIN
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
           'font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="13" xml:space="preserve">',
           f"<title>{escape(title)}</title>",
           f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>',
           f'<text x="{width // 2}" y="21" text-anchor="middle" fill="#8b949e">{escape(title)}</text>']
    for number, row in enumerate(rows):
        column, y = 0, BAR + LINE * number + 13
        for kind, text in row:
            # Blanks at the ends are not drawn: readers of SVG disagree about their width.
            begin = column + width_of(text) - width_of(text.lstrip())
            column += width_of(text)
            if word := text.strip():
                bold = ' font-weight="bold"' if kind in ("error", "warning", "note") else ""
                svg.append(f'<text x="{MARGIN + CELL * begin}" y="{y}" textLength="{CELL * width_of(word)}" '
                           f'lengthAdjust="spacingAndGlyphs" fill="{STYLE[kind]}"{bold}>{escape(word)}</text>')
    return "\n".join(svg) + "\n</svg>\n"


def agree(old, new, tolerance):
    """Whether two pictures are the same but for numbers that differ by no more than `tolerance`."""
    if old == new or tolerance == 0:
        return old == new
    return NUMBER.split(old) == NUMBER.split(new) and all(
        abs(float(a) - float(b)) <= tolerance for a, b in zip(NUMBER.findall(old), NUMBER.findall(new)))


def difference(scene, new):
    """A sentence when the scene's picture is not `new`, else None."""
    try:
        old = scene.picture.read_text()
    except OSError:
        return f"{scene.picture}: is missing"
    if not agree(old, new, scene.tolerance if scene.keep else 0):
        return f"{scene.picture}: is not what the tools print now"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("scenes", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    tools = (options.build / "bin").resolve()
    if not (tools / "tsc-run").exists():
        print(f"record_terminal.py: there is no {tools}/tsc-run: name a build folder whose tools are built", file=sys.stderr)
        sys.exit(2)
    stale = []
    try:
        scenes = [Scene(path) for path in options.scenes or sorted(PICTURES.glob("*.txt"))]
    except SceneError as error:
        print(f"record_terminal.py: {error}", file=sys.stderr)
        sys.exit(2)
    if not options.scenes:
        known = {scene.picture for scene in scenes}
        stale += [f"{path}: has no scene" for path in sorted(PICTURES.glob("*.svg")) if path not in known]
    for scene in scenes:
        try:
            new = run(scene, tools)
        except SceneError as error:
            sys.exit(f"record_terminal.py: {error}")
        if options.check:
            stale += filter(None, [difference(scene, new)])
        elif difference(scene, new):
            scene.picture.write_text(new)
            print(f"{scene.picture}: written")
    if stale:
        sys.exit("\n".join(stale + [f"look at what changed, and run: utils/record_terminal.py {options.build}"]))


if __name__ == "__main__":
    main()
