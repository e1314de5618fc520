#!/usr/bin/env python3
"""Build the hosts of examples/hosts against tsc, run them, and compare what they print.

usage: check_hosts.py [--prefix build/development/lib/tsc-torch] [--programs FOLDER] [--libtorch PREFIX] [--compiler g++]
                      [--sanitizer address|thread] [NAME...]

Each program is built with the headers and libraries of the prefix alone, as find_package(Torch) names them, and run with
examples/hosts/model.pt. What it prints is compared with examples/hosts/expected/NAME.txt, which LibTorch has printed. With
--libtorch (found by itself in /usr where Debian's libtorch-dev is installed) it is built and run with that, too: before tsc's and once
more behind it, in one folder, so that each reads the files that the other has written. With --sanitizer, clang++-19 instruments the
programs, and with them what is in the headers: for addresses and undefined behaviour, or for races of threads. The library is the
build's: those of the presets `asan` and `tsan` find more.
With --programs, programs are kept in that folder, and one that was built from the same source with the same headers is run
with the library of this prefix instead of being built again. Numbers are equal where they differ by no more than one part in 100,000. The exit status is 0 where all agree.
"""
import argparse
import functools
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
HOSTS = ROOT / "examples/hosts"
NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]?\d+)?")


SANITIZERS = {"address": ("-fsanitize=address,undefined", "-fno-sanitize-recover=all"), "thread": ("-fsanitize=thread",)}


def build(compiler, standard, source, prefix, libraries, program, flags=()):
    include = prefix / "include"
    command = [compiler, f"-std={standard}", "-Wall", "-Wextra", *flags, "-I", include, "-I", include / "torch/csrc/api/include", source, "-o", program,
               f"-L{libraries}", "-ltorch", "-ltorch_cpu", "-lc10", f"-Wl,-rpath,{libraries}"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr


@functools.cache
def hash_of_headers(include, *how):
    """A text that differs where the headers do, or how programs are built."""
    digest = hashlib.sha256(repr(how).encode())
    for header in sorted(path for path in include.rglob("*") if path.is_file()):
        digest.update(f"{header.relative_to(include)} {header.stat().st_size}\n".encode() + header.read_bytes())
    return digest.hexdigest()


def build_once(compiler, standard, source, prefix, folder, flags=()):
    """Builds a program in a folder where it is not there yet. Returns its path, and what is wrong, or None."""
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout
    key = hashlib.sha256(hash_of_headers(prefix / "include", compiler, version, standard, *flags).encode() + source.read_bytes()).hexdigest()
    program = folder / f"{source.stem}-{key[:16]}"
    if program.exists():
        return program, None
    folder.mkdir(parents=True, exist_ok=True)
    for outdated in folder.glob(f"{source.stem}-*"):
        outdated.unlink(missing_ok=True)
    made = program.with_suffix(f".{os.getpid()}")
    problem = build(compiler, standard, source, prefix, prefix / "lib", made, flags)
    if problem is None:
        made.rename(program)
    return program, problem


def run(program, folder, libraries=None):
    """What the program prints in a folder; its exit status and errors where it fails. It finds these libraries first."""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(libraries)} if libraries else None
    done = subprocess.run([program, HOSTS / "model.pt"], capture_output=True, text=True, timeout=120, env=environment, cwd=folder)
    return done.stdout if done.returncode == 0 else f"{done.stdout}exit status {done.returncode}\n{done.stderr}"


def differences(printed, expected):
    """The first line that differs, as a text; None where all agree."""
    mine, others = printed.splitlines(), expected.splitlines()
    for i in range(max(len(mine), len(others))):
        a, b = (lines[i] if i < len(lines) else "(nothing)" for lines in (mine, others))
        if a == b:
            continue
        numbers = [tuple(map(float, NUMBER.findall(line))) for line in (a, b)]
        same = NUMBER.sub("#", " ".join(a.split())) == NUMBER.sub("#", " ".join(b.split()))
        if not same or any(abs(x - y) > 1e-5 * max(abs(x), abs(y), 1e-3) for x, y in zip(*numbers)):
            return f"line {i + 1}:\n  prints   {a}\n  expected {b}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--prefix", type=pathlib.Path, default=ROOT / "build/development/lib/tsc-torch")
    parser.add_argument("--programs", type=pathlib.Path)
    parser.add_argument("--libtorch", type=pathlib.Path)
    parser.add_argument("--compiler")
    parser.add_argument("--sanitizer", choices=SANITIZERS)
    parser.add_argument("--standard", default="c++17")
    parser.add_argument("--record", action="store_true", help="write what LibTorch prints to examples/hosts/expected")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    if not options.libtorch and pathlib.Path("/usr/include/torch/script.h").exists():
        options.libtorch = pathlib.Path("/usr")
    flags = ("-g", "-O1", *SANITIZERS[options.sanitizer]) if options.sanitizer else ()
    options.compiler = options.compiler or ("clang++-19" if flags else "g++")
    options.prefix = options.prefix.resolve()
    sources = sorted(HOSTS.glob("*.cpp"))
    unknown = set(options.names) - {source.stem for source in sources}
    if unknown:
        parser.error(f"there is no host {', '.join(sorted(unknown))}")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            if options.names and source.stem not in options.names:
                continue
            program, problem = pathlib.Path(folder) / source.stem, None
            expected = HOSTS / "expected" / (source.stem + ".txt")
            if options.libtorch:
                libraries = next((lib for lib in (options.libtorch / "lib", *options.libtorch.glob("lib/*-linux-gnu")) if (lib / "libtorch.so").exists()), options.libtorch / "lib")
                problem = build(options.compiler, "c++20" if options.record else options.standard, source, options.libtorch, libraries, program)
                theirs = None if problem else run(program, folder)
                if theirs is not None and options.record:
                    expected.parent.mkdir(exist_ok=True)
                    expected.write_text(theirs)
                elif theirs is not None:
                    difference = differences(theirs, expected.read_text())
                    problem = difference and "LibTorch differs from the file, " + difference
            if problem is None:
                kept = options.programs or pathlib.Path(folder) / "tsc"
                ours, problem = build_once(options.compiler, options.standard, source, options.prefix, kept.resolve(), flags)
            problem = problem or differences(run(ours, folder, (options.prefix / "lib").resolve()), expected.read_text())
            if problem is None and options.libtorch:
                difference = differences(run(program, folder), expected.read_text())
                problem = difference and "LibTorch differs where tsc's program has run, " + difference
            print(f"{source.stem}: {problem or 'as expected'}", flush=True)
            failed += bool(problem)
    print(f"{failed} differ" if failed else "all as expected")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
