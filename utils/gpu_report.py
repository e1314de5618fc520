#!/usr/bin/env python3
"""All that a real GPU can tell, in one report: correctness first, then speed.

usage: gpu_report.py BUILD_DIR [--report FILE.md] [--cases N] [--driver F.so]

1. What the machine is: the GPU, the driver, NVRTC.
2. Correctness: the tests of tensors on a GPU (test/FuserCUDA) with the system's driver, N of the recorded cases (400)
   with their kernels and N on copies, and the benchmark programs against the processor.
3. Speed: the copy bandwidth of the device, and beside it, in turn, the programs whose pace memory sets; the cost of
   launching from outside, as the time of a call on next to nothing; the LSTM programs.

Ends with exit status 1 when something is wrong, and 2 where there is no GPU. --driver tries the report itself with the
fake driver of the tests.
"""
import argparse
import json
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


class Report:
    def __init__(self):
        self.lines, self.isRight = [], True

    def say(self, *lines):
        self.lines += lines
        print(*lines, sep="\n", flush=True)

    def check(self, what, isRight, detail=""):
        self.isRight &= isRight
        self.say(f"- {what}: {'right' if isRight else 'WRONG'}{'; ' + detail if detail else ''}")


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
        report.say("", "| LSTM | us |", "|---|---|")
        for name in ("lstm_cell", "lstm_layer", "lstm_layer_small"):
            micros = median_micros(tool, flags, cases[name]["entry"], cases[name]["args"],
                                   BENCH / "cases" / cases[name]["file"], 50)
            report.say(f"| {name} | {micros and round(micros, 1)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--report", type=pathlib.Path, default=pathlib.Path("gpu-report.md"))
    parser.add_argument("--cases", type=int, default=400)
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
    if tests.exists():
        code, text = run([tests])
        report.check("the unit tests, which need no GPU", code == 0, last_line(text))
    script = SOURCE / "utils/check_cuda.py"
    if (BENCH.parent / "corpus/run").exists():
        for kernels in ("eager", "off"):
            command = [script, options.build, "--kernels", kernels, "--limit", options.cases, *flags[2:]]
            code, text = run([part if part != "--cuda-driver" else "--driver" for part in command])
            report.check(f"recorded cases, kernels {kernels}", code == 0, last_line(text))
    if BENCH.exists():
        check_programs(report, tool, flags)
        report.say("", "## Speed")
        measure_speed(report, tool, flags)
    options.report.write_text("\n".join(report.lines) + "\n")
    sys.exit(not report.isRight)


if __name__ == "__main__":
    main()
