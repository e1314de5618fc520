"""Writes a small tree with a build, in which `utils/check --quick` finds what to run.

usage: fake_tree.py SOURCE BUILD FOLDER

The libraries are Support, IR and Frontend, each above the one before, and Other, above none. IRTests is that of BUILD; ninja is a
script. lib/IR/Type.cpp was changed after it was compiled, which took an hour, and lib/Support/Type.cpp was not. Times of the lit
tests are known.
"""
import os
import pathlib
import re
import shutil
import sys

SITE = '''
import lit.formats
config.name = "tsc"
config.test_format = lit.formats.ShTest(False)
config.suffixes = [".test"]
config.test_source_root = "{tree}/test"
config.test_exec_root = "{build}/test"
config.substitutions += [("tsc-opt", "true"), ("%source_dir", "{tree}")]
'''
NINJA = '''#!/bin/sh
case " $* " in
  *" -t deps "*)
    echo "lib/IR/CMakeFiles/tscIR.dir/Type.cpp.o: #deps 1, deps mtime 1 (VALID)"
    echo "    ../../lib/IR/Type.cpp"
    echo
    echo "lib/Support/CMakeFiles/tscSupport.dir/Type.cpp.o: #deps 1, deps mtime 1 (VALID)"
    echo "    ../../lib/Support/Type.cpp"
    exit ;;
esac
echo "[1/1] Linking"
echo "built:$(echo " $*" | sed 's/-C [^ ]* //')"
exit "${NINJA:-0}"
'''
TESTS = {  # the commands and the seconds of the last run, negative for one that failed
    "IR/types.test": ("true", 0.25), "IR/slow.test": ("true", 500), "IR/reads.test": ("grep -q text %S/Inputs/text", 0.5),
    "Frontend/parses.test": ("true", 0.25), "Other/other.test": ("true", 0.25), "Other/failed.test": ("true", -0.25),
    "Regressions/one.test": ("tsc-opt %s", 0.25), "Regressions/two.test": ("true", 0.25),
    "Docs/page.test": ("grep -q text %source_dir/docs/page.md", 0.25)}


def main():
    source, real_build, tree = map(pathlib.Path, sys.argv[1:])
    build = tree / "build/development"
    shutil.rmtree(tree, ignore_errors=True)

    def write(path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    for name in ("utils/check", "utils/common.sh", "utils/build_progress.py", "utils/run_tests.py", "utils/choose_tests.py", "test/lit.cfg.py"):
        write(tree / name, (source / name).read_text()).chmod(0o755)
    for library, lower in {"Support": "", "IR": "tsc::Support\n", "Frontend": "tsc::IR\n", "Other": ""}.items():
        write(build / "libraries" / f"{library}.txt", lower)
        write(tree / "lib" / library / "Type.cpp", "")
        write(tree / "include/tsc" / library / "Type.h", "")
    for path in ("unittests/IR/TypeTest.cpp", "tools/tsc-opt/tsc-opt.cpp", "examples/alone.py"):
        write(tree / path, "")
    for path in ("docs/page.md", "test/IR/Inputs/text"):
        write(tree / path, "text\n")
    for name, (command, _) in TESTS.items():
        write(tree / "test" / name, f"RUN: {command}\n")
    (build / "unittests").mkdir()
    (build / "unittests/IRTests").symlink_to(real_build / "unittests/IRTests")
    lit = re.search(r"^TSC_LLVM_LIT:.*$", (real_build / "CMakeCache.txt").read_text(), re.M)[0]
    write(build / "CMakeCache.txt", lit + "\n")
    write(build / "test/lit.site.cfg.py", SITE.format(tree=tree, build=build))
    write(build / "test/.lit_test_times.txt", "".join(f"{seconds:e} {name}\n" for name, (_, seconds) in TESTS.items()))
    write(build / "build.ninja", "build unittests/IRTests: CXX_EXECUTABLE_LINKER__IRTests_None a.o | lib/IR/libtscIR.a "
          "lib/Support/libtscSupport.a || order\nbuild bin/tsc-opt: CXX_EXECUTABLE_LINKER__tsc-opt_None b.o | "
          "lib/IR/libtscIR.a lib/Support/libtscSupport.a || order\n")
    log = "# ninja log v5\n"
    for library, changed_at in (("IR", 2000), ("Support", 1000)):
        compiled = f"lib/{library}/CMakeFiles/tsc{library}.dir/Type.cpp.o"
        log += f"0\t3600000\t0\t{compiled}\tabc\n"
        os.utime(write(build / compiled, ""), (1500, 1500))
        os.utime(tree / "lib" / library / "Type.cpp", (changed_at, changed_at))
    write(build / ".ninja_log", log)
    write(tree / "bin/ninja", NINJA).chmod(0o755)


main()
