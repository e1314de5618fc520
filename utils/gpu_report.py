#!/usr/bin/env python3
"""All that a real GPU can tell, in one report: correctness first, then speed.

usage: gpu_report.py BUILD_DIR [--report FILE.md] [--cases N] [--groups N] [--jobs N] [--lit LIT.PY] [--python PYTHON]
                     [--peer-modes MODES] [--skip PART...] [--driver F.so]

1. What the machine is: the GPU, the driver, NVRTC.
2. Correctness: random groups on the GPU (--groups of each kind, 200), the lit tests of test/FuserCUDA with the system's
   driver where --lit names lit, N of the recorded cases (400) with their kernels and N on copies, and the benchmark
   programs against the processor.
3. Speed: the copy bandwidth of the device, and beside it, in turn, the programs whose pace memory sets; the cost of
   launching from outside, as the time of a call on next to nothing; and where --python has a PyTorch that sees the GPU,
   all benchmark programs beside it, in its eager mode, TorchScript and torch.compile.

What failed is listed beside the report, in FILE.failures. --skip leaves out parts: groups, lit, cases, programs, speed.
Ends with exit status 1 when something is wrong, and 2 where there is no GPU. --driver tries the report itself with the
fake driver of the tests.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCE / "benchmarks"))
from fusion import BYTES, READING, ROWS  # noqa: E402  what the programs read and write

BENCH = SOURCE.parent / "shared/bench"
COPY = """import torch
def copies(x, y):
    y.copy_(x)
    return 0
def nearly_nothing(x):
    return x * 2 + 1
"""
ROUNDS = 5


PARTS = ("groups", "lit", "cases", "programs", "speed")
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


class Report:
    def __init__(self):
        self.lines, self.failures, self.isRight = [], [], True

    def say(self, *lines):
        self.lines += lines
        print(*lines, sep="\n", flush=True)

    def check(self, what, isRight, detail=""):
        self.isRight &= isRight
        self.say(f"- {what}: {'right' if isRight else 'WRONG'}{'; ' + detail if detail else ''}")

    def check_output(self, what, code, text):
        """Right where the exit status is 0; what was printed of one that is not is kept for the list of failures."""
        self.check(what, code == 0, last_line(text))
        if code:
            self.failures.append(f"== {what}\n{text}")


def run(command, timeout=3600):
    try:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, errors="replace", timeout=timeout)
    except (OSError, subprocess.TimeoutExpired) as error:
        return 1, str(error)
    return done.returncode, done.stdout + done.stderr


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def median_micros(tool, flags, entry, arguments, program, count=200):
    """The median of a call in microseconds; None when it fails."""
    code, text = run([tool, *flags, "--seed", "0", "--bench", count, "--entry", entry, "--args", arguments, program])
    found = re.search(r'\{"load_us".*\}', text)
    return json.loads(found[0])["median_us"] if code == 0 and found else None


def check_programs(report, tool, flags):
    """The benchmark programs give on the GPU what they give on the processor, to 1e-4 of the largest number."""
    cases = json.loads((BENCH / "cases.json").read_text())
    with tempfile.TemporaryDirectory() as scratch:
        for case in cases:
            program, file = BENCH / "cases" / case["file"], pathlib.Path(scratch) / "expected.pt"
            common = ["--seed", "0", "--entry", case["entry"], "--args", case["args"]]
            code, text = run([tool, *common, "--output", file, program])
            if code:
                report.check(case["name"], False, last_line(text))
                continue
            results = []
            for place in ([], flags):
                result = pathlib.Path(scratch) / "result.pt"
                code, text = run([tool, *place, *common, "--compile", "eager", "--output", result, program])
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


def measure_speed(report, tool, flags):
    cases = {case["name"]: case for case in json.loads((BENCH / "cases.json").read_text())}
    with tempfile.TemporaryDirectory() as scratch:
        copying = pathlib.Path(scratch) / "copy.py"
        copying.write_text(COPY)
        elements = 1 << 26
        arguments = f"torch.zeros([{elements}]), torch.zeros([{elements}])"
        best, times = 0, {}
        for _ in range(ROUNDS):  # beside each other, so that what the machine does meanwhile meets all
            if micros := median_micros(tool, flags, "copies", arguments, copying):
                best = max(best, 2 * 4 * elements / micros)
            for name in BYTES:
                case = cases[name]
                for few, many in (("256, ", "4096, "),) if name in ROWS else ():
                    case = dict(case, args=case["args"].replace(few, many))
                micros = median_micros(tool, flags, case["entry"], case["args"], BENCH / "cases" / case["file"])
                if micros:
                    times[name] = min(times.get(name, micros), micros)
        report.say("", f"Copy bandwidth of the device: {best / 1e3:.0f} GB/s", "",
                   "| program | bytes per time over the copy's |", "|---|---|")
        for name, micros in times.items():
            report.say(f"| {name}{' (reads only)' if name in READING else ''} | {BYTES[name] / micros / max(best, 1):.2f} |")
        nothing = [median_micros(tool, flags, "nearly_nothing", "torch.zeros([4])", copying, 2000) for _ in range(ROUNDS)]
        report.say("", f"A call of one launch on four elements, done: {min(filter(None, nothing), default=0):.1f} us")


def compare_with_peer(report, tool, flags, python, modes):
    """The benchmark programs on tensors beside PyTorch on the same GPU."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as peer:
        peer.write(PEER)
        peer.flush()
        _, text = run([python, peer.name, BENCH, ",".join(TENSOR_PROGRAMS), modes], timeout=240)
    theirs = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    times = {(entry["case"], entry["mode"]): entry["median_us"] for entry in theirs if "median_us" in entry}
    if not times:
        report.say("", f"No PyTorch beside it: {last_line(text)}")
        return
    version = next(entry["torch"] for entry in theirs if "torch" in entry)
    report.say("", f"Beside PyTorch {version} (above 1: tsc is faster; products and convolutions without TF32 in both)", "",
               "| program | tsc, us | eager / tsc | TorchScript / tsc | torch.compile / tsc |", "|---|---|---|---|---|")
    for case in json.loads((BENCH / "cases.json").read_text()):
        if case["name"] in TENSOR_PROGRAMS:
            micros = median_micros(tool, flags, case["entry"], case["args"], BENCH / "cases" / case["file"])
            ratios = [times.get((case["name"], mode)) for mode in ("eager", "jit", "compile")]
            cells = [f"{ratio / micros:.2f}" if ratio and micros else "" for ratio in ratios]
            report.say(f"| {case['name']} | {micros and round(micros, 1)} | " + " | ".join(cells) + " |")


def tallies_of(text):
    """What the tests of random groups printed: how many ran, called functions of the library, and had other bits."""
    return [list(map(int, numbers)) for numbers in
            re.findall(r"(\d+) groups ran on .*?, (\d+)\s+with\s+functions\s+of\s+the\s+library,\s+(\d+)\s+with\s+other\s+bits",
                       text, re.S)]


def check_groups(report, tests, groups, jobs):
    """Random groups, by several processes with seeds of their own."""
    each = -(-groups // jobs)

    def compare(first):
        environment = {**os.environ, "TSC_CUDA_GROUPS": str(each), "TSC_CUDA_FIRST_GROUP": str(first)}
        return subprocess.run([tests, "[gpu]"], capture_output=True, text=True, errors="replace", env=environment)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        runs = list(pool.map(compare, range(0, groups, each)))
    tallies = [tally for done in runs for tally in tallies_of(done.stdout)]
    fused, approximate, inexact = map(sum, zip(*tallies)) if tallies else (0, 0, 0)
    isTold = len(tallies) == 2 * len(runs)
    report.check("random groups", isTold and not any(done.returncode for done in runs),
                 f"{fused} ran, {approximate} of them with functions of CUDA's library, {inexact} with other bits")
    report.failures += [f"== random groups\n{done.stdout}{done.stderr}" for done in runs if done.returncode or not isTold]


def at_least_one(text):
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 on (--skip leaves parts out)")
    return int(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--report", type=pathlib.Path, default=pathlib.Path("gpu-report.md"))
    parser.add_argument("--cases", type=at_least_one, default=400)
    parser.add_argument("--groups", type=at_least_one, default=200)
    parser.add_argument("--jobs", type=at_least_one, default=os.cpu_count())
    parser.add_argument("--lit", type=pathlib.Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--peer-modes", default="eager,jit,compile")
    parser.add_argument("--skip", nargs="*", choices=PARTS, default=())
    parser.add_argument("--driver", type=pathlib.Path)
    options = parser.parse_args()
    tool = options.build / "bin/tsc-run"
    flags = ["--device", "cuda"] + (["--cuda-driver", options.driver.resolve()] if options.driver else [])
    report = Report()

    code, text = run(["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"])
    report.say("# tsc on a GPU", "", text.strip() if code == 0 else "nvidia-smi says nothing", "", "## Correctness", "")
    with tempfile.NamedTemporaryFile("w", suffix=".py") as probe:
        probe.write("import torch\ndef main(x):\n    return x * 2 + 1\n")
        probe.flush()
        code, text = run([tool, *flags, "--compile", "eager", "--args", "torch.ones([3])", probe.name])
    if code:
        report.say(f"There is no GPU to report on: {last_line(text)}")
        options.report.write_text("\n".join(report.lines) + "\n")
        sys.exit(2)
    report.check("one kernel", "3." in text and "cuda:0" in text)
    tests = options.build / "unittests/FuserCUDATests"
    if "groups" not in options.skip and not options.driver and tests.exists():
        check_groups(report, tests, options.groups, options.jobs)
    if "lit" not in options.skip and options.lit:
        gpu = [] if options.driver else ["--param", "real_gpu"]
        code, text = run([sys.executable, options.lit, "-v", "-j", options.jobs, *gpu, options.build / "test/FuserCUDA"])
        report.check_output("the lit tests of test/FuserCUDA", code, text)
    script = SOURCE / "utils/check_cuda.py"
    if "cases" not in options.skip and (BENCH.parent / "corpus/run").exists():
        for kernels in ("eager", "off"):
            with tempfile.NamedTemporaryFile("r") as failures:
                command = [sys.executable, script, options.build, "--kernels", kernels, "--limit", options.cases, "--jobs",
                           options.jobs, "--failures", failures.name, *flags[2:]]
                code, text = run([part if part != "--cuda-driver" else "--driver" for part in command])
                report.check(f"recorded cases, kernels {kernels}", code == 0, last_line(text))
                report.failures.append(f"== recorded cases, kernels {kernels}\n{text}{failures.read()}")
    if "programs" not in options.skip and BENCH.exists():
        check_programs(report, tool, flags)
    if "speed" not in options.skip and BENCH.exists():
        report.say("", "## Speed")
        measure_speed(report, tool, flags)
        compare_with_peer(report, tool, flags, options.python, options.peer_modes)
    options.report.write_text("\n".join(report.lines) + "\n")
    options.report.with_suffix(".failures").write_text("\n".join(report.failures))
    sys.exit(not report.isRight)


if __name__ == "__main__":
    main()
