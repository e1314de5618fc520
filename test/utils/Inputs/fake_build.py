"""Adds to what fake_system.py wrote a build of two libraries, on which utils/run_tests.py runs its parts.

usage: fake_build.py FOLDER [--extension] [--unit]

With --extension it has Python's extension, too, of one file that reads precompiled headers; with --unit, quick-build joins two
files into one unit. FOLDER/tree/build/development is the build, and FOLDER/tree/build/quick-check what cmake would configure for
the part quick-build. Objects are text: `U NAME` for each symbol that one takes, and `T NAME` for each that it defines. The compiler
and nm are scripts. Variables of the environment tell them what to do:

  BROKEN, ENDED   parts of the compiler's arguments for which it finds an error, or is ended by a signal
  NM              the exit status of nm
"""
import json
import pathlib
import sys

COMPILER = '''
case " $* " in
  *"${ENDED:-no such file}"*) kill -9 $$ ;;
  *"${BROKEN:-no such file}"*) echo "One.cpp:1:1: error: something"; exit 1 ;;
esac'''
NM = '''
kind=T
for word; do
  case "$word" in
    --undefined-only) kind=U ;;
    -*) ;;
    *) grep "^$kind" "$word" || true ;;
  esac
done
exit "${NM:-0}"'''

# What the libraries for GPUs take from each other is nothing that the file in their place has to define.
ARCHIVES = {"lib/FuserCUDA/libtscFuserCUDA.a": "T compileForCuda\nU runByHand\n",
            "lib/KernelsCUDA/libtscKernelsCUDA.a": "T runByHand\nU openDriver\n",
            "lib/DeviceCUDA/libtscDeviceCUDA.a": "T openDriver\n"}


def main():
    folder = pathlib.Path(sys.argv[1])
    tree, compiler = folder / "tree", folder / "compiler/clang++"

    def write(path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    for path, text in ((compiler, COMPILER), (folder / "nm", NM)):
        write(path, f"#!/bin/sh{text}\n").chmod(0o755)
    build, quick = tree / "build/development", tree / "build/quick-check"
    write(build / "CMakeCache.txt", f"CMAKE_NM:FILEPATH={folder}/nm\nTSC_SANITIZE:STRING=\n")
    write(build / "CTestTestfile.cmake", "")
    write(build / "build.ninja", "build bin/tsc-run: CXX_EXECUTABLE_LINKER__tsc-run_None main.o | " + " ".join(ARCHIVES) + "\n")
    write(build / "main.o", "U compileForCuda\nT main\n")
    for archive, text in ARCHIVES.items():
        write(build / archive, text)
    write(quick / "WithoutCuda.o", "T compileForCuda\n")
    entries = []
    for name, output in (("lib/IR/One.cpp", "One.o"), ("lib/FuserCUDA/WithoutCuda.cpp", "WithoutCuda.o")):
        entries.append({"file": str(write(tree / name, "")), "command": f"ccache {compiler} -o {output} -c {tree / name}"})
    if "--unit" in sys.argv:
        joined = [tree / "lib/IR/One.cpp", write(tree / "lib/IR/Two.cpp", "")]
        unit = write(quick / "lib/IR/joined/Unit.cpp", "".join(f'#undef DEBUG_TYPE\n#include "{source}"\n' for source in joined))
        entries[0] = {"file": str(unit), "command": f"{compiler} -o Unit.o -c {unit}"}
        words = f"{compiler} -DOTHER_BUILD -Xclang -include-pch -Xclang {folder}/headers.pch -o One.o -c {joined[0]}"
        write(build / "compile_commands.json", json.dumps([{"file": str(joined[0]), "command": words}]))
    write(quick / "compile_commands.json", json.dumps(entries))
    if "--extension" in sys.argv:
        source = write(tree / "bindings/python/src/Two.cpp", "")
        precompiled = "-Xclang -include-pch -Xclang headers.pch -Xclang -include -Xclang headers.h"
        entry = {"file": str(source), "command": f"{compiler} {precompiled} -o Two.o -c {source}"}
        write(build / "compile_commands.json", json.dumps([entry]))


main()
