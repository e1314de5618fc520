"""Compiles each header of tsc-torch alone: compile_alone.py INCLUDE WRITTEN [STANDARD COMPILER]...

INCLUDE has all headers, WRITTEN those that are written by hand; those of ATen/ops are generated, and all alike. With pairs of a standard and
a compiler, each header is compiled with each pair. Without, each is compiled in the oldest standard by the first compiler, and the
header that includes most in other standards, in those that most hosts use by both compilers.

A header that another one begins with is compiled with that one. Most begin with ATen/Functions.h, directly or by what they include
first, and reading it is most of the work: it is precompiled, which changes nothing for what begins with it.
"""
import concurrent.futures
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

include, written = map(pathlib.Path, sys.argv[1:3])
compilers = [compiler for compiler in ("g++", "clang++-19") if shutil.which(compiler)]
pairs = list(zip(sys.argv[3::2], sys.argv[4::2]))
standards = {"g++": ("c++17", "c++20"), "clang++-19": ("c++17", "c++20", "c++23")}
others = [] if pairs else [(standard, compiler) for compiler in compilers for standard in standards[compiler]]
pairs = pairs or [("c++14", compilers[0])]
# What includes nothing but others is compiled with them.
headers = [path.relative_to(written).as_posix() for path in sorted(written.rglob("*.h"))
           if "Forwards to where it stands" not in path.read_text()]
DEAR = "ATen/Functions.h"
# GCC forgets these of what it reads precompiled.
IGNORED = sorted({name for path in written.rglob("*.h")
                  for name in re.findall(r'#\s*pragma GCC diagnostic ignored "-W([\w-]+)"', path.read_text())})


@functools.cache
def first_include(header):
    """The header that one includes before it says anything itself; None where there is none."""
    path = include / header
    for line in re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(), flags=re.S).splitlines() if path.is_file() else []:
        if found := re.match(r"#\s*include\s*[<\"](.*)[>\"]", line):
            return found[1]
        if line.strip() and not re.match(r"#\s*(pragma|ifndef|define \w+$)", line):
            return None
    return None


def begins_with_dear(header):
    seen = set()
    while header and header not in seen:
        if header == DEAR:
            return True
        seen.add(header)
        header = first_include(header)
    return False


def command_for(pair):
    standard, compiler = pair
    return [compiler, f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-I", str(include)]


def precompile(folder, pair):
    """Precompiles DEAR. Returns the options that use it, and what is wrong with it."""
    folder = folder / f"{pair[1]}-{pair[0]}"
    folder.mkdir(parents=True)
    (folder / "dear.h").write_text(f"#include <{DEAR}>\n")
    done = subprocess.run([*command_for(pair), "-x", "c++-header", folder / "dear.h", "-o", folder / "dear.h.gch"], capture_output=True, text=True)
    if done.returncode:
        return [], f"{DEAR} with {pair[1]} -std={pair[0]}:\n{done.stderr}"
    ignored = [f"-Wno-{name}" for name in IGNORED if pair[1].startswith("g++")]
    return ["-Winvalid-pch", *ignored, "-include", folder / "dear.h"], ""


def compile_alone(job):
    header, pair, options = job
    done = subprocess.run([*command_for(pair), *options, "-fsyntax-only", "-x", "c++", "-"], input=f"#include <{header}>\n",
                          capture_output=True, text=True)
    return "" if done.returncode == 0 else f"{header} with {pair[1]} -std={pair[0]}:\n{done.stderr}"


with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    precompiled = list(pool.map(lambda pair: precompile(pathlib.Path(scratch), pair), pairs))
    begun_with = {DEAR, *map(first_include, headers)}
    jobs = [(header, pair, options if begins_with_dear(header) else [])
            for pair, (options, _) in zip(pairs, precompiled) for header in headers if header not in begun_with]
    jobs += [("torch/torch.h", pair, []) for pair in others]
    problems = [problem for _, problem in precompiled if problem] + [problem for problem in pool.map(compile_alone, jobs) if problem]
print("\n".join(problems) if problems else "all compile")
sys.exit(bool(problems))
