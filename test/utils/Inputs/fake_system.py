"""Writes a folder in which utils/quickstart and utils/check run without touching this system.

usage: fake_system.py SOURCE FOLDER

FOLDER/tree has the scripts. FOLDER/bin has links to the programs that they use of any system, and fakes of those that install
and build; FOLDER/sudo has sudo, and FOLDER/bare only the links. Variables of the environment tell fakes what to do:

  MISSING, UNKNOWN   names of packages that are not installed, that no list has
  LISTS, DOWNLOADS, INSTALLS, CMAKE, NINJA, PACKAGE, SYSROOT   exit statuses of these steps
  SUDO               1 where sudo lets its user run nothing
  USER_ID            what `id -u` says
  FREE, FILES        the MiB that are free in the tree, and how many files have room there; `-` where nobody knows
  PYPI               the exit status of installing packages of Python's
  SYSTEM             the MiB that are free for packages, each of which is of 10 MiB
  COMPILER           what the compiler of C++ says of its version
"""
import pathlib
import shutil
import sys

USED = ("awk", "bash", "cat", "chmod", "cut", "dirname", "env", "grep", "mkdir", "mktemp", "python3", "readlink", "rm",
        "sed", "sh", "tail", "uname")
FAKES = {
    "dpkg-query": '''
status=0
for name; do
  case "$name" in
    -*) ;;
    *) case " ${MISSING-} " in *" $name "*) status=1 ;; *) echo "$name ii " ;; esac ;;
  esac
done
exit $status''',
    "apt-get": '''
echo "apt-get $*"
case " $* " in
  *" update "*) exit "${LISTS:-0}" ;;
  *" --print-uris "*) for name; do echo "'http://mirror/$name.deb' $name.deb 10000000 SHA256:0"; done | grep -v -e /install -e /- ;;
  *" --download-only "*) exit "${DOWNLOADS:-0}" ;;
  *) exit "${INSTALLS:-0}" ;;
esac''',
    "dpkg": "echo amd64",
    "apt-cache": '''
for name; do :; done
case " ${UNKNOWN-} " in *" $name "*) exit 100 ;; esac''',
    "id": 'echo "${USER_ID:-0}"',
    "df": '''
case "$*" in *" --output=avail,iavail,itotal "*) ;; *) exit 1 ;; esac
echo "  Avail  IFree Inodes"
case "$*" in
  *" /usr" | *" /var/cache/apt/archives") echo "${SYSTEM:-1000000} 1000000 1000000" ;;
  *) echo "${FREE:-1000000} ${FILES:-1000000} 1000000" ;;
esac''',
    "clang-19": "echo 19.1.7",
    "clang++-19": 'echo "${COMPILER:-19.1.7}"',
    "du": 'printf "%s\\tbuild\\n" "${BUILT:-0}"',
    "cmake": 'echo "cmake $*" >&2; exit "${CMAKE:-0}"',
    "ninja": '''
echo "[1/2] Building CXX object first.o"
echo "[2/2] Linking CXX executable bin/tsc-run"
[ "${NINJA:-0}" = 0 ] || { echo "first.cpp:1:1: error: something"; exit "$NINJA"; }
mkdir -p build/quick/bin
printf '#!/bin/sh\\necho "tsc-run $*"\\n' >build/quick/bin/tsc-run
chmod +x build/quick/bin/tsc-run''',
}
SUDO = '[ "$1" = apt-get ] && [ "${SUDO:-0}" = 0 ] || exit 1; exec "$@"'  # it lets its user run apt-get, and nothing else


# An environment of Python's is a folder with an interpreter that installs.
PYTHON = """
case "$1 $2" in
  "-m venv") mkdir -p "$3/bin"; printf '#!/bin/sh\\necho "python $*"; exit "${PYPI:-0}"\\n' >"$3/bin/python"; chmod +x "$3/bin/python" ;;
  *) exec %s "$@" ;;
esac"""


HOSTS = """
import os, sys
print("check_published_hosts.py", *sys.argv[1:], flush=True)
sys.exit(2 * (os.environ.get("PYPI", "0") != "0"))
"""


def write_script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text.strip()}\n")
    path.chmod(0o755)


def main():
    source, folder = map(pathlib.Path, sys.argv[1:])
    shutil.rmtree(folder, ignore_errors=True)
    utils = folder / "tree" / "utils"
    utils.mkdir(parents=True)
    for name in ("check", "quickstart", "common.sh", "build_progress.py", "run_tests.py", "choose_tests.py"):
        shutil.copy(source / "utils" / name, utils)
    requirements = folder / "tree/bindings/python/tests/requirements.txt"
    requirements.parent.mkdir(parents=True)
    requirements.write_text("nanobind==3.1.0\n")
    write_script(utils / "make_sysroot", 'echo "utils/make_sysroot $*"; exit "${SYSROOT:-0}"')
    (utils / "check_published_hosts.py").write_text(HOSTS)
    write_script(utils / "package", 'echo "utils/package $*"; exit "${PACKAGE:-0}"')
    for name in USED:
        program = shutil.which(name) or sys.exit(f"this system has no {name}")
        for place in ("bin", "bare"):
            (folder / place).mkdir(exist_ok=True)
            # By its own name, as python3 may look for its libraries beside the link.
            write_script(folder / place / name, f'exec {program} "$@"')
    write_script(folder / "bin/python3", PYTHON % shutil.which("python3"))
    for name, text in FAKES.items():
        write_script(folder / "bin" / name, text)
    write_script(folder / "sudo" / "sudo", SUDO)


main()
