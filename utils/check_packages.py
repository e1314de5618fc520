#!/usr/bin/env python3
"""Install what utils/package made in bare systems, use it there, and remove it.

usage: check_packages.py [--dist DIR] [--work DIR] [--twice] [--quick]

Needs root, debootstrap, and a network from which Debian's packages come. Each system is the smallest that debootstrap makes:
of Debian 12 for the packages, of Debian 12 and of Debian 11 (the oldest glibc that is promised) for the archive. --twice
builds the packages from a copy of the source once more, and compares the bytes. --quick leaves out what needs a compiler
for C++ and LLVM, which are 500 MB to fetch. The last line is `N passed, N failed`.
"""
import argparse
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent
ARCHIVE = SOURCE / "fuzz/seeds/archive/scale.pt"  # of torch.jit.save; its weights are 1, 2 and 3
# Folders that change whenever packages are installed or programs run, whatever they are.
CHANGES_ANYWAY = ("/var/lib/dpkg", "/var/lib/apt", "/var/cache", "/var/log", "/packages", "/proc", "/sys", "/dev", "/tmp", "/root",
                  "/etc/ld.so.cache", "/run", "/var/lib/systemd")
NUMBERS = "tensor([2., 3., 4.])"


class Failed(Exception):
    pass


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, action):
        started = time.monotonic()
        try:
            action()
            self.passed += 1
            told = "passed"
        except Failed as failure:
            self.failed += 1
            told = f"FAILED: {failure}"
        print(f"{name:66} {time.monotonic() - started:6.1f} s  {told}", flush=True)


class System:
    """A bare system in a folder, in which commands run."""

    def __init__(self, suite, base, folder):
        self.root = folder
        if folder.exists():
            shutil.rmtree(folder)
        subprocess.run(["cp", "-a", "--reflink=auto", base / suite, folder], check=True)

    def run(self, command, expected=None, told_in=None):
        """Runs shell text; what it prints. It must succeed, and print `expected` where that is given."""
        # In a namespace of its own, so that what is mounted goes with the command.
        run = subprocess.run(["unshare", "--mount", "sh", "-c", 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"', self.root,
                              "/usr/bin/env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8",
                              "DEBIAN_FRONTEND=noninteractive", "sh", "-ec", command],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        if run.returncode != 0:
            raise Failed(f"{command!r} exited with {run.returncode}:\n{run.stdout[-2000:]}")
        if expected is not None and expected not in run.stdout:
            raise Failed(f"{command!r} did not print {expected!r}, but:\n{run.stdout[-2000:]}")
        return run.stdout

    def put(self, path, folder):
        target = self.root / folder.lstrip("/")
        target.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            shutil.copytree(path, target / path.name, dirs_exist_ok=True)
        else:
            shutil.copy(path, target)

    def files(self):
        found = set()
        for folder, folders, names in os.walk(self.root):
            here = "/" + str(pathlib.Path(folder).relative_to(self.root)) if pathlib.Path(folder) != self.root else ""
            folders[:] = [name for name in folders if not f"{here}/{name}".startswith(CHANGES_ANYWAY)]
            found.update(f"{here}/{name}" for name in [*names, *folders] if not f"{here}/{name}".startswith(CHANGES_ANYWAY))
        return found


def make_base(suite, base):
    """One copy of a bare system for all checks; it stays for the next time."""
    if (base / suite / "usr/bin/dpkg").exists():
        return
    print(f"== making a bare system ({suite})", flush=True)
    unfinished = base / f"{suite}.unfinished"
    if unfinished.exists():
        shutil.rmtree(unfinished)
    run = subprocess.run(["debootstrap", "--variant=minbase", suite, unfinished], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode != 0:
        sys.exit(f"check_packages.py: debootstrap makes no system of {suite}: {run.stdout.strip().splitlines()[-1]}")
    unfinished.rename(base / suite)


def same_network(system):
    """Commands in the system find names, and the packages that this one finds."""
    for file in ("/etc/resolv.conf", "/etc/hosts"):
        if pathlib.Path(file).exists():
            shutil.copy(file, system.root / file.lstrip("/"))


def the_package(dist, name):
    found = sorted(dist.glob(f"{name}_*.deb"))
    if len(found) != 1:
        sys.exit(f"check_packages.py: {dist} has {len(found)} packages {name}, expected one; utils/package makes them")
    return found[0]


def check_tools(checks, dist, base, work):
    system = System("bookworm", base, work / "tools")
    same_network(system)
    before = system.files()
    for name in ("tsc-tools", "tsc-doc"):
        system.put(the_package(dist, name), "/packages")
    system.put(ARCHIVE, "/tmp")
    install = "apt-get install -y -q --no-install-recommends "
    checks.check("apt installs tsc-tools and tsc-doc",
                 lambda: system.run("apt-get update -q && " + install + "/packages/tsc-tools_*.deb /packages/tsc-doc_*.deb"))
    checks.check("tsc-run runs an archive", lambda: system.run("tsc-run --args 'torch.ones([3])' /tmp/scale.pt", NUMBERS))
    checks.check("the README's first example prints what it says",
                 lambda: system.run("tsc-run --seed 0 /usr/share/doc/tsc/examples/lstm.py", "[-0.0247,  0.4223,  0.0062, -0.2274,  0.1748]"))
    checks.check("compiled kernels are as right as plain ones", lambda: check_levels(system))
    checks.check("tsc-opt runs passes", lambda: system.run("tsc-opt -passes=cse,dce /usr/share/doc/tsc/examples/duplicate.ir", "aten::mul(%3, %3)"))
    checks.check("tsc-translate lists an archive", lambda: system.run("tsc-translate --list /tmp/scale.pt", "def forward(x: Tensor) -> Tensor"))
    for tool in ("tsc-run", "tsc-opt", "tsc-translate", "tsc-reduce", "tsc-lsp"):
        checks.check(f"{tool} --help, its manual page and its completions", lambda tool=tool: check_helps(system, tool))
    checks.check("tsc-run --version, --licenses and --doctor", lambda: (system.run("tsc-run --version", "licensed under"), system.run(
        "tsc-run --licenses", "zlib license"), system.run("tsc-run --doctor", "nothing is wrong")))
    checks.check("with oneDNN installed, it is used", lambda: (system.run(install + "libdnnl2"), system.run(
        "tsc-run --doctor | grep '^oneDNN'", "libdnnl"), system.run("tsc-run --args 'torch.ones([3])' /tmp/scale.pt", NUMBERS)))
    checks.check("apt purge leaves nothing behind", lambda: check_gone(system, before, "tsc-tools tsc-doc libdnnl2"))


def check_levels(system):
    program = "def main():\n    x = torch.arange(4096.0).reshape([64, 64])\n    y = (x * 2 + 1).sigmoid() * x\n    print((y @ y).sum())\n"
    (system.root / "tmp/levels.py").write_text(program)
    printed = {level: system.run(f"tsc-run -O{level} /tmp/levels.py") for level in range(4)}
    if len(set(printed.values())) != 1:
        raise Failed(f"levels differ: {printed}")


def check_helps(system, tool):
    system.run(f"{tool} --help", tool)
    page = system.run(f"zcat /usr/share/man/man1/{tool}.1.gz")
    if ".SH" not in page:
        raise Failed(f"the manual page of {tool} has no sections")
    for file in (f"/usr/share/bash-completion/completions/{tool}", f"/usr/share/zsh/vendor-completions/_{tool}",
                 f"/usr/share/fish/vendor_completions.d/{tool}.fish"):
        system.run(f"test -s {file}")
    system.run(f"bash -n /usr/share/bash-completion/completions/{tool}")


def check_gone(system, before, names):
    system.run(f"apt-get purge -y -q {names} && apt-get autoremove --purge -y -q")
    left = sorted(system.files() - before)
    if left:
        raise Failed(f"{len(left)} files are left: {', '.join(left[:8])}")


def check_development(checks, dist, base, work, quick):
    system = System("bookworm", base, work / "development")
    same_network(system)
    before = system.files()
    for name in ("libtsc1", "libtsc-dev"):
        system.put(the_package(dist, name), "/packages")
    for project in ("c", "engine"):
        system.put(SOURCE / "test/install" / project, "/tmp")
    install = "apt-get install -y -q --no-install-recommends "
    checks.check("apt installs libtsc1 and libtsc-dev, and nothing else of weight",
                 lambda: system.run("apt-get update -q && " + install + "/packages/libtsc1_*.deb /packages/libtsc-dev_*.deb"))
    checks.check("apt purge leaves nothing behind (libraries)", lambda: check_gone(system, before, "libtsc-dev libtsc1"))
    checks.check("a compiler for C, and libtsc-dev again", lambda: system.run(
        install + "/packages/libtsc1_*.deb /packages/libtsc-dev_*.deb gcc libc6-dev pkg-config cmake make"))
    checks.check("a C host, by pkg-config", lambda: system.run("gcc -std=c99 -Wall -Werror /tmp/c/main.c $(pkg-config --cflags --libs tsc) -o /tmp/host && /tmp/host"))
    checks.check("a C host, by CMake", lambda: system.run("cmake -S /tmp/c -B /tmp/c-build >/dev/null && cmake --build /tmp/c-build && /tmp/c-build/use_c"))
    if not quick:
        checks.check("a compiler for C++, and what libtsc-dev suggests", lambda: system.run(install + "g++ llvm-19-dev libzstd-dev zlib1g-dev"))
        checks.check("a C++ host of the static libraries, by CMake",
                     lambda: system.run("cmake -S /tmp/engine -B /tmp/engine-build -DCMAKE_BUILD_TYPE=Release >/dev/null && "
                                        "cmake --build /tmp/engine-build && /tmp/engine-build/use_engine"))


def check_archive(checks, dist, base, work, suite):
    found = sorted(dist.glob("tsc-*.tar.zst"))
    if len(found) != 1:
        sys.exit(f"check_packages.py: {dist} has {len(found)} archives tsc-*.tar.zst, expected one; utils/package makes it")
    system = System(suite, base, work / f"archive-{suite}")
    same_network(system)
    folder = system.root / "home/somebody/things with a blank"
    folder.mkdir(parents=True)
    subprocess.run(["tar", "-C", folder, "--zstd", "-xf", found[0]], check=True)
    (folder / found[0].name.removesuffix(".tar.zst")).rename(folder / "tsc")
    here = "'/home/somebody/things with a blank/tsc'"
    system.put(ARCHIVE, "/tmp")
    system.put(SOURCE / "test/install/c", "/tmp")
    checks.check(f"archive, {suite}: every tool starts", lambda: [system.run(f"{here}/bin/{tool} --help", tool) for tool in (
        "tsc-run", "tsc-opt", "tsc-translate", "tsc-reduce", "tsc-lsp")])
    checks.check(f"archive, {suite}: tsc-run runs an archive", lambda: system.run(f"{here}/bin/tsc-run --args 'torch.ones([3])' /tmp/scale.pt", NUMBERS))
    checks.check(f"archive, {suite}: compiled kernels", lambda: system.run(
        f"{here}/bin/tsc-run --seed 0 {here}/share/doc/tsc/examples/lstm.py", "[-0.0247,  0.4223,  0.0062, -0.2274,  0.1748]"))
    checks.check(f"archive, {suite}: a compiler for C",
                 lambda: system.run("apt-get update -q && apt-get install -y -q --no-install-recommends gcc libc6-dev"))
    checks.check(f"archive, {suite}: a C host", lambda: system.run(
        f"gcc -std=c99 -Wall -Werror /tmp/c/main.c -I {here}/include -L {here}/lib -ltsc -Wl,-rpath,{here}/lib -o /tmp/host && /tmp/host"))


def digest(folder):
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir()) if file.suffix in (".deb", ".zst")}


def check_twice(dist):
    """The packages, made again in another folder, without what the first build left in a cache."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = pathlib.Path(scratch) / "another copy"
        subprocess.run(["git", "clone", "-q", SOURCE, copy], check=True)
        run = subprocess.run(["utils/package"], cwd=copy, env={**os.environ, "CCACHE_DISABLE": "1"},
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.returncode != 0:
            raise Failed(f"utils/package exited with {run.returncode}:\n{run.stdout[-2000:]}")
        first, second = digest(dist), digest(copy / "dist")
        differing = [name for name in first if first[name] != second.get(name)]
        if differing or first.keys() != second.keys():
            raise Failed(f"{', '.join(differing) or 'the files made'} differ between two builds of one source")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dist", type=pathlib.Path, default=SOURCE / "dist")
    parser.add_argument("--work", type=pathlib.Path, default=SOURCE / "build/systems")
    parser.add_argument("--twice", action="store_true")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if os.geteuid() != 0:
        print("check_packages.py: systems can be entered by root alone; run it as root", file=sys.stderr)
        sys.exit(2)
    if not shutil.which("debootstrap"):
        print("check_packages.py: needs debootstrap; apt-get install debootstrap", file=sys.stderr)
        sys.exit(2)
    base = options.work.resolve() / "bare"
    base.mkdir(parents=True, exist_ok=True)
    for suite in ("bookworm", "bullseye"):
        make_base(suite, base)
    checks = Checks()
    check_tools(checks, options.dist, base, options.work)
    check_development(checks, options.dist, base, options.work, options.quick)
    for suite in ("bookworm", "bullseye"):
        check_archive(checks, options.dist, base, options.work, suite)
    if options.twice:
        checks.check("two builds of one source have the same bytes", lambda: check_twice(options.dist))
    print(f"{checks.passed} passed, {checks.failed} failed")
    sys.exit(checks.failed != 0)


main()
