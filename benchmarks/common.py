"""Shared by the benchmarks: finding our tools and running a command that prints JSON lines."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BENCH = ROOT.parent / "shared" / "bench"


def find_tool(name, given=None):
    """The tool that was named, else the release build's, else the one in PATH."""
    built = ROOT / "build/release/bin" / name
    found = given or (str(built) if built.exists() else shutil.which(name))
    if not found:
        sys.exit(f"no {name}: cmake --preset release && ninja -C build/release {name}")
    return found


# What holds PyTorch and OpenVINO to a level of vector instructions: each of their libraries asks for itself.
PEERS_HELD = {None: {}, "v4": {}, "v3": {"ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2",
                                         "MKL_ENABLE_INSTRUCTIONS": "AVX2", "OPENBLAS_CORETYPE": "Haswell",
                                         "FBGEMM_ENABLE_INSTRUCTIONS": "AVX2"}}


def add_simd(parser):
    parser.add_argument("--simd", choices=("v3", "v4"), help="hold tsc and its peers to AVX2 (v3) or AVX-512 (v4)")


def hold(level):
    """Holds tsc to a level of vector instructions in what is run from now on, if one was named."""
    if level:
        os.environ["TSC_SIMD"] = level


def has_more_than(level):
    """Whether the processor has instructions that a level leaves out."""
    return level == "v3" and " avx512f " in pathlib.Path("/proc/cpuinfo").read_text()


def json_lines(command, timeout=600):
    """The JSON objects that a command prints, one a line; none when it fails."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    except (OSError, subprocess.TimeoutExpired):
        return []
    if run.returncode != 0:
        print(run.stderr.strip()[-300:], file=sys.stderr)
    return [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]


def put_section(path, title, section, introduction=""):
    """Puts a section in its place in a file of Markdown, at its end if it is not there; a new file begins with the introduction."""
    text = path.read_text() if path.exists() else introduction
    before, *old = re.split(rf"(?m)^## {re.escape(title)}$\n", text, maxsplit=1)
    behind = re.search(r"(?m)^## ", old[0]) if old else None
    path.write_text(f"{before.rstrip()}\n\n## {title}\n\n{section}" + (f"\n{old[0][behind.start():]}" if behind else ""))


def build_c(name, folder, libraries):
    """The benchmark NAME.c beside this file, linked with libtsc.so of `libraries`."""
    program = folder / name
    compiler = shutil.which("cc") or shutil.which("clang-19")
    subprocess.run([compiler, "-O2", "-I", ROOT / "include", ROOT / "benchmarks" / f"{name}.c", "-o", program,
                    f"-L{libraries}", "-ltsc", f"-Wl,-rpath,{libraries}"], check=True)
    return program
