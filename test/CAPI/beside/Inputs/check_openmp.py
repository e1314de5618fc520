"""Runs openmp.c beside each runtime of OpenMP's that is installed, loaded in each way: CC LIBTSC FOLDER."""
import ctypes.util
import os
import pathlib
import subprocess
import sys

INPUTS = pathlib.Path(__file__).resolve().parent
INCLUDE = INPUTS.parents[3] / "include"
cc, libtsc, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
folder.mkdir(parents=True, exist_ok=True)
GNU, LLVM, ONEDNN = (ctypes.util.find_library(name) for name in ("gomp", "omp", "dnnl"))
FILES = {"GNU": GNU, "LLVM": LLVM, "ONEDNN": ONEDNN}


def compiled(name, source, libraries, *flags):
    output = folder / name
    subprocess.run([cc, "-O1", f"-I{INCLUDE}", source, *flags, "-Wl,--no-as-needed",
                    *(f"-l:{FILES[library]}" for library in libraries), "-lm", "-lpthread", "-o", output], check=True)
    return str(output)


def opened(name, libraries):
    """A library that only brings others along."""
    source = folder / "empty.c"
    source.write_text("extern int brings_libraries;\nint brings_libraries;\n")
    return compiled(f"{name}.so", source, libraries, "-shared", "-fPIC")


# What the host is linked to; what it opens; what it needs.
CASES = {
    "the host has libgomp": ("GNU", lambda: []),
    "the host has libgomp, and libtsc a namespace of its own": ("GNU", lambda: ["--namespace"]),
    "the host has libgomp, and opened libomp": ("GNU LLVM", lambda: ["+" + LLVM]),
    "the host opened libomp": ("LLVM", lambda: ["+" + LLVM]),
    "the host opened libomp for itself": ("LLVM", lambda: [LLVM]),
    "a plug-in brought libomp and oneDNN": ("LLVM ONEDNN", lambda: [opened("pair", ["LLVM", "ONEDNN"])]),
    "a plug-in brought oneDNN, and libomp came after it":
        ("LLVM ONEDNN", lambda: [opened("dnn", ["ONEDNN"]), "+" + LLVM]),
    "the host has no OpenMP": ("", lambda: []),
}
failed = False
for name, (needs, arguments) in CASES.items():
    missing = [library for library in needs.split() if not FILES[library]]
    if missing:
        print(f"{name}: skipped, for it needs what is not installed: {' '.join(missing)}")
        continue
    linked = ["GNU"] if "the host has libgomp" in name else []
    host = compiled("host" + "".join(linked), INPUTS / "openmp.c", linked)
    ended = subprocess.run([host, libtsc, *arguments()], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
                           env={**os.environ, "OMP_NUM_THREADS": "4"})
    is_right = ended.returncode == 0 and ended.stdout.endswith("all as expected\n")
    failed |= not is_right
    print(f"{name}: {'right' if is_right else f'wrong, exit status {ended.returncode}'}")
    if not is_right:
        print(ended.stdout)
print("some are wrong" if failed else "all as expected")
sys.exit(failed)
