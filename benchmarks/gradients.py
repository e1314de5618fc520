#!/usr/bin/env python3
"""Forward and backward of each benchmark program that has gradients: tsc beside PyTorch in the same run, in rounds
that take turns; of each the least time. Prints the ratios peer / tsc (above 1: tsc is faster) and their geometric
means, and what recurrent programs take over their matrix products alone (benchmarks/products.c, by oneDNN).

usage: gradients.py [--bench DIR] [--tsc-run PATH] [--rounds N] [--peer NAME=PYTHON:MODE]... [CASE...]

DIR holds cases.json, cases/ and peer.py (default ../shared/bench). One thread. MODE is eager, jit or compile; the
default is TorchScript of /usr/bin/python3, in the environment as it is. torch.compile wants a C++ compiler.
"""
import argparse
import json
import math
import pathlib
import subprocess
import tempfile

from common import BENCH, ROOT, find_tool, json_lines

# Of each program the products of a forward and backward call: transposed a, transposed b, m, n, k, how many.
PRODUCTS = {
    "lstm_cell": ["NT 64 2048 512 2", "NN 64 512 2048 2", "TN 2048 512 64 2"],
    "lstm_layer": ["NT 2048 2048 512 1", "NT 64 2048 512 32", "NN 64 512 2048 32", "TN 2048 512 64 32",
                   "TN 2048 512 2048 1", "NN 2048 512 2048 1"],
}


def least(command, key, environment=()):
    lines = json_lines(["env", *environment, "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", *command])
    return lines[-1][key] if lines else math.inf


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=pathlib.Path, default=BENCH)
    parser.add_argument("--tsc-run")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peer", action="append")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    tool = find_tool("tsc-run", options.tsc_run)
    peers = {}
    for peer in options.peer or ["TorchScript=/usr/bin/python3:jit"]:
        name, _, where = peer.partition("=")
        peers[name] = where.rsplit(":", 1)
    # The current PyTorch chooses its kernels by itself, and keeps memory from call to call.
    tuned = ["-u", "OPENBLAS_CORETYPE", "-u", "OPENBLAS_L2_SIZE", "MALLOC_MMAP_MAX_=0",
             "MALLOC_TRIM_THRESHOLD_=100000000000"]
    with tempfile.TemporaryDirectory() as folder:
        products = pathlib.Path(folder) / "products"
        subprocess.run(["cc", "-O2", ROOT / "benchmarks/products.c", "-o", products, "-ldnnl"], check=True)
        print(f"{'case':18}" + "".join(f"{name + ' / tsc':>20}" for name in peers) + f"{'tsc / products':>16}")
        logs = {name: [] for name in peers}
        for case in json.loads((options.bench / "cases.json").read_text()):
            if "grad" not in case or (options.cases and case["name"] not in options.cases):
                continue
            mine, alone = math.inf, math.inf
            theirs = dict.fromkeys(peers, math.inf)
            for _ in range(options.rounds):
                mine = min(mine, least([tool, "--seed", "0", "--threads", "1", "--entry", case["entry"], "--args",
                                        case["args"], "--grad", ",".join(map(str, case["grad"])), "--bench", "50",
                                        options.bench / "cases" / case["file"]], "min_us"))
                if case["name"] in PRODUCTS:
                    alone = min(alone, least([products, *PRODUCTS[case["name"]]], "min_us"))
                for name, (python, mode) in peers.items():
                    command = [python, options.bench / "peer.py", "--threads", "1", "--modes", mode + "_grad",
                               case["name"]]
                    theirs[name] = min(theirs[name], least(command, "min", [] if mode == "jit" else tuned))
            cells = ""
            for name in peers:
                isKnown = math.isfinite(theirs[name]) and math.isfinite(mine)
                cells += f"{theirs[name] / mine:20.2f}" if isKnown else f"{'-':>20}"
                if isKnown:
                    logs[name].append(math.log(theirs[name] / mine))
            print(f"{case['name']:18}{cells}" + (f"{mine / alone:16.2f}" if math.isfinite(alone) else ""), flush=True)
        means = [f"{math.exp(sum(l) / len(l)):.2f} ({len(l)})" if l else "-" for l in logs.values()]
        print(f"{'geometric mean':18}" + "".join(f"{mean:>20}" for mean in means))


main()
