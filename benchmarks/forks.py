#!/usr/bin/env python3
"""Eight forks of equal work on two threads against one; exit status 1 above --need of the time (0.6).

    benchmarks/forks.py [--tsc-run PATH] [--threads 2] [--rounds 7] [--need 0.6]

One fork is small products and tanh, another one scalar arithmetic, which no operator splits: what is gained is gained by
running forks side by side. Wall time of a call, by `tsc-run --bench`; the threads take turns, and the best round counts.
Results have to be the same to the bit. Needs as many idle cores as threads.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

from common import find_tool, json_lines

TENSORS = """
import torch


def work(x: torch.Tensor) -> torch.Tensor:
    for i in range(40):
        x = torch.tanh(x @ x)
    return x


def forward() -> torch.Tensor:
    x = torch.arange(96 * 96).reshape(96, 96) / 1e5
    futures = [torch.jit.fork(work, x + float(i)) for i in range(8)]
    return torch.stack([torch.jit.wait(future) for future in futures]).sum()
"""
SCALARS = """
import torch
from typing import List


def work(seed: int) -> int:
    for i in range(60000):
        seed = (seed * 1103515245 + 12345) % 2147483648
    return seed


def forward() -> List[int]:
    futures = [torch.jit.fork(work, i) for i in range(8)]
    return [torch.jit.wait(future) for future in futures]
"""


def milliseconds(tool, program, threads):
    rows = json_lines([tool, program, "--bench", "20", "--threads", str(threads)])
    if not rows:
        sys.exit(f"{program}: no measurement")
    return rows[0]["min_us"] / 1000


def result(tool, program, threads):
    return subprocess.run([tool, program, "--threads", str(threads)], capture_output=True, text=True, check=True).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tsc-run")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--need", type=float, default=0.6)
    options = parser.parse_args()
    tool = find_tool("tsc-run", options.tsc_run)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for name, source in (("tensors", TENSORS), ("scalars", SCALARS)):
            program = pathlib.Path(folder) / f"{name}.py"
            program.write_text(source)
            if result(tool, program, 1) != result(tool, program, options.threads):
                sys.exit(f"{name}: results depend on the number of threads")
            best = {1: float("inf"), options.threads: float("inf")}
            for _ in range(options.rounds):
                for threads in best:
                    best[threads] = min(best[threads], milliseconds(tool, program, threads))
            ratio = best[options.threads] / best[1]
            failed |= ratio > options.need
            print(f"{name}: {best[1]:.2f} ms on one thread, {best[options.threads]:.2f} ms on {options.threads}: {ratio:.2f}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
