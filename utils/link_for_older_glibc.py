#!/usr/bin/env python3
"""Make libraries to link with, so that a program runs on systems whose glibc is older than this one's.

usage: link_for_older_glibc.py VERSION OUT_DIR --cc CLANG [--target TRIPLE --sysroot DIR]

glibc keeps every version that a function ever had, and a linker takes the newest. OUT_DIR gets a libc.so.6 and a libm.so.6
without code that offer, for each name, the newest version that was there in VERSION (as in 2.31), libraries that older
systems have beside them (pthread, dl, rt), and scripts by which `-L OUT_DIR` finds them first. What is newer than VERSION
is missing there, and linking says so; lib/Support/OwnLlvm/OlderGlibc.c gives what our libraries need of it. For another
processor, --target names it as clang does, and --sysroot has its glibc.
"""
import argparse
import pathlib
import re
import subprocess
import sys

# The functions of these became a part of libc.so.6 in glibc 2.34.
SEPARATE_ONCE = {"pthread": "libpthread.so.0", "dl": "libdl.so.2", "rt": "librt.so.1"}
# An address of the library's tells no more: this is the width of what processors read at once.
LARGEST_ALIGNMENT = 64


def order_of(version):
    return tuple(int(part) for part in version.split("."))


def where_is(compiler, library):
    path = subprocess.run([*compiler, f"-print-file-name={library}"], capture_output=True, text=True, check=True).stdout.strip()
    if not pathlib.Path(path).is_absolute():
        sys.exit(f"link_for_older_glibc.py: {' '.join(compiler)} finds no {library}; the package libc6-dev has it")
    return path


def offered(readelf, path, newest):
    """name -> (version, type, size, address), the newest version of each that is not newer than `newest`."""
    listing = subprocess.run([readelf, "--dyn-syms", "-W", path], capture_output=True, text=True, check=True).stdout
    found = {}
    for line in listing.splitlines():
        match = re.match(r"\s*\d+:\s+([0-9a-f]+)\s+(\d+)\s+(\w+)\s+\w+\s+\w+\s+(\w+)\s+([^@\s]+)@@?GLIBC_([0-9.]+)$", line)
        if not match or match[4] == "UND" or match[3] == "TLS":
            continue
        address, size, kind, name, version = int(match[1], 16), int(match[2]), match[3], match[5], match[6]
        if order_of(version) <= order_of(newest) and (name not in found or order_of(found[name][0]) < order_of(version)):
            found[name] = (version, kind, size, address)
    return found


def assembly(symbols):
    # A program that is not position independent copies data into itself, for which it must know the size and the
    # alignment. Names of one object (environ, _environ and __environ) have one address here as well: the linker gives
    # all of them to the copy, where the loader and the library otherwise would set one and the program read another.
    objects = {}
    for number, (name, (version, kind, size, address)) in enumerate(sorted(symbols.items())):
        is_data = kind == "OBJECT"
        objects.setdefault((is_data, address if is_data else number), []).append((f"v{number}_{name}", name, version, max(size, 1)))
    lines = []
    for (is_data, address), names in objects.items():
        lines += [".data" if is_data else ".text"]
        if is_data:
            lines += [f".balign {min(address & -address, LARGEST_ALIGNMENT) or 1}"]
        for label, name, version, size in names:
            lines += [f".globl {label}", f".type {label}, %{'object' if is_data else 'function'}", f".size {label}, {size}",
                      f".symver {label}, {name}@@@GLIBC_{version}", f"{label}:"]
        lines += [f".zero {max(size for _, _, _, size in names) if is_data else 1}"]
    return "\n".join(lines) + "\n"


def link(compiler, out, soname, symbols):
    source, script = out / f"{soname}.s", out / f"{soname}.map"
    source.write_text(assembly(symbols))
    versions = sorted({version for version, *_ in symbols.values()}, key=order_of)
    script.write_text("".join(f"GLIBC_{version} {{ }};\n" for version in versions))
    subprocess.run([*compiler, "-shared", "-nostdlib", "-fuse-ld=lld-19", f"-Wl,-soname,{soname}", "-Wl,--build-id=none",
                    *([f"-Wl,--version-script={script}"] if versions else []), "-o", out / soname, source], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--cc", default="clang-19")
    parser.add_argument("--target")
    parser.add_argument("--sysroot")
    parser.add_argument("--readelf", default="llvm-readelf-19")
    options = parser.parse_args()
    if not re.fullmatch(r"2\.\d+", options.version):
        sys.exit(f"link_for_older_glibc.py: '{options.version}' is no version of glibc; expected one as in 2.31")
    compiler = [options.cc, *(f"--{name}={value}" for name in ("target", "sysroot") if (value := getattr(options, name)))]
    options.out.mkdir(parents=True, exist_ok=True)
    for library in ("libc.so.6", "libm.so.6"):
        link(compiler, options.out, library, offered(options.readelf, where_is(compiler, library), options.version))
    for soname in SEPARATE_ONCE.values():
        link(compiler, options.out, soname, {})
    rest = where_is(compiler, "libc_nonshared.a")
    loader = subprocess.run([options.readelf, "-d", where_is(compiler, "libc.so.6")], capture_output=True, text=True).stdout
    loader = re.search(r"\[(ld-linux[^\]]*)\]", loader)
    # In quotes, as a path may have a blank in it.
    (options.out / "libc.so").write_text(
        f"""GROUP ( "{options.out / 'libc.so.6'}" "{rest}" AS_NEEDED ( "{where_is(compiler, loader[1])}" ) )\n""")
    (options.out / "libm.so").write_text(f"""GROUP ( "{options.out / 'libm.so.6'}" )\n""")


main()
