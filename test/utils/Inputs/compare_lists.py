"""Fails where lists of scripts that do not import one another differ: the parts of the check, and the tools.

usage: compare_lists.py SOURCE
"""
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(sys.argv[1])
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "utils"))
import choose_tests
import run_tests
import tool_help

problems = []


def compare(what, first, second):
    if first != second:
        problems.append(f"{what}: {first} and {second}")


def text(name):
    return (SOURCE / name).read_text()


def compare_parts():
    """A part that utils/check names and run_tests.py doesn't know fails; the other way round nobody would run it."""
    rows = re.search(r'^parts="\\\n(.*?)"$', text("utils/check"), re.M | re.S)[1].splitlines()
    table = {name: (build, runs_on) for build, runs_on, name, _ in (row.split(maxsplit=3) for row in rows)}
    listed = subprocess.run([SOURCE / "utils/check", "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout
    compare("utils/check --list, its table", [line.split()[0] for line in listed.splitlines()], list(table))
    builds = table.pop("build")
    compare("the part build", builds, ("both", "no"))
    compare("parts of utils/check and of run_tests.py", list(table), list(run_tests.PARTS))
    for name in table.keys() & run_tests.PARTS.keys():
        part = run_tests.PARTS[name]
        compare(f"part {name}", table[name], (part.build, part.runs_on))


def compare_tools():
    """Every tool of tools/ is tested, built, packed, and has its help read."""
    tools = sorted(folder.name for folder in (SOURCE / "tools").iterdir() if folder.is_dir())
    compare("tools/, utils/tool_help.py", tools, sorted(tool_help.TOOLS))
    compare("tools/, test/lit.cfg.py", sorted([*tools, "tsc-tblgen"]), sorted(choose_tests.lit_table("tools")))
    shipped = re.search(r"^shipped=\((.*)\)$", text("utils/check"), re.M)[1].split()
    compare("tools/, shipped of utils/check", tools, sorted(word for word in shipped if word.startswith("tsc-")))
    for name in ("utils/package", "utils/check_packages.py"):
        words = set(re.findall(r"(?<![\w/-])tsc-\w+(?![\w/-])", text(name)))
        missing = [tool for tool in tools if tool not in words]
        if missing and "tool_help" not in text(name):
            problems.append(f"{name} does not name {', '.join(missing)}")


compare_parts()
compare_tools()
sys.exit("\n".join(problems) or 0)
