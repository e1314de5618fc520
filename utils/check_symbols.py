#!/usr/bin/env python3
"""Check which symbols a process sees of libtsc.so, and of a host that has our static libraries inside.

usage: check_symbols.py LIBTSC_SO [BUILD_DIR] [--cc CC] [--cxx CXX]

libtsc.so exports the functions that include/tsc-c/tsc.h declares, each under the version that lib/CAPI/tsc.map gives it,
and nothing else: a weak or unique symbol of C++, or a variable, would be shared with another library of the process.

With BUILD_DIR, a shared library in C and one in C++ are linked of the static libraries there, with the visibility that
compilers give by default and without a version script. Each may export what its own object file defines, and nothing of
the libraries. CMake and Ninja do that in a temporary folder.

Prints a line for each symbol that should not be there, or is missing, and fails where there was one.
"""
import argparse
import collections
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
BINDINGS = {0: "local", 1: "global", 2: "weak", 10: "unique"}
TYPES = {0: "symbol", 1: "variable", 2: "function", 6: "thread-local variable", 10: "indirect function"}
MOST_LINES = 10  # of symbols that leak from one library; the others are counted

Symbol = collections.namedtuple("Symbol", "name binding type visibility section version is_default")

HOSTS = {  # name: source, languages, libraries
    "host_c": ("test/install/c/main.c", "C", "tsc::CAPI"),
    "host_cxx": ("test/install/shared/model.cpp", "CXX", "tsc::Engine tsc::FuserCPU"),
}
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(hosts LANGUAGES C CXX)
find_package(tsc REQUIRED)
"""
HOST = """add_library({name} SHARED {source})
target_link_libraries({name} PRIVATE {libraries})
set_target_properties({name} PROPERTIES LINKER_LANGUAGE CXX)
"""


class Unreadable(Exception):
    """A file that is no ELF file of 64 bits with a table of symbols."""


def text_at(table, offset):
    return table[offset:table.index(b"\0", offset)].decode()


def read_symbols(path, table):
    """The symbols of an ELF file's section, ".dynsym" or ".symtab", with their versions where it has some."""
    data = path.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        raise Unreadable(f"{path} is no ELF file of 64 bits, least significant byte first")
    try:
        (offset,), (size, count, names) = struct.unpack_from("<Q", data, 40), struct.unpack_from("<HHH", data, 58)
        headers = [struct.unpack_from("<IIQQQQIIQQ", data, offset + i * size) for i in range(count)]
        contents = [data[header[4]:header[4] + header[5]] if header[1] != 8 else b"" for header in headers]
        sections = {text_at(contents[names], header[0]): i for i, header in enumerate(headers)}
        if table not in sections:
            raise Unreadable(f"{path} has no section {table}")
        versions, numbers = read_versions(headers, contents, sections)
        found = sections[table]
        strings = contents[headers[found][6]]
        symbols = []
        for i, entry in enumerate(struct.iter_unpack("<IBBHQQ", contents[found])):
            number = numbers[i] if table == ".dynsym" and numbers else 1
            symbols.append(Symbol(text_at(strings, entry[0]), entry[1] >> 4, entry[1] & 15, entry[2] & 3, entry[3],
                                  versions.get(number & 0x7fff), not number & 0x8000))
        return symbols
    except (struct.error, ValueError, IndexError, UnicodeDecodeError) as error:
        raise Unreadable(f"{path} is damaged: {error}") from error


def read_versions(headers, contents, sections):
    """The names of the versions that a library defines, by number, and the number of each dynamic symbol."""
    versions, numbers = {}, []
    if ".gnu.version" in sections:
        numbers = [number for (number,) in struct.iter_unpack("<H", contents[sections[".gnu.version"]])]
    if ".gnu.version_d" in sections:
        found = sections[".gnu.version_d"]
        data, strings, offset = contents[found], contents[headers[found][6]], 0
        for _ in range(headers[found][7]):
            _, _, number, _, _, names, following = struct.unpack_from("<HHHHIII", data, offset)
            versions[number] = text_at(strings, struct.unpack_from("<I", data, offset + names)[0])
            offset += following
    return versions, numbers


def exported(path):
    """What others can find in a shared library. Local symbols, which some processors' thread-local variables need, they cannot."""
    return [symbol for symbol in read_symbols(path, ".dynsym") if symbol.section and symbol.name and symbol.binding]


def described(symbol):
    version = f", version {symbol.version}" if symbol.version else ""
    return (f"{BINDINGS.get(symbol.binding, symbol.binding)} {TYPES.get(symbol.type, f'symbol of type {symbol.type}')} "
            f"'{symbol.name}'{version}")


def mapped():
    """The version of each function, and the names of all versions, by lib/CAPI/tsc.map."""
    text = re.sub(r"/\*.*?\*/", "", (SOURCE / "lib/CAPI/tsc.map").read_text(), flags=re.S)
    nodes = re.findall(r"(\w[\w.]*)\s*\{\s*global:([^}]*)\}", text)
    return {name: version for version, body in nodes for name in re.findall(r"\btsc_\w+", body)}, {v for v, _ in nodes}


def declared():
    """The functions of include/tsc-c/tsc.h."""
    text = re.sub(r"/\*.*?\*/|^\s*#.*?$", "", (SOURCE / "include/tsc-c/tsc.h").read_text(), flags=re.S | re.M)
    return set(re.findall(r"\bTSC_API\s[^;(]*?\b(tsc_\w+)\s*\(", text))


def check_library(path):
    """Yields a line for each difference between what libtsc.so exports and what it should."""
    versions, nodes = mapped()
    header = declared()
    for name in sorted(versions.keys() ^ header):
        yield f"'{name}' is in {'lib/CAPI/tsc.map' if name in versions else 'include/tsc-c/tsc.h'} alone"
    missing = versions.keys() | header
    for symbol in exported(path):
        if symbol.section == 0xfff1 and symbol.name in nodes:
            continue  # the name of a version
        missing.discard(symbol.name)
        if (symbol.binding, symbol.type) != (1, 2) or not symbol.is_default or symbol.name not in versions:
            yield f"{path.name} exports the {described(symbol)}"
        elif symbol.version != versions[symbol.name]:
            yield f"{path.name} exports '{symbol.name}' under {symbol.version or 'no version'}, and not {versions[symbol.name]}"
    for name in sorted(missing):
        yield f"{path.name} does not export '{name}'"


def link_hosts(folder, options):
    """Yields the shared library and the object file of each host."""
    hosts = "".join(HOST.format(name=name, source=SOURCE / source, libraries=libraries)
                    for name, (source, _, libraries) in HOSTS.items())
    (folder / "CMakeLists.txt").write_text(PROJECT + hosts)
    build = folder / "build"
    for command in (["cmake", "-S", folder, "-B", build, "-G", "Ninja", f"-Dtsc_DIR={options.build.resolve()}",
                     f"-DCMAKE_C_COMPILER={options.cc}", f"-DCMAKE_CXX_COMPILER={options.cxx}", "-DCMAKE_BUILD_TYPE=Release"],
                    ["cmake", "--build", build, "-j", "1"]):
        ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if ended.returncode:
            sys.exit(f"{ended.stdout}\ncheck_symbols.py: a host cannot be linked of the libraries in {options.build}: "
                     "the lines above say why")
    for name in HOSTS:
        [object_file] = (build / f"CMakeFiles/{name}.dir").rglob("*.o")
        yield build / f"lib{name}.so", object_file


def namespace(name):
    """The outermost namespace of a mangled name, as C++ writes it; "C" for a name that is not mangled."""
    if not name.startswith("_Z"):
        return "C"
    found = re.match(r"_Z[A-Z]*?N?[A-Z]*?(St|S[absiod]|(\d+))", name)
    if not found or not found[2]:
        return "std"
    return name[found.end():found.end() + int(found[2])]


def check_host(path, object_file):
    """Yields a line for each symbol that a host exports and does not define itself, or defines and does not export."""
    defined = [symbol for symbol in read_symbols(object_file, ".symtab")
               if symbol.section and symbol.binding and symbol.visibility == 0]
    own = {symbol.name for symbol in defined}
    lost = {symbol.name for symbol in defined if symbol.binding == 1} - {symbol.name for symbol in exported(path)}
    for name in sorted(lost):
        yield f"{path.name} does not export '{name}', which is its own"
    leaks = sorted((symbol for symbol in exported(path) if symbol.name not in own),
                   key=lambda symbol: ("tsc" not in symbol.name, symbol.name))
    for symbol in leaks[:MOST_LINES]:
        yield f"{path.name} exports the {described(symbol)}, which is not its own"
    others = collections.Counter(namespace(symbol.name) for symbol in leaks[MOST_LINES:])
    if others:
        yield f"{path.name} exports {others.total()} more: " + ", ".join(f"{n} of {of}" for of, n in others.most_common(5))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=pathlib.Path, metavar="LIBTSC_SO")
    parser.add_argument("build", type=pathlib.Path, metavar="BUILD_DIR", nargs="?")
    parser.add_argument("--cc", default="clang-19", help="compiler of the host in C (default: clang-19)")
    parser.add_argument("--cxx", default="clang++-19", help="compiler of the host in C++ (default: clang++-19)")
    options = parser.parse_args()
    if not options.library.is_file():
        parser.error(f"there is no library '{options.library}': build the target tscShared, and name its lib/libtsc.so")
    if options.build and not (options.build / "tscConfig.cmake").is_file():
        parser.error(f"'{options.build}' is no build folder: it has no tscConfig.cmake")
    if options.build and not all(shutil.which(tool) for tool in ("cmake", "ninja", options.cc, options.cxx)):
        parser.error(f"a host is linked with cmake, ninja, {options.cc} and {options.cxx}, and one of them is not installed")
    try:
        failures = list(check_library(options.library))
        count = len(mapped()[0])
        if options.build:
            with tempfile.TemporaryDirectory() as folder:
                for path, object_file in link_hosts(pathlib.Path(folder), options):
                    failures += check_host(path, object_file)
    except Unreadable as error:
        parser.error(str(error))
    for failure in failures:
        print(failure)
    if not failures:
        print(f"{options.library.name} exports the {count} functions of its header"
              + (", and hosts export what is their own" if options.build else ""))
    sys.exit(bool(failures))


main()
