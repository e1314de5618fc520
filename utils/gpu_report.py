#!/usr/bin/env python3
"""All that a real GPU can tell, in one report: correctness first, then speed.

usage: gpu_report.py BUILD_DIR [--report FILE.md] [--minutes N] [--cases N] [--groups N] [--jobs N] [--lit LIT.PY]
                     [--python PYTHON] [--peer-modes MODES] [--skip PART...] [--driver F.so]
       gpu_report.py --bundle F [BUILD_DIR] [--cases N] [--lit LIT.PY]

1. What the machine is: the GPU, the driver, NVRTC.
2. Correctness: random groups on the GPU (--groups of each kind, 200), a rank that exchanges with itself by NCCL where that is
   installed, the lit tests of test/FuserCUDA with the system's driver where --lit names lit, N of the recorded cases (400)
   with their kernels and N on copies, and the benchmark programs against the processor.
3. Speed: the copy bandwidth of the device, and beside it, in turn, the programs whose pace memory sets; the cost of
   launching from outside, as the time of a call on next to nothing; and where --python has a PyTorch that sees the GPU,
   all benchmark programs beside it, in its eager mode, TorchScript and torch.compile.

What failed is listed beside the report, in FILE.failures. --skip leaves out parts: groups, nccl, lit, cases, programs, speed
(with peer, the comparison with PyTorch, which can be left out alone). --minutes bounds the whole: each part has a share
of them, what it leaves goes to the next one, and the report says what there was no time for. Ends with exit status 1
when something is wrong, and 2 where there is no GPU or the report cannot be made. --driver tries the report itself with
the fake driver of the tests.

--bundle packs all of this into one file for a machine that has a GPU, Python 3.8 and nothing of ours: `sh F` unpacks it
into a temporary folder, writes the report within ten minutes, and leaves nothing else behind. BUILD_DIR is build/package,
which utils/package builds, and whose programs run on older systems.
"""
import argparse
import concurrent.futures
import gzip
import io
import json
import os
import pathlib
import platform
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCE / "benchmarks"))
from fusion import BYTES, READING, ROWS  # noqa: E402  what the programs read and write
from recorded_cases import default_places, find_cases, name_of  # noqa: E402

BENCH = SOURCE.parent / "shared/bench"
CARRIED_CASES = SOURCE.parent / "shared/cases"  # those of a bundle, which has no other
CARRIED_LIT = SOURCE / "llvm"  # lit and FileCheck of a bundle
LLVM = pathlib.Path("/usr/lib/llvm-19")
COPY = """import torch
def copies(x, y):
    y.copy_(x)
    return 0
def nearly_nothing(x):
    return x * 2 + 1
"""
ROUNDS = 5

# The parts in the order in which they are worth most, and until which fraction of the time each may go on.
PARTS = {"groups": 0.2, "nccl": 0.21, "lit": 0.35, "cases": 0.6, "programs": 0.7, "speed": 0.85, "peer": 1}
# What PyTorch takes for the same calls: the device is waited for after each, as tsc-run --bench does.
PEER = """import importlib.util, json, pathlib, statistics, sys, time
import torch
torch.set_default_device("cuda")
torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False
bench = pathlib.Path(sys.argv[1])
for case in json.loads((bench / "cases.json").read_text()):
    if case["name"] not in sys.argv[2].split(","):
        continue
    spec = importlib.util.spec_from_file_location(case["name"], bench / "cases" / case["file"])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for mode in sys.argv[3].split(","):
        try:
            torch.manual_seed(0)
            args = eval("(" + case["args"] + ",)", {"torch": torch})
            function = getattr(module, case["entry"])
            function = {"eager": lambda f: f, "jit": torch.jit.script, "compile": torch.compile}[mode](function)
            times = []
            with torch.no_grad():
                begin = time.perf_counter()
                function(*args)
                torch.cuda.synchronize()
                first = time.perf_counter() - begin
                for _ in range(20):
                    function(*args)
                end = time.perf_counter() + 0.4
                while len(times) < 20 or time.perf_counter() < end and len(times) < 500:
                    torch.cuda.synchronize()
                    start = time.perf_counter()
                    function(*args)
                    torch.cuda.synchronize()
                    times.append(time.perf_counter() - start)
            print(json.dumps({"case": case["name"], "mode": mode, "first_us": first * 1e6,
                              "median_us": statistics.median(times) * 1e6, "torch": torch.__version__}), flush=True)
        except Exception as error:
            print(json.dumps({"case": case["name"], "mode": mode, "error": str(error)[:200]}), flush=True)
"""
# Of the benchmark programs those that compute with tensors.
TENSOR_PROGRAMS = ["lstm_cell", "lstm_pointwise", "lstm_layer_small", "lstm_layer", "axpb_dram", "axpb_tiny", "gelu_l2",
                   "gelu_dram", "iou", "norm_relu", "masked_mix", "softmax_scaled", "layer_norm_gelu", "mse", "policy",
                   "encoder_block", "residual_block"]


# Prints the folders in which this Python's packages keep the libraries of CUDA's toolkit.
FIND_TOOLKIT = """import glob, os, sys
found = [glob.glob(os.path.join(folder, "nvidia", "*", "lib", "lib*.so*")) for folder in sys.path if folder]
print(os.pathsep.join(sorted({os.path.dirname(path) for paths in found for path in paths})))
"""


LEAST = 90  # percent of the recorded cases that have to pass
LARGEST = 60 << 20  # bytes of a bundle
# What every Linux with glibc has.
EVERYWHERE = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libpthread.so.0", "libdl.so.2", "librt.so.1"}
TITLES = {"groups": "random groups", "nccl": "exchanges of one rank by NCCL", "lit": "the lit tests of test/FuserCUDA", "cases": "recorded cases",
          "programs": "benchmark programs", "speed": "copies and programs whose pace memory sets",
          "peer": "programs beside PyTorch"}
# What a bundle begins with; the archive follows in the line behind it.
HEADER = r"""#!/bin/sh
# What tsc does on the GPU of this machine, in one report:
#
#   sh THIS_FILE [--report FILE.md] [--minutes 10] [more options; --help lists them]
#
# All is unpacked into a temporary folder (TMPDIR names another place for it), which is removed at the end. FILE.md and
# FILE.failures are what stays.
give_up() {
  echo "${0##*/}: $1" >&2
  exit 2
}
[ "$(uname -sm 2>/dev/null)" = "Linux @PROCESSOR@" ] || give_up "its programs are for Linux on @PROCESSOR@, and this is $(uname -sm 2>&1)"
python=$(command -v python3) || give_up "there is no python3: install Python 3.8 or newer"
"$python" -c "import sys; sys.exit(sys.version_info < (3, 8))" ||
  give_up "python3 is $("$python" --version 2>&1): put Python 3.8 or newer first in PATH"
exec "$python" -c '
import gzip, os, shutil, signal, subprocess, sys, tarfile, tempfile, time, zlib

began = time.time()
file, child = sys.argv[1], None


def give_up(why):
    print(f"{os.path.basename(file)}: {why}", file=sys.stderr)
    sys.exit(2)


def unpack(folder):
    free = shutil.disk_usage(folder).free
    if free < @BYTES@ * 5 // 4:
        give_up(f"{folder} has {free >> 20} MiB free, and unpacked it takes {@BYTES@ * 5 // 4 >> 20}: make room, or "
                "let TMPDIR name a folder on a larger disk")
    try:
        with open(file, "rb") as whole:
            for _ in range(@LINES@):
                whole.readline()
            with gzip.GzipFile(fileobj=whole) as data, tarfile.open(fileobj=data, mode="r|") as archive:
                archive.extraction_filter = getattr(tarfile, "data_filter", None)
                archive.extractall(folder)
                while data.read(1 << 20):  # its checksum is compared at the end
                    pass
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile):
        give_up("the file is damaged: copy it once more")
    except OSError as error:
        give_up(f"it cannot be unpacked into {folder}: {error.strerror}; TMPDIR names another place")


def pass_on(number, _):
    if not child:
        sys.exit(128 + number)
    child.send_signal(number)


for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, pass_on)
try:
    scratch = tempfile.TemporaryDirectory(prefix="tsc-gpu-")
except OSError:
    give_up("no temporary folder can be made: make room in /tmp, or let TMPDIR name a folder on a larger disk")
with scratch as folder:
    unpack(folder)
    build = os.path.join(folder, "tsc/build")
    if not os.access(os.path.join(build, "bin/tsc-run"), os.X_OK):
        give_up(f"programs cannot be run from {folder}: let TMPDIR name a folder from which they can")
    # What is ended in the middle leaves its temporary files; they go with the folder.
    own = os.path.join(folder, "tmp")
    os.mkdir(own)
    os.environ.update(TMPDIR=own, XDG_CACHE_HOME=os.path.join(folder, "cache"))
    child = subprocess.Popen([sys.executable, os.path.join(folder, "tsc/utils/gpu_report.py"), build, "--minutes", "10",
                              "--began", str(began), *sys.argv[2:]])
    status = child.wait()
sys.exit(status if status >= 0 else 128 - status)
' "$0" "$@"
"""


class OutOfTime(Exception):
    """The time of a part is over; holds what its last command had printed until then."""


class Clock:
    """When the report, or a part of it, has to end. Without a number of seconds it never has to."""

    def __init__(self, seconds=None, begin=None):
        self.begin, self.seconds = time.monotonic() if begin is None else begin, seconds

    def left(self):
        return float("inf") if self.seconds is None else self.begin + self.seconds - time.monotonic()

    def until(self, fraction):
        return Clock(self.seconds and self.seconds * fraction, self.begin)

    def half_of_rest(self):
        return Clock(self.seconds and max(self.left(), 0) / 2)


class Report:
    def __init__(self, path=None):
        self.path, self.lines, self.failures, self.isRight = path, [], [], True

    def say(self, *lines):
        self.lines += lines
        print(*lines, sep="\n", flush=True)

    def check(self, what, isRight, detail=""):
        self.isRight &= isRight
        self.say(f"- {what}: {'right' if isRight else 'WRONG'}{'; ' + detail if detail else ''}")

    def leave_out(self, what, why):
        self.say(f"- {what}: not run; {why}")

    def write(self):
        try:
            self.path.write_text("\n".join(self.lines) + "\n")
            self.path.with_suffix(".failures").write_text("\n".join(self.failures))
        except OSError as error:
            give_up(f"the report cannot be written to '{self.path}': {error.strerror}; --report names another file")


class Processes:
    """The commands that run now, each in a group of its own, so that all that it started ends with it."""

    def __init__(self):
        self.lock, self.running, self.isStopped = threading.Lock(), set(), False

    def start(self, command, environment):
        with self.lock:
            if self.isStopped:
                raise OutOfTime("")
            process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                       errors="replace", env=environment, start_new_session=True)
            self.running.add(process.pid)
            if self.isStopped:  # meanwhile
                kill_group(process.pid)
            return process

    def end(self, process):
        with self.lock:
            self.running.discard(process.pid)
            kill_group(process.pid)

    def stop(self, number, _):
        """What a signal calls: ends everything, and then the report, which is written as far as it came."""
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(each, signal.SIG_IGN)
        self.isStopped = True
        for group in list(self.running):
            kill_group(group)
        sys.exit(128 + number)


PROCESSES = Processes()


def kill_group(group):
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


def give_up(why):
    print(f"gpu_report.py: {why}", file=sys.stderr)
    sys.exit(2)


def run(command, clock=Clock(), most=3600, environment=None):
    """(exit status, what was printed). Raises OutOfTime when the clock ends it; a command that takes longer than `most`
    seconds fails."""
    seconds = min(most, clock.left())
    if seconds <= 0:
        raise OutOfTime("")
    try:
        process = PROCESSES.start(command, environment)
    except OSError as error:
        return 1, f"{command[0]}: {error.strerror}"
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        kill_group(process.pid)
        out, err = process.communicate()
        if clock.left() <= 0:
            raise OutOfTime(out + err) from None
        return 1, f"{out}{err}\n{command[0]} took more than {most} seconds"
    finally:
        PROCESSES.end(process)
    if process.returncode < 0:
        err += f"\n{pathlib.Path(command[0]).name} was ended by signal {-process.returncode}\n"
    return process.returncode, out + err


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def median_micros(tool, flags, clock, entry, arguments, program, count=200):
    """The median of a call in microseconds; None when it fails."""
    code, text = run([tool, *flags, "--seed", "0", "--bench", count, "--entry", entry, "--args", arguments, program], clock)
    found = re.search(r'\{"load_us".*\}', text)
    return json.loads(found[0])["median_us"] if code == 0 and found else None


def check_programs(report, tool, flags, clock):
    """The benchmark programs give on the GPU what they give on the processor, to 1e-4 of the largest number."""
    cases = json.loads((BENCH / "cases.json").read_text())
    with tempfile.TemporaryDirectory() as scratch:
        for number, case in enumerate(cases):
            try:
                check_program(report, tool, flags, clock, case, pathlib.Path(scratch))
            except OutOfTime:
                left = f"{len(cases) - number} of {len(cases)} benchmark programs"
                return report.leave_out(left, "there was no time left")


def check_program(report, tool, flags, clock, case, scratch):
    program, file = BENCH / "cases" / case["file"], scratch / "expected.pt"
    common = ["--seed", "0", "--entry", case["entry"], "--args", case["args"]]
    code, text = run([tool, *common, "--output", file, program], clock)
    if code:
        return report.check(case["name"], False, last_line(text))
    results = []
    for place in ([], flags):
        result = scratch / "result.pt"
        code, text = run([tool, *place, *common, "--compile", "eager", "--output", result, program], clock)
        results.append(numbers_of(result) if code == 0 else None)
    report.check(case["name"], None not in results and are_close(*results), "" if code == 0 else last_line(text))


def numbers_of(path):
    import array
    import zipfile
    with zipfile.ZipFile(path) as archive:
        parts = [archive.read(name) for name in sorted(archive.namelist()) if "/data/" in name]
    return [array.array("f", data[:len(data) & ~3]) for data in parts]


def are_close(ones, others):
    for one, other in zip(ones, others):
        scale = max(map(abs, one), default=0)
        if len(one) != len(other) or not all(abs(a - b) <= 1e-4 * scale or a == b for a, b in zip(one, other)):
            return False
    return len(ones) == len(others)


def measure_speed(report, tool, flags, clock):
    cases = {case["name"]: case for case in json.loads((BENCH / "cases.json").read_text())}
    with tempfile.TemporaryDirectory() as scratch:
        copying = pathlib.Path(scratch) / "copy.py"
        copying.write_text(COPY)
        elements = 1 << 26
        arguments = f"torch.zeros([{elements}]), torch.zeros([{elements}])"
        best, times, nothing, rounds = 0, {}, [], 0
        try:
            for _ in range(ROUNDS):  # beside each other, so that what the machine does meanwhile meets all
                if micros := median_micros(tool, flags, clock, "copies", arguments, copying):
                    best = max(best, 2 * 4 * elements / micros)
                nothing.append(median_micros(tool, flags, clock, "nearly_nothing", "torch.zeros([4])", copying, 2000))
                for name in BYTES:
                    case = cases[name]
                    for few, many in (("256, ", "4096, "),) if name in ROWS else ():
                        case = dict(case, args=case["args"].replace(few, many))
                    micros = median_micros(tool, flags, clock, case["entry"], case["args"], BENCH / "cases" / case["file"])
                    if micros:
                        times[name] = min(times.get(name, micros), micros)
                rounds += 1
        except OutOfTime:
            report.say("", f"There was time for {rounds} of {ROUNDS} rounds.")
        if best:
            report.say("", f"Copy bandwidth of the device: {best / 1e3:.0f} GB/s")
        if best and times:
            report.say("", "| program | bytes per time over the copy's |", "|---|---|")
            for name, micros in times.items():
                report.say(f"| {name}{' (reads only)' if name in READING else ''} | {BYTES[name] / micros / best:.2f} |")
        if least := min(filter(None, nothing), default=None):
            report.say("", f"A call of one launch on four elements, done: {least:.1f} us")


def compare_with_peer(report, tool, flags, python, modes, clock):
    """The benchmark programs on tensors beside PyTorch on the same GPU."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as peer:
        peer.write(PEER)
        peer.flush()
        try:  # a quarter of the time is for our side of the table
            rest = Clock(clock.seconds and max(clock.left(), 0) * 0.75)
            _, text = run([python, peer.name, BENCH, ",".join(TENSOR_PROGRAMS), modes], rest, most=240)
        except OutOfTime as over:
            text = str(over)
    theirs = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    times = {(entry["case"], entry["mode"]): entry["median_us"] for entry in theirs if "median_us" in entry}
    if not times:
        report.say("", f"No PyTorch beside it: {last_line(text) or 'there was no time left'}")
        return
    version = next(entry["torch"] for entry in theirs if "torch" in entry)
    report.say("", f"Beside PyTorch {version} (above 1: tsc is faster; products and convolutions without TF32 in both)", "",
               "| program | tsc, us | eager / tsc | TorchScript / tsc | torch.compile / tsc |", "|---|---|---|---|---|")
    for case in json.loads((BENCH / "cases.json").read_text()):
        if case["name"] in TENSOR_PROGRAMS:
            try:
                micros = median_micros(tool, flags, clock, case["entry"], case["args"], BENCH / "cases" / case["file"])
            except OutOfTime:
                report.say("", "There was no time for the programs that are missing.")
                return
            ratios = [times.get((case["name"], mode)) for mode in ("eager", "jit", "compile")]
            cells = [f"{ratio / micros:.2f}" if ratio and micros else "" for ratio in ratios]
            report.say(f"| {case['name']} | {micros and round(micros, 1)} | " + " | ".join(cells) + " |")


def tallies_of(text):
    """What the tests of random groups printed: how many ran, called functions of the library, and had other bits."""
    return [list(map(int, numbers)) for numbers in
            re.findall(r"(\d+) groups ran on .*?, (\d+)\s+with\s+functions\s+of\s+the\s+library,\s+(\d+)\s+with\s+other\s+bits",
                       text, re.S)]


def check_groups(report, tests, groups, jobs, clock=Clock()):
    """Random groups, by several processes with seeds of their own, of which each makes a few groups of each kind."""
    each = min(-(-groups // jobs), 10)

    def compare(first):
        environment = {**os.environ, "TSC_CUDA_GROUPS": str(min(each, groups - first)), "TSC_CUDA_FIRST_GROUP": str(first)}
        try:
            return run([tests, "[gpu]"], clock, environment=environment)
        except OutOfTime:
            return None

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        asked = list(pool.map(compare, range(0, groups, each)))
    runs = [done for done in asked if done]
    if not runs:
        return report.leave_out(TITLES["groups"], "there was no time left")
    tallies = [tally for _, text in runs for tally in tallies_of(text)]
    fused, approximate, inexact = map(sum, zip(*tallies)) if tallies else (0, 0, 0)
    isTold = len(tallies) == 2 * len(runs)
    missed = len(asked) - len(runs)
    late = f"; there was no time for {missed} of {len(asked)} shares of them" if missed else ""
    report.check("random groups", isTold and not any(code for code, _ in runs),
                 f"{fused} ran, {approximate} of them with functions of CUDA's library, {inexact} with other bits{late}")
    report.failures += [f"== random groups\n{text}" for code, text in runs if code or not isTold]


def check_nccl(report, tests, clock=Clock()):
    """A rank that exchanges with itself: all of NCCL that one GPU can show."""
    code, text = run([tests, "[nccl]"], clock)
    words = " ".join(text.split())  # Catch2 breaks lines
    if "NCCL, NVIDIA's library for exchanges between GPUs, is not there" in words:
        return report.leave_out(TITLES["nccl"], "it is not installed")
    isRight = code == 0 and "All tests passed" in words
    report.check(TITLES["nccl"], isRight)
    report.failures += [] if isRight else [f"== {TITLES['nccl']}\n{text}"]


def why_it_cannot_start(program, option):
    """A sentence where the system has not the libraries that a program opens; None where it has."""
    code, text = run([program, option], most=60)
    isLoaders = code == 127 or code == 1 and "' not found (required by" in text  # a library, or a version of glibc
    return f"{program.name} does not start here: {last_line(text).split(': ', 1)[-1]}" if isLoaders else None


def check_lit(report, options, clock):
    what, filecheck = TITLES["lit"], CARRIED_LIT / "bin/FileCheck"
    if missing := filecheck.exists() and why_it_cannot_start(filecheck, "--version"):
        return report.leave_out(what, missing)
    write_site(options)
    gpu = [] if options.driver else ["--param", "real_gpu"]
    late = [] if clock.seconds is None else ["--max-time", max(1, int(clock.left()))]
    command = [sys.executable, options.lit, "-v", "-j", options.jobs, *late, *gpu, options.build / "test/FuserCUDA"]
    code, text = run(command, Clock(clock.seconds and clock.left() + 20))  # lit ends in time, and then sums up
    counts = {name: int(count) for name, count in re.findall(r"^ +(\w[\w ]*?) *: +(\d+) ", text, re.M)}
    if code == 0 and set(counts) == {"Skipped"}:
        return report.leave_out(what, "there was no time left")
    told = ", ".join(f"{count} {name.lower()}" for name, count in counts.items()) or last_line(text)
    isRight = code == 0 and "Passed" in counts
    report.check(what, isRight, told + ("; there was no time for those that were skipped" if "Skipped" in counts else ""))
    if not isRight:
        report.failures.append(f"== {what}\n{text}")


def write_site(options):
    """What CMake writes for lit into the folder of a build, a bundle learns where it is unpacked."""
    site = options.build / "test/lit.site.cfg.py"
    if not CARRIED_LIT.exists() or site.exists():
        return
    site.parent.mkdir(exist_ok=True)
    values = {"CMAKE_C_COMPILER": "cc", "TSC_C_FUSER": "ON", "CMAKE_BINARY_DIR": options.build, "PROJECT_SOURCE_DIR": SOURCE,
              "CMAKE_RUNTIME_OUTPUT_DIRECTORY": options.build / "bin", "CMAKE_CURRENT_BINARY_DIR": site.parent,
              "TSC_NATIVE_SIMD": "OFF", "TSC_SIMD_PROCESSOR": "native", "TSC_LLVM_TOOLS_DIR": CARRIED_LIT / "bin"}
    template = (SOURCE / "test/lit.site.cfg.py.in").read_text()
    site.write_text(re.sub("@([A-Za-z_]+)@", lambda name: str(values.get(name[1], "")), template))
    fake = options.build / "unittests/libtscFakeDriver.so"
    if options.driver and not fake.exists():
        fake.parent.mkdir(exist_ok=True)
        fake.symlink_to(options.driver.resolve())


def case_places():
    return [place for place in (*default_places(), CARRIED_CASES) if place.exists()]


def check_cases(report, options, clock):
    """The recorded cases, in helpings of which each is spread over all of them, so that time may end between any two."""
    with tempfile.TemporaryDirectory() as scratch:
        cases = find_cases(case_places(), scratch, options.cases)
        count = -(-len(cases) // (2 * options.jobs))
        helpings = [cases[number::count] for number in range(count)]
        check_helpings(report, options, clock.half_of_rest(), helpings, "eager")
        check_helpings(report, options, clock, helpings, "off")


def check_helpings(report, options, clock, helpings, kernels):
    what, driver = f"recorded cases, kernels {kernels}", ["--driver", options.driver] if options.driver else []
    passed, total, late, failures = 0, 0, "", ""
    for number, helping in enumerate(helpings):
        with tempfile.NamedTemporaryFile("r") as listed:
            try:
                _, text = run([sys.executable, SOURCE / "utils/check_cuda.py", options.build, *helping, "--kernels", kernels,
                               "--jobs", options.jobs, "--failures", listed.name, *driver], clock)
            except OutOfTime:
                left = sum(map(len, helpings[number:]))
                if left == sum(map(len, helpings)):
                    return report.leave_out(what, "there was no time left")
                late = f"; there was no time for {left} others"
                break
            found = re.search(r"^(\d+) of (\d+) cases that pass on the processor", text, re.M)
            if not found:
                report.check(what, False, last_line(text))
                report.failures.append(f"== {what}\n{text}")
                return
            passed, total = passed + int(found[1]), total + int(found[2])
            failures += listed.read()
    share = 100 * passed / max(1, total)
    report.check(what, share >= LEAST,
                 f"{passed} of {total} cases that pass on the processor pass on CUDA ({share:.1f} %){late}")
    report.failures.append(f"== {what}\n{failures}")


def open_gpu(report, options, tool, flags):
    """Runs one kernel; gives up where there is no GPU. The libraries of CUDA's toolkit may be those of Python's packages."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as probe:
        probe.write("import torch\ndef main(x):\n    return x * 2 + 1\n")
        probe.flush()
        command = [tool, *flags, "--compile", "eager", "--args", "torch.ones([3])", probe.name]
        code, text = run(command, most=120)
        if code == 2 and not options.driver:
            _, folders = run([options.python, "-c", FIND_TOOLKIT], most=60)
            if folders := last_line(folders):
                path = os.pathsep.join(filter(None, [os.environ.get("LD_LIBRARY_PATH"), folders]))
                again, told = run(command, most=120, environment={**os.environ, "LD_LIBRARY_PATH": path})
                if again != 2:
                    code, text = again, told
                    os.environ["LD_LIBRARY_PATH"] = path
                    report.say("The libraries of CUDA's toolkit are those of Python's packages.", "")
    if code == 2:
        report.say(f"There is no GPU to report on: {last_line(text)}", "",
                   "NVIDIA's driver has to be there, and NVRTC of CUDA's toolkit, whose folder CUDA_PATH names.")
        report.write()
        sys.exit(2)
    report.say("## Correctness", "")
    isRight = code == 0 and "3." in text and "cuda:0" in text
    report.check("one kernel", isRight, "" if isRight else last_line(text))
    if not isRight:
        report.failures.append(f"== one kernel\n{text}")


def check_and_measure(report, options, clock):
    tool, tests = options.build / "bin/tsc-run", options.build / "unittests/FuserCUDATests"
    flags = ["--device", "cuda"] + (["--cuda-driver", options.driver] if options.driver else [])
    code, text = run([tool, "--version"])
    if code:
        give_up(f"{tool.name} does not run on this machine: {last_line(text)}")
    code, text = run(["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"], most=60)
    report.say("# tsc on a GPU", "", text.strip() if code == 0 else "nvidia-smi says nothing", "")
    open_gpu(report, options, tool, flags)

    def part(name, function, *arguments, missing=None):
        if name in options.skip:
            return
        if missing:
            report.leave_out(TITLES[name], missing)
        else:
            try:
                function(report, *arguments, clock.until(PARTS[name]))
            except OutOfTime:
                report.leave_out(TITLES[name], "there was no time left")
        report.write()

    if options.driver:
        missing = "they take no driver but the system's"
    elif not tests.exists():
        missing = f"there is no {tests.name}, which the tests' targets build"
    else:
        missing = why_it_cannot_start(tests, "--help")
    part("groups", check_groups, tests, options.groups, options.jobs, missing=missing)
    part("nccl", check_nccl, tests, missing=missing)
    part("lit", check_lit, options, missing=None if options.lit else "--lit does not say where lit is")
    part("cases", check_cases, options, missing=None if case_places() else "they are not on this machine")
    missing = None if BENCH.exists() else "they are not on this machine"
    part("programs", check_programs, tool, flags, missing=missing)
    if "speed" not in options.skip and BENCH.exists():
        report.say("", "## Speed")
        part("speed", measure_speed, tool, flags)
        part("peer", compare_with_peer, tool, flags, options.python, options.peer_modes)


class Bundle:
    """The files of a bundle, and what they ask of a machine."""

    def __init__(self):
        self.files, self.size = {}, 0

    def add(self, name, source, mode=0o644):
        data = source if isinstance(source, bytes) else pathlib.Path(source).read_bytes()
        self.files[name] = (data, mode)
        self.size += len(data)

    def add_tree(self, name, folder, isWanted=lambda path: True):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and isWanted(path):
                self.add(f"{name}/{path.relative_to(folder)}", path)

    def add_program(self, name, path):
        """A program without its symbols; says what it needs that a machine may not have."""
        strip = shutil.which("llvm-strip-19") or shutil.which("strip")
        if not strip:
            give_up("there is no strip, which makes programs smaller: apt-get install binutils")
        with tempfile.TemporaryDirectory() as scratch:
            stripped = pathlib.Path(scratch) / "program"
            code, text = run([strip, "-o", stripped, path])
            if code:
                give_up(f"{path} cannot be stripped: {last_line(text)}")
            self.add(name, stripped, 0o755)
        code, text = run(["ldd", path])
        needed = sorted({line.split()[0] for line in text.splitlines() if ".so" in line} - EVERYWHERE) if code == 0 else []
        needed = [library for library in needed if not library.startswith(("/", "linux-"))]
        versions = [int(version) for version in re.findall(rb"GLIBC_2\.(\d+)\0", self.files[name][0])]
        print(f"{path.name} ({path}) needs glibc 2.{max(versions, default=0)}{' and ' if needed else ''}{', '.join(needed)}")

    def archive(self):
        """All files, the same bytes for the same files."""
        packed = io.BytesIO()
        with gzip.GzipFile(fileobj=packed, mode="wb", filename="", mtime=0, compresslevel=6) as compressed, \
                tarfile.open(fileobj=compressed, mode="w", format=tarfile.GNU_FORMAT) as archive:
            for name, (data, mode) in sorted(self.files.items()):
                entry = tarfile.TarInfo(name)
                entry.size, entry.mode, entry.mtime = len(data), mode, 0
                archive.addfile(entry, io.BytesIO(data))
        return packed.getvalue()


def shown(path):
    return path.relative_to(SOURCE) if SOURCE in path.parents else path


def first_of(*paths):
    return next((path for path in paths if path.exists()), None)


def make_bundle(options):
    build = options.build or SOURCE / "build/package"
    tool = build / "bin/tsc-run"
    if not tool.exists():
        give_up(f"there is no {shown(tool)}: run `utils/package tar` first, which builds it for older systems")
    bundle = Bundle()
    bundle.add_program("tsc/build/bin/tsc-run", tool)
    tests = first_of(build / "unittests/GpuGroups", build / "unittests/FuserCUDATests",
                     SOURCE / "build/release/unittests/FuserCUDATests")
    if tests:
        bundle.add_program("tsc/build/unittests/FuserCUDATests", tests)
    else:
        print("random groups are not in it: no build has FuserCUDATests; ninja -C build/release FuserCUDATests makes one")
    add_lit(bundle, build, options.lit or LLVM / "build/utils/lit/lit.py")
    for name in ("utils/gpu_report.py", "utils/check_cuda.py", "utils/recorded_cases.py", "benchmarks/common.py",
                 "benchmarks/fusion.py", "test/passing-cases.txt", "LICENSE", "NOTICE"):
        bundle.add(f"tsc/{name}", SOURCE / name)
    if BENCH.exists():
        bundle.add("shared/bench/cases.json", BENCH / "cases.json")
        bundle.add_tree("shared/bench/cases", BENCH / "cases")
    else:
        print("benchmark programs are not in it: shared/bench is not beside the repository")
    count = add_cases(bundle, options.cases)
    write_bundle(bundle, options.bundle)
    size = options.bundle.stat().st_size / (1 << 20)
    print(f"{options.bundle}: {size:.1f} MiB, {count} recorded cases; `sh {options.bundle.name}` makes the report")


def add_lit(bundle, build, lit):
    filecheck = first_of(build / "unittests/FileCheck", LLVM / "bin/FileCheck")
    if not lit.exists() or not filecheck:
        print("lit tests are not in it: there is no lit or no FileCheck; apt-get install llvm-19-tools brings both")
        return
    bundle.add_program("tsc/llvm/bin/FileCheck", filecheck)
    bundle.add("tsc/llvm/lit/lit.py", lit)
    bundle.add_tree("tsc/llvm/lit/lit", lit.parent / "lit")
    if (lit.parent / "LICENSE.TXT").exists():  # FileCheck's, too
        bundle.add("tsc/llvm/LICENSE.TXT", lit.parent / "LICENSE.TXT")
    for script in sorted((SOURCE / "test").glob("*.py")) + [SOURCE / "test/lit.site.cfg.py.in"]:
        bundle.add(f"tsc/test/{script.name}", script)
    # The tests of this report would start a report in a report.
    bundle.add_tree("tsc/test/FuserCUDA", SOURCE / "test/FuserCUDA", lambda path: not path.name.startswith("report"))


def add_cases(bundle, limit):
    """About `limit` of the recorded cases that pass on the processor, evenly spread; returns how many."""
    passing = set((SOURCE / "test/passing-cases.txt").read_text().splitlines())
    with tempfile.TemporaryDirectory() as scratch:
        cases = find_cases(case_places(), scratch, limit, passing.__contains__)
        for case in cases:
            for name in ("model.pt", "io.pt", "meta.json"):
                if (case / name).exists():
                    bundle.add(f"shared/cases/{name_of(case)}/{name}", case / name)
    if not cases:
        print("recorded cases are not in it: shared/corpus is not beside the repository")
    return len(cases)


def write_bundle(bundle, path):
    header = HEADER
    for name, value in (("PROCESSOR", platform.machine()), ("BYTES", bundle.size), ("LINES", HEADER.count("\n"))):
        header = header.replace(f"@{name}@", str(value))
    data = header.encode() + bundle.archive()
    if len(data) > LARGEST:
        give_up(f"the bundle would take {len(data) >> 20} MiB, and it is to stay under {LARGEST >> 20}: choose fewer --cases")
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        part.chmod(0o755)
        part.replace(path)
    except OSError as error:
        if part.exists():
            part.unlink()
        give_up(f"the bundle cannot be written to '{path}': {error.strerror}")


def at_least_one(text):
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 on (--skip leaves parts out)")
    return int(text)


def some_minutes(text):
    try:
        minutes = float(text)
    except ValueError:
        minutes = 0
    if not 0 < minutes < 1e6:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of minutes, as in 10")
    return minutes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--report", type=pathlib.Path, default=pathlib.Path("gpu-report.md"))
    parser.add_argument("--bundle", type=pathlib.Path)
    parser.add_argument("--minutes", type=some_minutes)
    parser.add_argument("--began", type=float, default=time.time(), help=argparse.SUPPRESS)  # when a bundle was started
    parser.add_argument("--cases", type=at_least_one, default=400)
    parser.add_argument("--groups", type=at_least_one, default=200)
    parser.add_argument("--jobs", type=at_least_one, default=os.cpu_count())
    parser.add_argument("--lit", type=pathlib.Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--peer-modes", default="eager,jit,compile")
    parser.add_argument("--skip", nargs="*", choices=PARTS, default=())
    parser.add_argument("--driver", type=lambda path: pathlib.Path(path).resolve())
    options = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, PROCESSES.stop)
    if options.bundle:
        make_bundle(options)
        return
    if not options.build:
        parser.error("the folder of a build is missing, as in `gpu_report.py build/release`")
    if not options.lit and (CARRIED_LIT / "lit/lit.py").exists():
        options.lit = CARRIED_LIT / "lit/lit.py"
    clock = Clock(options.minutes and 60 * options.minutes + options.began - time.time())
    report = Report(options.report)
    report.write()  # before the work: a folder that cannot be written to is told at once
    try:
        check_and_measure(report, options, clock)
    finally:
        report.write()
    sys.exit(not report.isRight)


if __name__ == "__main__":
    main()
