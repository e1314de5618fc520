"""Compiles each header of tsc-torch alone: compile_alone.py INCLUDE WRITTEN [STANDARD COMPILER]...

INCLUDE has all headers, WRITTEN those that are written by hand; those of ATen/ops are generated, and all alike. With pairs of a standard and
a compiler, each header is compiled with each pair. Without, each is compiled in the oldest standard by the first compiler, and the
header that includes most in the others and by the others.
"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

include, written = map(pathlib.Path, sys.argv[1:3])
compilers = [compiler for compiler in ("g++", "clang++-19") if shutil.which(compiler)]
pairs = list(zip(sys.argv[3::2], sys.argv[4::2]))
others = [] if pairs else [(standard, compiler) for compiler in compilers for standard in ("c++14", "c++17", "c++20", "c++23")]
pairs = pairs or [("c++14", compilers[0])]
# What includes nothing but others is compiled with them.
headers = [path.relative_to(written) for path in sorted(written.rglob("*.h")) if "Forwards to where it stands" not in path.read_text()]


def compile_alone(job):
    header, (standard, compiler) = job
    command = [compiler, f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", include, "-x", "c++", "-"]
    done = subprocess.run(list(map(str, command)), input=f"#include <{header}>\n", capture_output=True, text=True)
    return "" if done.returncode == 0 else f"{header} with {compiler} -std={standard}:\n{done.stderr}"


jobs = [(header, pair) for header in headers for pair in pairs] + [("torch/torch.h", pair) for pair in others]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    problems = [problem for problem in pool.map(compile_alone, jobs) if problem]
print("\n".join(problems) if problems else "all compile")
sys.exit(bool(problems))
