#!/usr/bin/env python3
"""Write cmake/startup-order.txt: the functions that run when a program starts and loads an archive.

usage: order_startup.py BUILD_DIR PROGRAM...

The linker puts what the file lists in one place, so that a process that loads an archive reads a megabyte of program text and
not, by pages here and there, ten. Names that a build lacks are passed over, so the file need not be renewed with
each change. BUILD_DIR/bin/tsc-run (of the preset `release`) runs with --check-only --allow-setstate under valgrind's
callgrind, which counts calls."""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORD = re.compile(r"(c?)(ob|fn)=\((\d+)\)(?: (.*))?")


def functions_of(profile, program):
    """The mangled names of the functions of `program` that ran."""
    objects, functions, current, found = {}, {}, "", set()
    for line in profile.read_text(errors="replace").splitlines():
        if not (match := RECORD.match(line)):
            continue
        is_callee, kind, number, name = match.groups()
        table = objects if kind == "ob" else functions
        if name:
            table[number] = name
        if kind == "ob" and not is_callee:
            current = table[number]
        elif kind == "fn" and not is_callee and current == str(program):
            found.add(re.sub(r"'\d+$", "", table[number]))  # 'n: the depth of a recursion
    return found


def run(program, arguments, scratch):
    profile = scratch / "profile"
    profile.unlink(missing_ok=True)
    subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", "--demangle=no", program, *arguments],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if not profile.exists():
        sys.exit("no profile: is valgrind installed?")
    return functions_of(profile, program)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    tool = (options.build / "bin/tsc-run").resolve()
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        start = run(tool, ["--version"], scratch)
        loading = set().union(*(run(tool, ["--check-only", "--allow-setstate", program], scratch) for program in options.programs))
    mangled = [[name for name in sorted(names) if name.startswith("_Z")] for names in (start, loading - start)]
    (ROOT / "cmake/startup-order.txt").write_text("\n".join(sum(mangled, [])) + "\n")
    print(f"{len(mangled[0])} functions at the start, {len(mangled[1])} more to load")


if __name__ == "__main__":
    main()
