"""Runs plugins.c with plug-ins that are built against tsc and LibTorch, in both orders of loading: TSC_TORCH FOLDER [LIBTORCH].

TSC_TORCH is the prefix lib/tsc-torch of a build. LIBTORCH is that of LibTorch, /usr by itself where Debian's libtorch-dev is installed;
what needs it is named and left out where it is missing. A plug-in is built with the headers of its prefix alone.
"""
import os
import pathlib
import re
import subprocess
import sys

INPUTS = pathlib.Path(__file__).resolve().parent
MODEL = INPUTS.parents[3] / "examples/hosts/model.pt"
tsc_torch, folder = map(pathlib.Path, sys.argv[1:3])
libtorch = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else "/usr")
folder.mkdir(parents=True, exist_ok=True)


def plugin(name, prefix, *flags):
    """Builds plugin.cpp with the headers and libraries of a prefix."""
    include, output = prefix / "include", folder / f"{name}.so"
    libraries = next(lib for lib in (prefix / "lib", *prefix.glob("lib/*-linux-gnu")) if (lib / "libtorch.so").exists())
    subprocess.run(["g++", "-std=c++17", "-shared", "-fPIC", *flags, "-I", include, "-I", include / "torch/csrc/api/include", INPUTS / "plugin.cpp",
                    "-o", output, f"-L{libraries}", "-ltorch", "-ltorch_cpu", "-lc10", f"-Wl,-rpath,{libraries.resolve()}"], check=True)
    return output


def clashing(library):
    """What a library defines in namespaces of LibTorch's that LibTorch could define, too: all that is in no inline namespace of ours."""
    listed = subprocess.run(["nm", "-D", "--defined-only", library], stdout=subprocess.PIPE, text=True, check=True).stdout
    symbols = [line.split()[-1] for line in listed.splitlines()]
    return [s for s in symbols if re.match(r"_ZN?[A-Z]*K?(3c10|2at|5torch|6caffe2)", s) and "tsc_torch" not in s]


host = folder / "plugins"
subprocess.run(["gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-fopenmp", INPUTS / "plugins.c", "-o", host, "-lm"], check=True)
ours, theirs = plugin("tsc", tsc_torch, "-Wall", "-Wextra", "-Werror"), None
if any(libtorch.glob("include/torch/script.h")):
    theirs = plugin("libtorch", libtorch, "-w")
# In the order of loading; "+": for all to see, "%": in a namespace of its own.
CASES = {
    "tsc alone": [ours],
    "tsc twice": [ours, f"%{ours}"],
    "tsc twice, first in a namespace": [f"%{ours}", ours],
    "tsc, LibTorch": [ours, theirs],
    "LibTorch, tsc": [theirs, ours],
    "tsc, LibTorch for all to see": [f"+{ours}", f"+{theirs}"],
    "LibTorch, tsc for all to see": [f"+{theirs}", f"+{ours}"],
    "LibTorch, tsc twice": [theirs, f"%{ours}", ours],
}
failed = clashing(ours)
if failed:
    print("what is defined in LibTorch's namespaces:", *failed[:10])
for name, plugins in CASES.items():
    if "LibTorch" in name and not theirs:
        print(f"{name}: skipped, for {libtorch} has no headers of LibTorch")
        continue
    ended = subprocess.run([host, MODEL, *plugins], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
                           env={**os.environ, "OMP_NUM_THREADS": "3"})
    is_right = ended.returncode == 0 and ended.stdout.endswith("all as expected\n")
    print(f"{name}: {'right' if is_right else f'wrong, exit status {ended.returncode}'}")
    if not is_right:
        failed.append(name)
        print(ended.stdout)
print("some are wrong" if failed else "all as expected")
sys.exit(bool(failed))
