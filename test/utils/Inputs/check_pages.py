"""Whether manual pages hold all that the tools print with --help, as a reader of the pages sees it.

usage: check_pages.py BIN_DIR PAGES

Reads the help texts in its own way: a line's text is what stands behind its last wide gap, and in a page it follows the
name. Without man, only the sources of the pages are looked at, and it says so.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

bin_dir, pages = map(pathlib.Path, sys.argv[1:])
has_man = bool(shutil.which("man")) and subprocess.run(["man", "--version"], capture_output=True).returncode == 0
problems = []


def squeezed(text):
    return " ".join(text.replace("\u2010", "-").split())


def rendered(page):
    """The text of a page, and what man warns of."""
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "MANWIDTH": "100", "PAGER": "cat"}
    done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", page], capture_output=True, text=True, env=environment)
    return re.sub(".\b|\x1b\\[[0-9;]*m", "", done.stdout), done.stderr  # without bold and underlining


def unescaped(source):
    """The text of a page without man: troff's escapes and requests as this script knows them."""
    lines = [line for line in source.splitlines() if not line.startswith(".") or line.startswith(".SH")]
    text = re.sub(r"\\f[BIR]|\\&", "", "\n".join(lines).replace(".SH ", ""))
    for escape, character in {r"\-": "-", r"\(aq": "'", r"\(ga": "`", r"\(ha": "^", r"\(ti": "~", r"\(dq": '"', r"\e": "\\"}.items():
        text = text.replace(escape, character)
    return text


for page in sorted(pages.glob("*.1")):
    help = subprocess.run([bin_dir / page.stem, "--help"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
    text, warnings = rendered(page) if has_man else (unescaped(page.read_text()), "")
    if warnings:
        problems.append(f"{page.name}: {warnings.strip()}")
    text = squeezed(text)
    for line in help.splitlines():
        name = re.match(r"  (--?[A-Za-z][\w-]*|\w[\w-]*)(?=[ =\[])", line)
        if not name or name[1] == page.stem:
            continue  # an overview, a heading or a choice; or an example, of which pages have their own
        last = re.split(r" {2,}(?:- +)?| - ", line.strip())[-1]
        last = squeezed(re.sub(r"^-[a-z]: ", "", last))  # without a second name
        before = [text[max(0, at.start() - 80):at.end()] for at in re.finditer(re.escape(last), text)]
        if not any(re.search(rf"(?<![\w-]){name[1]}(?![\w-])", part) for part in before):
            problems.append(f"{page.name}: '{name[1]}' is missing, or its text: {last}")
    for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"):
        if not re.search(rf'^\.SH "?{section}"?$', page.read_text(), re.M):
            problems.append(f"{page.name}: there is no section {section}")
    if has_man and shutil.which("lexgrog") and subprocess.run(["lexgrog", page], capture_output=True).returncode:
        problems.append(f"{page.name}: apropos finds no line to show")

if problems:
    sys.exit("\n".join(problems))
print(f"{len(list(pages.glob('*.1')))} pages hold what the tools print" + ("" if has_man else "; man is not installed: how they look was not checked"))
