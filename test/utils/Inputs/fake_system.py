"""Writes a folder in which utils/quickstart and utils/check run without touching this system.

usage: fake_system.py SOURCE FOLDER

FOLDER/tree has the scripts. FOLDER/bin has links to the programs that they use of any system, and fakes of those that install
and build; FOLDER/sudo has sudo, and FOLDER/bare only the links. Variables of the environment tell fakes what to do:

  MISSING, UNKNOWN   names of packages that are not installed, that no list has
  LISTS, DOWNLOADS, INSTALLS, CMAKE, NINJA, PACKAGE   exit statuses of these steps
  SUDO               1 where sudo lets its user run nothing
  USER_ID, FREE      what `id -u` says; the MiB that are free
"""
import pathlib
import shutil
import sys

USED = ("awk", "bash", "cat", "chmod", "cut", "dirname", "env", "grep", "mkdir", "python3", "sed", "sh")
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
  *" --download-only "*) exit "${DOWNLOADS:-0}" ;;
  *) exit "${INSTALLS:-0}" ;;
esac''',
    "apt-cache": '''
for name; do :; done
case " ${UNKNOWN-} " in *" $name "*) exit 100 ;; esac''',
    "id": 'echo "${USER_ID:-0}"',
    "df": 'echo Filesystem; echo "/dev/disk 1000000 0 ${FREE:-1000000} 0% /"',
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
    write_script(utils / "package", 'echo "utils/package $*"; exit "${PACKAGE:-0}"')
    for name in USED:
        program = shutil.which(name) or sys.exit(f"this system has no {name}")
        for place in ("bin", "bare"):
            (folder / place).mkdir(exist_ok=True)
            # By its own name, as python3 may look for its libraries beside the link.
            write_script(folder / place / name, f'exec {program} "$@"')
    for name, text in FAKES.items():
        write_script(folder / "bin" / name, text)
    write_script(folder / "sudo" / "sudo", SUDO)


main()
