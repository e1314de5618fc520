"""Fails where a program or library of a build needs a shared library that docs/packages.md and docs/C.md do not name:
BUILD_DIR FILE...

CMakeCache.txt of the build says whether the C++ library is linked into the files, and whether they are for an older glibc, in
which threads and dlopen were libraries of their own. Libraries that are opened while a program runs, as oneDNN is, are not
needed in this sense.
"""
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[4] / "utils"))
from choose_tests import cached  # noqa: E402: the path comes first

SYSTEM = r"libc\.so\.6|libm\.so\.6|libgcc_s\.so\.1|ld-linux[\w-]*\.so\.\d"
OLDER_GLIBC = r"libpthread\.so\.0|libdl\.so\.2|librt\.so\.1"
CXX = r"libstdc\+\+\.so\.6"


def needed(file):
    """The names in the entries DT_NEEDED of a file."""
    ended = subprocess.run(["llvm-readelf", "--needed-libs", file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    found = re.fullmatch(r"NeededLibraries \[\n((?:  .*\n)*)\]\n", ended.stdout)
    if ended.returncode or not found:
        sys.exit(f"error: llvm-readelf does not say what {file} needs: {ended.stderr.strip() or ended.stdout.strip()}")
    return found[1].split()


build, files = pathlib.Path(sys.argv[1]), sys.argv[2:]
files += map(str, build.glob("lib/without-fuser/libtsc.so"))  # builds of the preset release have it
allowed = [SYSTEM]
if cached(build, "TSC_STATIC_CXX").upper() not in ("ON", "1", "TRUE", "YES"):
    allowed.append(CXX)
if cached(build, "TSC_OLDEST_GLIBC"):
    allowed.append(OLDER_GLIBC)
others = {file: [name for name in needed(file) if not re.fullmatch("|".join(allowed), name)] for file in files}
for file, names in others.items():
    if names:
        print(f"{file} needs {', '.join(names)}")
if not any(others.values()):
    print(f"{len(files)} files need what they may")
sys.exit(any(others.values()))
