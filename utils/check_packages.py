#!/usr/bin/env python3
"""Install what utils/package made in bare systems, use it there, and remove it.

usage: check_packages.py [--target aarch64] [--dist DIR] [--any-source] [--work DIR] [--twice] [--quick]
       check_packages.py --pages DIR

Needs root, debootstrap, lintian, and a network from which Debian's packages come. Each system is the smallest that
debootstrap makes: of Debian 12 for the packages, of Debian 12 and of Debian 11 (the oldest glibc that is promised) for the
archive. The packages must be made of this source: --any-source takes those of another one. --twice builds the packages from
a copy of the source once more, and compares the bytes. --quick leaves out what needs a compiler for C++ and LLVM, which are
500 MB to fetch, and lintian for libtsc-dev. --pages looks at nothing but the links of the pages in a folder. The last line is `N passed, N failed`; the exit status is 2 where nothing could
be tested.

--target tests what `utils/package --target` made for another processor. Bare systems and packages of it are unpacked, and not
installed; their programs run in an emulator, for which Debian's qemu-user, clang-19, lld-19 and binutils are needed, too.
"""
import argparse
import hashlib
import os
import pathlib
import platform
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
import time

from tool_help import TOOLS

SOURCE = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = ("libtsc1", "libtsc-dev", "tsc-tools", "tsc-doc")
DEBIAN_NAMES = {"x86_64": "amd64", "aarch64": "arm64"}  # of processors
OLDEST_GLIBC = (2, 31)
LOADERS = {"aarch64": "ld-linux-aarch64.so.1"}  # in /lib; of the processors for which packages are made on another machine
NEEDED = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "libgcc_s.so.1"}  # and the loader
DEPENDS = {"libc6", "libgcc-s1", "libtsc1"}
OLDEST = "bullseye"  # has the oldest glibc that is promised
SUITES = ("bookworm", OLDEST)
ARCHIVE = SOURCE / "fuzz/seeds/archive/scale.pt"  # of torch.jit.save; its weights are 1, 2 and 3
SCALED = "tensor([2., 3., 4.])"
LSTM_NUMBERS = "[-0.0247,  0.4223,  0.0062, -0.2274,  0.1748]"  # what examples/lstm.py prints, as the README shows
INSTALL = "apt-get install -y -q --no-install-recommends "
HOME = "/home/user"
PAGES = "/usr/share/doc/tsc"

# Files and folders, with all below them, that may differ after packages were installed and removed: what apt and dpkg keep
# of their own work, and what this script puts there.
CHANGES_ANYWAY = ("/given", "/packages", "/var/cache/apt", "/var/cache/ldconfig", "/var/lib/apt", "/var/lib/dpkg/status-old", "/var/log")
# Debian's packages leave the homes of users as they are, and the manual page of tsc-run names this folder.
STAYS_IN_HOMES = (f"{HOME}/.cache", f"{HOME}/.cache/tsc", f"{HOME}/.cache/tsc/kernels")


def usage_error(sentence):
    print(f"check_packages.py: {sentence}", file=sys.stderr)
    sys.exit(2)


class Failed(Exception):
    pass


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, action):
        """Calls `action` and says how it went. Returns whether it passed."""
        started = time.monotonic()
        try:
            action()
            told = "passed"
        except Failed as failure:
            told = f"FAILED: {failure}"
        except Exception as error:  # the checks that follow, and the last line, must not be lost
            told = f"FAILED: {type(error).__name__}: {error}"
        self.passed += told == "passed"
        self.failed += told != "passed"
        print(f"{name:74} {time.monotonic() - started:6.1f} s  {told}", flush=True)
        return told == "passed"

    def finish(self):
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(self.failed != 0)


def require_success(command, run, expected):
    """Returns what a command printed."""
    if run.returncode != 0:
        raise Failed(f"{command!r} exited with {run.returncode}:\n{run.stdout[-2000:]}")
    if expected is not None and expected not in run.stdout:
        raise Failed(f"{command!r} did not print {expected!r}, but:\n{run.stdout[-2000:]}")
    return run.stdout


class System:
    """A bare system in a folder, in which commands run."""

    def __init__(self, suite, base, folder):
        self.root = folder
        if folder.exists():
            shutil.rmtree(folder)
        subprocess.run(["cp", "-a", "--reflink=auto", base / suite, folder], check=True)
        (folder / HOME.lstrip("/")).mkdir(parents=True)
        # Commands in the system find names, and the packages that this one finds.
        for file in ("/etc/resolv.conf", "/etc/hosts"):
            if pathlib.Path(file).exists():
                shutil.copy(file, self.root / file.lstrip("/"))

    def run(self, command, expected=None):
        """Runs shell text and returns what it prints. It must succeed, and print `expected` where that is given."""
        # In a namespace of its own, so that what is mounted goes with the command.
        run = subprocess.run(["unshare", "--mount", "sh", "-c", 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"', self.root,
                              "/usr/bin/env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", f"HOME={HOME}", "LC_ALL=C.UTF-8",
                              "DEBIAN_FRONTEND=noninteractive", "sh", "-ec", command],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        return require_success(command, run, expected)

    def put(self, path, folder):
        target = self.root / folder.lstrip("/")
        target.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            shutil.copytree(path, target / path.name, dirs_exist_ok=True)
        else:
            shutil.copy(path, target)

    def packages(self):
        """Every package that dpkg knows, with its version and state; one that was removed but not purged, too."""
        return set(self.run("dpkg-query -W -f '${Package} ${Version} ${db:Status-Abbrev}\\n'").splitlines())

    def files(self):
        """name -> (type and mode, digest of what is in it), without what changes anyway."""
        found = {}
        for folder, folders, names in os.walk(self.root):
            here = "" if folder == str(self.root) else "/" + str(pathlib.Path(folder).relative_to(self.root))
            folders[:] = [name for name in folders if f"{here}/{name}" not in CHANGES_ANYWAY]
            for name in [*names, *folders]:
                if f"{here}/{name}" not in CHANGES_ANYWAY:
                    found[f"{here}/{name}"] = what_is(pathlib.Path(folder) / name)
        return found


def what_is(path):
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return stat.filemode(mode), os.readlink(path)
    return stat.filemode(mode), hashlib.sha256(path.read_bytes()).hexdigest() if stat.S_ISREG(mode) else ""


class Emulated:
    """What is packed for another processor, unpacked in a folder. Commands are those of the machine at hand, but programs of a
    folder `bin` run in the emulator, in which they find the libraries of a bare system."""

    def __init__(self, target, bare, tools, scratch):
        self.emulator = f"qemu-{target} -L {shlex.quote(str(bare))}"
        self.given = scratch / "given"
        self.scripts = scratch / "scripts"
        self.home = scratch / "home"
        for folder in (self.given, self.scripts, self.home):
            folder.mkdir(parents=True)
        for tool in TOOLS:
            script = self.scripts / tool
            script.write_text(f'#!/bin/sh\nexec {self.emulator} {shlex.quote(str(tools / tool))} "$@"\n')
            script.chmod(0o755)

    def run(self, command, expected=None):
        run = subprocess.run(["sh", "-ec", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", cwd=self.given,
                             env={"PATH": f"{self.scripts}:/usr/bin:/bin", "HOME": str(self.home), "LC_ALL": "C.UTF-8"})
        return require_success(command, run, expected)


def make_base(suite, base, target=None):
    """Makes one copy of a bare system for all checks; it stays for the next time. Returns its folder."""
    bare = base / (f"{suite}-{target}" if target else suite)
    if (bare / "usr/bin/dpkg").exists():
        return bare
    print(f"== making a bare system ({bare.name})", flush=True)
    unfinished = base / f"{bare.name}.unfinished"
    if unfinished.exists():
        shutil.rmtree(unfinished)
    options = ["--foreign", f"--arch={DEBIAN_NAMES[target]}"] if target else []
    run = subprocess.run(["debootstrap", "--variant=minbase", *options, suite, unfinished], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode != 0:
        lines = run.stdout.strip().splitlines() or [f"it ended with {run.returncode}"]
        usage_error(f"debootstrap makes no system of {bare.name}: {lines[-1]}; see that the network is there and that the disk of {base} has room")
    unfinished.rename(bare)
    return bare


def find_files(dist, target):
    """What utils/package makes: name of a package, or `archive` -> file. For another processor, it makes no tsc-doc."""
    found = {}
    processor = target or platform.machine()
    patterns = {name: f"{name}_*_{DEBIAN_NAMES.get(processor, '*')}.deb" for name in PACKAGES if name != "tsc-doc"}
    if not target:
        patterns["tsc-doc"] = "tsc-doc_*_all.deb"
    patterns["archive"] = f"tsc-*-linux-{processor}.tar.zst"
    for name, pattern in patterns.items():
        files = sorted(dist.glob(pattern))
        if not files:
            usage_error(f"there is no {pattern} in {dist}: utils/package{' --target=' + target if target else ''} makes it")
        if len(files) > 1:
            usage_error(f"{dist} has {' and '.join(file.name for file in files)}, of which one is to be tested: remove the others")
        found[name] = files[0]
    return found


def require_source(dist, files, target):
    """Ends the program where utils/package made the files of another source than this, or somebody else made them."""
    run = subprocess.run([SOURCE / "utils/package", "--source"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode != 0:
        usage_error(f"utils/package --source fails: {run.stdout.strip()}")
    anyway = "run utils/package again, or give --any-source"
    for kind in ("deb", "tar"):
        record = dist / f"{kind}{'-' + target if target else ''}.sha256"
        if not record.is_file():
            usage_error(f"there is no {record}, which says of which source the files were made: {anyway}")
        first, *lines = record.read_text().splitlines() or [""]
        if first != f"# source {run.stdout.strip()}":
            usage_error(f"the source has changed since what {record} lists was made: {anyway}")
        sums = {name: digest for digest, name in (line.split("  ", 1) for line in lines if "  " in line)}
        for file in files.values():
            is_of_kind = (file.suffix == ".deb") == (kind == "deb")
            if is_of_kind and sums.get(file.name) != hashlib.sha256(file.read_bytes()).hexdigest():
                usage_error(f"{file} is not the file that {record} lists: {anyway}")


def check_lint(package):
    run = subprocess.run(["lintian", "--display-info", "--allow-root", package], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = run.stdout.splitlines()
    # An override that matches nothing says of the package what is not, or is no longer, so.
    wrong = [line for line in lines if line.startswith("E:") or " mismatched-override " in line or " unused-override " in line]
    if wrong:
        raise Failed("\n".join(wrong))
    if run.returncode not in (0, 2):  # 2: what --fail-on names was found, which is looked for above
        raise Failed(f"lintian exited with {run.returncode}:\n{run.stdout[-2000:]}")


def check_install(system, names, before):
    """Installs packages, which bring nothing but themselves."""
    system.run("apt-get update -q && " + INSTALL + " ".join(f"/packages/{name}_*.deb" for name in names))
    came = {line.split()[0] for line in system.packages() - before}
    if came != set(names):
        raise Failed(f"of {', '.join(names)}, these were installed: {', '.join(sorted(came))}")


def check_gone(system, names, packages, files):
    """Removes packages, after which the system is as it was."""
    system.run(f"apt-get purge -y -q {' '.join(names)} && apt-get autoremove --purge -y -q")
    if differing := system.packages() ^ packages:
        raise Failed(f"dpkg-query -W differs: {', '.join(sorted(differing)[:8])}")
    now = system.files()
    kept = {name for name in now if name in STAYS_IN_HOMES or name.startswith(f"{STAYS_IN_HOMES[-1]}/")}
    came = sorted(now.keys() - files.keys() - kept)
    went = sorted(files.keys() - now.keys())
    changed = sorted(name for name in now.keys() & files.keys() if now[name] != files[name])
    told = [f"{what} ({len(found)}): {', '.join(found[:8])}" for what, found in
            (("left behind", came), ("gone from the system", went), ("not as before", changed)) if found]
    if told:
        raise Failed("; ".join(told))


def slug(heading):
    """The name by which a link reaches a heading: of its words, without marks."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def prose(page):
    """The text of a page without code, in which brackets mean other things than links."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`]*`", "", re.sub(r"(?:(?<=\n\n)|\A)(?:    .*\n|\n)+", "", text))


def check_links(folder):
    """Whether each link of the pages in a folder leads to a file, a folder or a heading that is there, too."""
    folder = folder.resolve()
    dead, count = [], 0
    for page in sorted(folder.rglob("*.md")):
        for link in re.findall(r"\]\(\s*([^)\s]+)\s*\)", prose(page)):
            if re.match(r"[a-z]+:", link):
                continue
            count += 1
            path, _, heading = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if not target.is_relative_to(folder) or not target.exists():
                dead.append(f"{page.relative_to(folder)} -> {link}")
            elif heading and heading not in {slug(line) for line in re.findall(r"^#+ (.*)$", target.read_text(), flags=re.MULTILINE)}:
                dead.append(f"{page.relative_to(folder)} -> {link} (no such heading)")
    if dead:
        raise Failed(f"{len(dead)} of {count} links are dead: {', '.join(dead[:12])}")
    if count == 0:
        raise Failed(f"{folder} has no pages with links")


def check_packages(checks, files, is_quick):
    for name in PACKAGES:
        if name in files and not (is_quick and name == "libtsc-dev"):
            checks.check(f"lintian finds no errors in {name}", lambda name=name: check_lint(files[name]))


def check_tools(checks, files, base, work):
    system = System("bookworm", base, work / "tools")
    packages, before = system.packages(), system.files()
    names = ("tsc-tools", "tsc-doc")
    for name in names:
        system.put(files[name], "/packages")
    system.put(ARCHIVE, "/given")
    scale = "tsc-run --args 'torch.ones([3])' /given/scale.pt"
    checks.check("apt installs tsc-tools and tsc-doc, and nothing else", lambda: check_install(system, names, packages))
    checks.check("no link in the pages of tsc-doc is dead", lambda: check_links(system.root / PAGES.lstrip("/")))
    checks.check("tsc-run runs an archive", lambda: system.run(scale, SCALED))
    checks.check("a program of the README prints what its picture shows",
                 lambda: system.run(f"tsc-run --seed 0 {PAGES}/examples/lstm.py", LSTM_NUMBERS))
    checks.check("compiled kernels are as right as plain ones", lambda: check_levels(system, system.root / "given", "/given"))
    kernels = f"tsc-run --compile eager --seed 0 {PAGES}/examples/lstm.py"
    checks.check("kernels are kept in the home folder, and run again", lambda: (
        system.run(kernels, LSTM_NUMBERS), system.run(f"test -s {STAYS_IN_HOMES[-1]}/key"), system.run(kernels, LSTM_NUMBERS)))
    checks.check("tsc-opt runs passes", lambda: system.run(f"tsc-opt -passes=cse,dce {PAGES}/examples/duplicate.ir", "aten::mul(%3, %3)"))
    checks.check("tsc-translate lists an archive", lambda: system.run("tsc-translate --list /given/scale.pt", "def forward(x: Tensor) -> Tensor"))
    for tool in TOOLS:
        checks.check(f"{tool} --help, its manual page and its completions", lambda tool=tool: check_helps(system, tool))
    checks.check("tsc-run --version, --licenses and --doctor", lambda: (system.run("tsc-run --version", "licensed under"), system.run(
        "tsc-run --licenses", "zlib license"), system.run("tsc-run --doctor", "nothing is wrong")))
    checks.check("with oneDNN installed, it is used", lambda: (system.run(INSTALL + "libdnnl2"), system.run(
        "tsc-run --doctor | grep '^oneDNN'", "libdnnl"), system.run(scale, SCALED)))
    checks.check("apt purge leaves nothing behind", lambda: check_gone(system, [*names, "libdnnl2"], packages, before))


def check_levels(system, folder, place):
    """Whether a program prints the same at each level. It is written into a folder, which the system has in this place."""
    program = "def main():\n    x = torch.arange(4096.0).reshape([64, 64])\n    y = (x * 2 + 1).sigmoid() * x\n    print((y @ y).sum())\n"
    (folder / "levels.py").write_text(program)
    printed = {level: system.run(f"tsc-run -O{level} {shlex.quote(str(place))}/levels.py") for level in range(4)}
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


def check_development(checks, files, base, work, is_quick):
    system = System("bookworm", base, work / "development")
    packages, before = system.packages(), system.files()
    names = ("libtsc1", "libtsc-dev")
    for name in names:
        system.put(files[name], "/packages")
    for project in ("c", "engine"):
        system.put(SOURCE / "test/install" / project, "/given")
    checks.check("apt installs libtsc1 and libtsc-dev, and nothing else", lambda: check_install(system, names, packages))
    checks.check("apt purge leaves nothing behind (libraries)", lambda: check_gone(system, names, packages, before))
    checks.check("a compiler for C, and libtsc-dev again", lambda: system.run(
        INSTALL + "/packages/libtsc1_*.deb /packages/libtsc-dev_*.deb gcc libc6-dev pkg-config cmake make"))
    checks.check("a C host, by pkg-config", lambda: system.run(
        "gcc -std=c99 -Wall -Werror /given/c/main.c $(pkg-config --cflags --libs tsc) -o /given/host && /given/host"))
    checks.check("a C host, by CMake", lambda: system.run(
        "cmake -S /given/c -B /given/c-build >/dev/null && cmake --build /given/c-build && /given/c-build/use_c"))
    if not is_quick:
        checks.check("a compiler for C++, and what libtsc-dev suggests", lambda: system.run(INSTALL + "g++ llvm-19-dev libzstd-dev zlib1g-dev"))
        checks.check("a C++ host of the static libraries, by CMake",
                     lambda: system.run("cmake -S /given/engine -B /given/engine-build -DCMAKE_BUILD_TYPE=Release >/dev/null && "
                                        "cmake --build /given/engine-build && /given/engine-build/use_engine"))


def check_archive(checks, files, base, work, suite):
    system = System(suite, base, work / f"archive-{suite}")
    folder = system.root / "home/somebody/things with a blank"
    folder.mkdir(parents=True)
    subprocess.run(["tar", "-C", folder, "--zstd", "-xf", files["archive"]], check=True)
    (folder / files["archive"].name.removesuffix(".tar.zst")).rename(folder / "tsc")
    here = "'/home/somebody/things with a blank/tsc'"
    system.put(ARCHIVE, "/given")
    system.put(SOURCE / "test/install/c", "/given")
    for file in ("namespaces.c", "library.h"):
        system.put(SOURCE / "test/CAPI/beside/Inputs" / file, "/given")
    # CMake of Debian 11 is older than what our own build needs; what is installed takes it.
    project = system.root / "given/c/CMakeLists.txt"
    project.write_text(re.sub(r"^cmake_minimum_required\(.*\)$", "cmake_minimum_required(VERSION 3.18)", project.read_text(), flags=re.MULTILINE))

    def check(name, *command):
        checks.check(f"archive, {suite}: {name}", lambda: system.run(*command))

    checks.check(f"archive, {suite}: every tool starts", lambda: [system.run(f"{here}/bin/{tool} --help", tool) for tool in TOOLS])
    checks.check(f"archive, {suite}: no link in its pages is dead", lambda: check_links(folder / "tsc/share/doc/tsc"))
    check("tsc-run runs an archive", f"{here}/bin/tsc-run --args 'torch.ones([3])' /given/scale.pt", SCALED)
    check("compiled kernels", f"{here}/bin/tsc-run --seed 0 {here}/share/doc/tsc/examples/lstm.py", LSTM_NUMBERS)
    check("a compiler for C", "apt-get update -q && " + INSTALL + "gcc libc6-dev pkg-config cmake make")
    check("a C host", f"gcc -std=c99 -Wall -Werror /given/c/main.c -I {here}/include -L {here}/lib -ltsc -Wl,-rpath,{here}/lib "
                      "-o /given/host && /given/host")
    # pkg-config puts backslashes before the blanks, which the shell must read once more; that of Debian 11 only when it is to
    # work out the folder anew.
    check("a C host, by pkg-config", f'eval "gcc -std=c99 -Wall -Werror /given/c/main.c $(PKG_CONFIG_PATH={here}/lib/pkgconfig '
                                     f'pkg-config --define-prefix --cflags --libs tsc) -o /given/host" && LD_LIBRARY_PATH={here}/lib /given/host')
    check("a C host, by CMake", f"cmake -S /given/c -B /given/c-build -DCMAKE_PREFIX_PATH={here} >/dev/null && "
                                "cmake --build /given/c-build && /given/c-build/use_c")
    if suite == OLDEST:
        return  # the C library of a namespace of dlmopen's overwrites the host's data of threads before glibc 2.34
    check("the library three times in one process",
          f"cp {here}/lib/libtsc.so.1 /given/copy.so && mkdir /given/kernels && gcc -O1 -Wall -Wextra -Werror -I {here}/include "
          f"/given/namespaces.c -lm -lpthread -ldl -o /given/namespaces && "
          f"/given/namespaces {here}/lib/libtsc.so.1 /given/copy.so /given/kernels", "kernels\nall as expected\n")


def readelf(options, file):
    return subprocess.run(["readelf", "-W", *options, file], stdout=subprocess.PIPE, text=True, errors="replace", check=True,
                          env={**os.environ, "LC_ALL": "C"}).stdout


def check_programs(folder, target):
    """Whether each program and shared library in a folder is for the processor, and needs what every system of it has."""
    problems, count = [], 0
    for file in sorted(folder.rglob("*")):
        if file.is_symlink() or not file.is_file():
            continue
        content = file.read_bytes()
        if str(SOURCE).encode() in content:
            problems.append(f"{file.name} has the name of the folder where it was built")
        if content[:4] != b"\x7fELF":
            continue
        count += 1
        if "Machine:                           AArch64\n" not in readelf(["-h"], file):
            problems.append(f"{file.name} is for another processor")
        loader = re.search(r"program interpreter: (.*)\]", readelf(["-l"], file))
        if loader and loader[1] != f"/lib/{LOADERS[target]}":
            problems.append(f"{file.name} names the loader {loader[1]}")
        dynamic = readelf(["-d"], file)
        if re.search(r"\((RPATH|RUNPATH)\)", dynamic):
            problems.append(f"{file.name} has a path of libraries")
        strange = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)) - NEEDED - {LOADERS[target]}
        newer = [version for version in set(re.findall(r"GLIBC_([0-9.]+)", readelf(["-V"], file)))
                 if tuple(map(int, version.split("."))) > OLDEST_GLIBC]
        problems += [f"{file.name} needs {what}" for what in [*sorted(strange), *(f"glibc {version}" for version in sorted(newer))]]
    if problems:
        raise Failed("; ".join(problems))
    if count < len(TOOLS) + 1:
        raise Failed(f"{folder} has {count} programs and libraries")


def check_control(file, target):
    fields = dict(line.split(": ", 1) for line in subprocess.run(["dpkg-deb", "-f", file, "Architecture", "Depends"], stdout=subprocess.PIPE,
                                                                 text=True, check=True).stdout.splitlines())
    if fields["Architecture"] != DEBIAN_NAMES[target]:
        raise Failed(f"it is for {fields['Architecture']}")
    if strange := set(re.findall(r"(?:^|, )([\w.+-]+)", fields["Depends"])) - DEPENDS:
        raise Failed(f"it depends on {', '.join(sorted(strange))}")


def check_emulated(checks, files, base, work, target, is_quick):
    """The packages, and then the archive, for another processor."""
    check_packages(checks, files, is_quick)
    root = work / f"packages-{target}"
    if root.exists():
        shutil.rmtree(root)
    root.mkdir()
    for name in sorted(files.keys() - {"archive"}):
        subprocess.run(["dpkg-deb", "-x", files[name], root / "unpacked"], check=True)
        checks.check(f"{name} is for {DEBIAN_NAMES[target]}, and depends on nothing unusual", lambda name=name: check_control(files[name], target))
    usr = root / "unpacked/usr"
    check_unpacked(checks, "packages", "bookworm", usr, f"lib/{target}-linux-gnu", base, root / "bookworm", target)
    for tool in TOOLS:
        checks.check(f"packages: the manual page and completions of {tool}", lambda tool=tool: check_pages_of(usr / "share", tool))
    for suite in SUITES:
        root = work / f"archive-{suite}-{target}"
        if root.exists():
            shutil.rmtree(root)
        folder = root / "things with a blank"
        folder.mkdir(parents=True)
        subprocess.run(["tar", "-C", folder, "--zstd", "-xf", files["archive"]], check=True)
        tree = folder / files["archive"].name.removesuffix(".tar.zst")
        checks.check(f"archive, {suite}: no link in its pages is dead", lambda tree=tree: check_links(tree / "share/doc/tsc"))
        check_unpacked(checks, f"archive, {suite}", suite, tree, "lib", base, root / "scratch", target)


def check_pages_of(share, tool):
    for file in (f"man/man1/{tool}.1.gz", f"bash-completion/completions/{tool}", f"zsh/vendor-completions/_{tool}",
                 f"fish/vendor_completions.d/{tool}.fish"):
        if not (share / file).is_file():
            raise Failed(f"there is no {file}")
        text = subprocess.run(["zcat", "-f", share / file], stdout=subprocess.PIPE, text=True, check=True).stdout
        if tool.replace("-", r"\-") not in text and tool not in text:
            raise Failed(f"{file} does not name the tool")


def check_unpacked(checks, what, suite, tree, libraries, base, scratch, target):
    """Runs what is in `tree`: its folder `bin`, and libtsc.so in its folder `libraries`."""
    system = Emulated(target, make_base(suite, base, target), tree / "bin", scratch)
    scale = shlex.quote(str(ARCHIVE))
    examples = shlex.quote(str(SOURCE / "examples"))
    library = shlex.quote(str(tree / libraries))

    def check(name, *command):
        checks.check(f"{what}: {name}", lambda: system.run(*command))

    checks.check(f"{what}: programs and libraries need what every system has", lambda: check_programs(tree, target))
    checks.check(f"{what}: every tool starts", lambda: [system.run(f"{tool} --help", tool) for tool in TOOLS])
    checks.check(f"{what}: tsc-run --version, --licenses and --doctor", lambda: (system.run("tsc-run --version", "licensed under"), system.run(
        "tsc-run --licenses", "zlib license"), system.run("tsc-run --doctor", "nothing is wrong")))
    check("tsc-run runs an archive", f"tsc-run --args 'torch.ones([3])' {scale}", SCALED)
    check("tsc-run runs a program of the README", f"tsc-run --seed 0 {examples}/lstm.py", LSTM_NUMBERS)
    checks.check(f"{what}: compiled kernels are as right as plain ones", lambda: check_levels(system, system.given, system.given))
    check("tsc-opt runs passes", f"tsc-opt -passes=cse,dce {examples}/duplicate.ir", "aten::mul(%3, %3)")
    check("tsc-translate lists an archive", f"tsc-translate --list {scale}", "def forward(x: Tensor) -> Tensor")
    if suite == OLDEST:  # for which no compiler is at hand
        loader = shlex.quote(f"{base / f'{suite}-{target}'}/lib/{LOADERS[target]}")
        check("the library finds all that it needs", f"{system.emulator} -E LD_WARN=1 -E LD_BIND_NOW=1 {loader} --list {library}/libtsc.so.1 "
                                                     ">listed 2>&1; ! grep -i 'not found\\|undefined\\|error' listed && grep -F 'libc.so.6 =>' listed",
              "libc.so.6")
        return
    sysroot = SOURCE / f"build/{target}-sysroot"
    check("a C host", f"clang-19 --target={target}-linux-gnu --sysroot={shlex.quote(str(sysroot))} -fuse-ld=lld-19 -std=c99 -Wall -Werror "
                      f"{shlex.quote(str(SOURCE))}/test/install/c/main.c -I {shlex.quote(str(tree))}/include -L {library} -ltsc -o host && "
                      f"{system.emulator} -E LD_LIBRARY_PATH={library} ./host")


def digests(folder, names):
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names if (folder / name).is_file()}


def check_twice(dist, files, target):
    """Makes the packages again in another folder, without what the first build left in a cache."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = pathlib.Path(scratch) / "another copy"
        subprocess.run(["git", "clone", "-q", SOURCE, copy], check=True)
        # Of a clone that was there before the last change, files are older than that.
        subprocess.run(["find", copy, "-exec", "touch", "--no-dereference", "--date=2001-01-01", "--", "{}", "+"], check=True)
        sources = [subprocess.run([folder / "utils/package", "--source"], stdout=subprocess.PIPE, text=True, check=True).stdout
                   for folder in (SOURCE, copy)]
        if sources[0] != sources[1]:
            raise Failed("the source has changes that are not committed: commit them, and run utils/package once more")
        run = subprocess.run(["utils/package", *([f"--target={target}"] if target else [])], cwd=copy, env={**os.environ, "CCACHE_DISABLE": "1"},
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.returncode != 0:
            raise Failed(f"utils/package exited with {run.returncode}:\n{run.stdout[-2000:]}")
        names = sorted(file.name for file in files.values())
        first, second = digests(dist, names), digests(copy / "dist", names)
        if differing := [name for name in names if first[name] != second.get(name)]:
            raise Failed(f"{', '.join(differing)} differ between two builds of one source")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", choices=LOADERS)
    parser.add_argument("--dist", type=pathlib.Path, default=SOURCE / "dist")
    parser.add_argument("--any-source", action="store_true")
    parser.add_argument("--work", type=pathlib.Path, default=SOURCE / "build/systems")
    parser.add_argument("--twice", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--pages", type=pathlib.Path)
    options = parser.parse_args()
    if options.pages:
        checks = Checks()
        checks.check("no link in its pages is dead", lambda: check_links(options.pages))
        checks.finish()
    if os.geteuid() != 0:
        usage_error("systems can be entered by root alone: run it as root")
    target = options.target if options.target != platform.machine() else None
    needed = {"debootstrap": "debootstrap", "lintian": "lintian"}
    if target:
        needed |= {f"qemu-{target}": "qemu-user", "clang-19": "clang-19", "ld.lld-19": "lld-19", "readelf": "binutils"}
    for tool, package in needed.items():
        if not shutil.which(tool):
            usage_error(f"needs {tool}: apt-get install {package}")
    files = find_files(options.dist, target)
    if not options.any_source:
        require_source(options.dist, files, target)
    if target and subprocess.run([SOURCE / "utils/make_sysroot", SOURCE / f"build/{target}-sysroot"]).returncode != 0:
        usage_error("needs what utils/make_sysroot unpacks, which failed as is said above")
    work = options.work.resolve()
    base = work / "bare"
    base.mkdir(parents=True, exist_ok=True)
    for suite in SUITES:
        make_base(suite, base, target)
    checks = Checks()
    if target:
        groups = [lambda: check_emulated(checks, files, base, work, target, options.quick)]
    else:
        groups = [lambda: check_packages(checks, files, options.quick), lambda: check_tools(checks, files, base, work),
                  lambda: check_development(checks, files, base, work, options.quick)]
        groups += [lambda suite=suite: check_archive(checks, files, base, work, suite) for suite in SUITES]
    if options.twice:
        groups.append(lambda: checks.check("two builds of one source have the same bytes", lambda: check_twice(options.dist, files, target)))
    for group in groups:
        try:
            group()
        except Exception as error:  # what comes before the checks of a group, such as the copy of a system
            checks.failed += 1
            print(f"FAILED: {type(error).__name__}: {error}", flush=True)
    checks.finish()


main()
