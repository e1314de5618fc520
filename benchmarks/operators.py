#!/usr/bin/env python3
"""Operators at sizes that models use: tsc's time, what moving the bytes alone costs, and PyTorch's time, one thread.

usage: operators.py [--tsc-run TOOL] [--cases FILE] [--python PYTHON_WITH_TORCH]... [--rounds N] [--match REGEX]
                    [--simd v3|v4] [--json FILE] [--markdown FILE] [--check]

Cases are operators.json beside this file, or any of its form: a name, arguments, and an expression over a, b, c, …
Each side makes the same arguments from the same seed, and runs one process after another, tsc and each PyTorch in
turn; of the rounds the least median counts. PyTorch keeps its heap, so that fresh results cost no page faults.
A PyTorch whose result is wrong, differing from tsc's and from that of another one, is not timed for that case.
With --simd, tsc and the libraries of PyTorch's (its own kernels, oneDNN, MKL, OpenBLAS) are held to AVX2 (v3) or AVX-512
(v4), so that one machine shows what another one would.
The bound is the bytes of arguments and result over the speed at which a copy of as many bytes runs here.
--markdown writes the table sorted by the worst, without a PyTorch by distance from the bound, in the place of the level's
section of a file that has others. --check compares, in
place of times, three sums over each result with those that the first PyTorch has: what differs is printed, and is an
error of one of the two, or what the operator leaves open (signs of eigenvectors, the order of equal keys).
"""
import argparse
import json
import math
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

from common import PEERS_HELD, add_simd, find_tool, hold, put_section

HERE = pathlib.Path(__file__).resolve().parent

PEER = r"""
import json, sys, time, warnings, torch, torch.nn.functional as F
warnings.simplefilter("ignore")
torch.set_num_threads(1)
torch.fft_rfft, torch.linalg_solve = torch.fft.rfft, torch.linalg.solve
torch.linalg_cholesky, torch.linalg_svdvals = torch.linalg.cholesky, torch.linalg.svdvals
print(torch.__version__, flush=True)
from typing import List
from torch import Tensor
for line in sys.stdin:
    case = json.loads(line)
    try:
        torch.manual_seed(0)
        args = list(eval("(" + case["args"] + ",)"))
        call = eval("lambda " + ",".join("abcdefg"[:len(args)]) + ": " + case["code"])
        with torch.no_grad():
            if "checksum" in case:
                exec(case["checksum"])
                print(json.dumps({"sums": checksum(call(*args))}), flush=True)
                continue
            for _ in range(5):
                call(*args)
            times, end = [], time.perf_counter() + 0.15
            while len(times) < 5 or (time.perf_counter() < end and len(times) < 3000):
                start = time.perf_counter()
                call(*args)
                times.append(time.perf_counter() - start)
        print(json.dumps({"us": sorted(times)[len(times) // 2] * 1e6}), flush=True)
    except Exception as error:
        print(json.dumps({"error": str(error).splitlines()[0][:100]}), flush=True)
"""


# Sums that show a wrong element, and one in a wrong place; TorchScript and Python alike.
CHECKSUM = """
def checksum(r: Tensor) -> List[float]:
    if r.is_complex():
        r = torch.view_as_real(r.resolve_conj())
    r = r.reshape(-1).double()
    odd = torch.isnan(r) | torch.isinf(r)
    r = torch.where(odd, torch.zeros_like(r), r)
    weights = torch.sin(torch.arange(r.numel(), dtype=torch.float64) * 0.7 + 0.3)
    return [float((r * weights).sum()), float((r * r).sum()), float(odd.sum())]
"""


class Peer:
    """A PyTorch that times cases; started anew when one ended it."""

    def __init__(self, python, simd):
        self.python, self.process, self.version, self.held = python, None, "?", PEERS_HELD[simd]

    def start(self):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("OPENBLAS")}
        environment.update(MALLOC_MMAP_MAX_="0", MALLOC_TRIM_THRESHOLD_="100000000000", **self.held)
        self.process = subprocess.Popen([self.python, "-c", PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True, env=environment)
        self.version = self.process.stdout.readline().strip()
        if not self.version:
            sys.exit(f"{self.python} has no torch")

    def ask(self, case, **more):
        if self.process is None or self.process.poll() is not None:
            self.start()
        try:
            self.process.stdin.write(json.dumps({"args": case["args"], "code": case["code"], **more}) + "\n")
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline())
        except (OSError, ValueError):
            self.process.kill()
            self.process = None
            return {}

    def time(self, case):
        return self.ask(case).get("us")


def top_level(arguments):
    """The arguments between commas that no bracket encloses."""
    depth, parts, start = 0, [], 0
    for i, character in enumerate(arguments):
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append(arguments[start:i])
            start = i + 1
    return parts + [arguments[start:]]


class Tool:
    """tsc-run on programs that are one expression."""

    def __init__(self, tool, scratch):
        self.tool, self.file = tool, pathlib.Path(scratch) / "case.py"

    def run(self, case, body, *options, helpers=""):
        parameters = case.get("params") or ", ".join(f"{n}: Tensor" for n, _ in zip("abcdefg", top_level(case["args"])))
        self.file.write_text("import torch\nimport torch.nn.functional as F\nfrom torch import Tensor\n"
                             f"from typing import List\n{helpers}\ndef main({parameters}):\n{body}")
        return subprocess.run([self.tool, "--seed", "0", "--args", case["args"], "--entry", "main", *options,
                               str(self.file)],
                              capture_output=True, text=True, timeout=300)

    def time(self, case):
        """The median in microseconds, or why there is none."""
        run = self.run(case, f"    return {case['code']}\n", "--bench", "40")
        try:
            return json.loads(run.stdout.strip().splitlines()[-1])["median_us"], ""
        except (IndexError, ValueError, KeyError):
            return None, (run.stderr.strip().splitlines() or ["no output"])[0][-120:]

    def sums(self, case):
        """The checksum of the result, or why there is none."""
        run = self.run(case, f"    return checksum({case['code']})\n", helpers=CHECKSUM)
        try:
            return [float(x) for x in run.stdout.strip().splitlines()[-1].strip("[]").split(",")], ""
        except (IndexError, ValueError):
            return None, (run.stderr.strip().splitlines() or ["no output"])[0][-120:]

    def bytes_of(self, case):
        """Of the tensors that go in and come out; None where the result is something else."""
        parameters = case.get("params") or "a: Tensor"
        names = [n for n, _ in zip("abcdefg", top_level(case["args"]))]
        tensors = names if "params" not in case else re.findall(r"(\w): Tensor", parameters)
        total = " + ".join(f"{n}.numel() * {n}.element_size()" for n in ["r", *tensors])
        run = self.run(case, f"    r = {case['code']}\n    return {total}\n")
        return int(run.stdout) if run.stdout.strip().isdigit() else None


def copy_speeds(tool):
    """Bytes moved in a microsecond by a copy, by how many bytes it moves."""
    speeds = {}
    for exponent in range(14, 28, 2):
        case = {"args": f"torch.rand([{2 ** exponent // 8}])", "code": "a.clone()"}
        time, why = tool.time(case)
        if time is None:
            sys.exit(f"no copy: {why}")
        speeds[2 ** exponent] = 2 ** exponent / time
    return speeds


def bound(moved, speeds):
    """The time of a copy that moves as many bytes; None where they are not known."""
    if not moved:
        return None
    return moved / speeds[min(speeds, key=lambda size: abs(math.log(size / moved)))]


def tolerance(case):
    return 2e-2 if re.search("bf16|bfloat16|half", case["name"] + case["args"]) else 2e-5


def wrong_peers(tool, peers, case):
    """The places of peers whose result is wrong: its squares differ from tsc's and from another peer's, which agree. Signs of
    eigenvectors and orders, which operators leave open, do not change these."""
    if len(peers) < 2:
        return []
    mine, _ = tool.sums(case)
    all_theirs = [peer.ask(case, checksum=CHECKSUM).get("sums") for peer in peers]
    if mine is None or None in all_theirs:
        return []
    agree = [abs(mine[1] - theirs[1]) <= tolerance(case) * theirs[1] and mine[2] == theirs[2] for theirs in all_theirs]
    return [i for i, agrees in enumerate(agree) if not agrees] if any(agree) else []


def check(tool, peer, cases):
    """Prints what differs; returns how many cases do."""
    agree, differ = 0, 0
    for case in cases:
        mine, why = tool.sums(case)
        theirs = peer.ask(case, checksum=CHECKSUM).get("sums")
        if mine is None or theirs is None:
            print(f"{case['name']}: {why or 'PyTorch gives no number'}")
            continue
        size = math.sqrt(theirs[1]) or 1.0
        error = max(abs(mine[0] - theirs[0]) / size, abs(mine[1] - theirs[1]) / (theirs[1] or 1.0))
        if error > tolerance(case) or mine[2] != theirs[2]:
            differ += 1
            print(f"{case['name']}: {error:.2g} apart, {mine} and {theirs}")
        else:
            agree += 1
    print(f"{agree} agree, {differ} differ")
    return differ


INTRODUCTION = """# The speed of operators

Written by `benchmarks/operators.py --simd LEVEL --markdown`; one thread, microseconds, the worst first. The bound is the time of a
copy that moves as many bytes, which says nothing of products and convolutions.
"""
SECTIONS = {None: "As the machine is", "v4": "With AVX-512", "v3": "With AVX2"}


def markdown(rows, versions, speeds):
    names = [f"PyTorch {v}" for v in versions]
    lines = [f"{platform.machine()}, {os.cpu_count()} cores; copies move "
             + ", ".join(f"{s / 1000:.0f} GB/s at {b // 1024} KB" for b, s in speeds.items() if b >= 2 ** 16) + ".", ""]
    for i, name in enumerate(names):
        ratios = [r["peers"][i] / r["us"] for r in rows if r["peers"][i]]
        if ratios:
            lines.append(f"Against {name}: geometric mean of its time over ours "
                         f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f} over {len(ratios)} cases; "
                         f"{sum(r < 0.85 for r in ratios)} below 0.85, {sum(r < 0.5 for r in ratios)} below 0.5.")
        wrong = [r["name"] for r in rows if i in r["wrong"]]
        if wrong:
            lines.append(f"Not timed, as the result of {name} is wrong (it differs from the others', which agree): "
                         f"{', '.join(wrong)}.")
    lines += ["", "| case | expression | tsc | bound | " + " | ".join(f"{n} | ratio" for n in names) + " |",
              "|---|---|---:|---:|" + "---:|---:|" * len(names)]
    for r in rows:
        cells = "".join(f" {t:.1f} | {t / r['us']:.2f} |" if t else " – | – |" for t in r["peers"])
        bound = f"{r['bound']:.1f}" if r["bound"] else "–"
        code = r["code"].replace("|", "\\|")
        lines.append(f"| {r['name']} | `{code}` | {r['us']:.1f} | {bound} |{cells}")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tsc-run")
    parser.add_argument("--cases", default=HERE / "operators.json")
    parser.add_argument("--python", action="append", default=[])
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--match", default="")
    add_simd(parser)
    parser.add_argument("--json")
    parser.add_argument("--markdown")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    cases = [c for c in json.loads(pathlib.Path(options.cases).read_text()) if re.search(options.match, c["name"])]
    peers = [Peer(p, options.simd) for p in options.python]
    hold(options.simd)
    if options.check and not peers:
        parser.error("--check needs a --python that has torch")
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        tool = Tool(find_tool("tsc-run", options.tsc_run), scratch)
        if options.check:
            check(tool, peers[0], cases)
            return
        speeds = copy_speeds(tool)
        for round_number in range(options.rounds):
            for case in cases:
                row = found.setdefault(case["name"], {"name": case["name"], "code": case["code"], "us": None,
                                                      "bound": None, "peers": [None] * len(peers), "wrong": []})
                if round_number == 0:
                    row["wrong"] = wrong_peers(tool, peers, case)
                    row["bound"] = bound(tool.bytes_of(case), speeds)
                least = lambda old, new: new if old is None else old if new is None else min(old, new)
                time, why = tool.time(case)
                if time is None:
                    print(f"{case['name']}: {why}", file=sys.stderr)
                row["us"] = least(row["us"], time)
                for i, peer in enumerate(peers):
                    if i not in row["wrong"]:
                        row["peers"][i] = least(row["peers"][i], peer.time(case))
    rows = [r for r in found.values() if r["us"]]

    def merit(row):
        ratios = [t / row["us"] for t in row["peers"] if t]
        return min(ratios) if ratios else (row["bound"] or row["us"]) / row["us"]
    rows.sort(key=merit)
    for r in rows:
        times = " ".join(f"{t:10.1f} {t / r['us']:6.2f}" if t else f"{'-':>10} {'-':>6}" for t in r["peers"])
        print(f"{r['name']:24} {r['us']:10.1f} {r['bound'] or 0:10.1f} {times}")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=0))
    if options.markdown:
        put_section(pathlib.Path(options.markdown), SECTIONS[options.simd], markdown(rows, [p.version for p in peers], speeds),
                    INTRODUCTION)


main()
