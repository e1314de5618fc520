"""Compiles each header of tsc-torch alone: compile_alone.py INCLUDE WRITTEN [STANDARD COMPILER]...

INCLUDE has all headers, WRITTEN those that are written by hand; generated ones of ATen/ops are alike. Without pairs of a standard and a
compiler, the oldest and the newest standard with the compilers that are installed.
"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

include, written = map(pathlib.Path, sys.argv[1:3])
pairs = list(zip(sys.argv[3::2], sys.argv[4::2])) or [(standard, compiler) for compiler in ("g++", "clang++-19") if shutil.which(compiler) for standard in ("c++14", "c++23")]
# What includes nothing but others is compiled with them.
headers = [path.relative_to(written) for path in sorted(written.rglob("*.h")) if "Forwards to where it stands" not in path.read_text()]


def compile_alone(job):
    header, (standard, compiler) = job
    command = [compiler, f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", include, "-x", "c++", "-"]
    done = subprocess.run(list(map(str, command)), input=f"#include <{header}>\n", capture_output=True, text=True)
    return "" if done.returncode == 0 else f"{header} with {compiler} -std={standard}:\n{done.stderr}"


with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    problems = [problem for problem in pool.map(compile_alone, [(header, pair) for header in headers for pair in pairs]) if problem]
print("\n".join(problems) if problems else "all compile")
sys.exit(bool(problems))
