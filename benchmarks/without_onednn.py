#!/usr/bin/env python3
"""What is lost where oneDNN is not installed: networks, products and convolutions, with it and without it in one run.

usage: without_onednn.py [--tsc-run PATH] [--rounds N] [CASE...]

One thread, times of the processor; runs with and without oneDNN take turns, and the best of each counts. A ratio is the time
without oneDNN divided by the time with it: 1 says that nothing is lost. Ends with their geometric mean. To see what a
processor without AVX-512 loses, give the tsc-run of a build with -DTSC_AVX512=OFF, and set ONEDNN_MAX_CPU_ISA=AVX2.
"""
import argparse
import math
import os
import pathlib
import subprocess
import sys
import tempfile

from common import ROOT, find_tool, json_lines
from networks import CASES

OPERATORS = """import torch
import torch.nn.functional as F
def product(x: Tensor, y: Tensor) -> Tensor:
    return x @ y
def convolution(x: Tensor, y: Tensor) -> Tensor:
    return F.conv2d(x, y, padding=y.size(3) // 2)
def strided(x: Tensor, y: Tensor) -> Tensor:
    return F.conv2d(x, y, stride=2, padding=y.size(3) // 2)
"""
# Name: function, arguments.
PLAIN = {
    **{f"product of {n}": ("product", f"torch.randn([{n}, {n}]), torch.randn([{n}, {n}])") for n in (32, 128, 512, 1024)},
    "product of one row": ("product", "torch.randn([1, 1024]), torch.randn([1024, 1024])"),
    "product of doubles": ("product", "torch.randn([256, 256]).double(), torch.randn([256, 256]).double()"),
    "product of bfloat16": ("product", "torch.randn([256, 256]).bfloat16(), torch.randn([256, 256]).bfloat16()"),
    "products in a batch": ("product", "torch.randn([64, 64, 64]), torch.randn([64, 64, 64])"),
    "convolution, 3 x 3": ("convolution", "torch.randn([1, 64, 56, 56]), torch.randn([64, 64, 3, 3])"),
    "convolution, 1 x 1": ("convolution", "torch.randn([1, 256, 28, 28]), torch.randn([128, 256, 1, 1])"),
    "convolution, 7 x 7": ("strided", "torch.randn([1, 3, 224, 224]), torch.randn([64, 3, 7, 7])"),
    "convolution, batch": ("convolution", "torch.randn([16, 32, 28, 28]), torch.randn([32, 32, 3, 3])"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tsc-run")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    tool = find_tool("tsc-run", options.tsc_run)
    if unknown := [name for name in options.cases if name not in CASES and name not in PLAIN]:
        print(f"without_onednn.py: there is no case '{unknown[0]}'; there are {', '.join([*CASES, *PLAIN])}", file=sys.stderr)
        sys.exit(2)
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        (scratch / "plain.py").write_text(OPERATORS)
        (scratch / "libdnnl.so.2").touch()  # one that is none stands for one that is missing
        environments = {"with": dict(os.environ), "without": {**os.environ, "LD_LIBRARY_PATH": folder}}
        told = {name: subprocess.run([tool, "--doctor"], env=environment, capture_output=True, text=True).stdout
                for name, environment in environments.items()}
        if "oneDNN      not there" in told["with"]:
            print("without_onednn.py: oneDNN is not installed (Debian's package: libdnnl2)", file=sys.stderr)
            sys.exit(2)
        if "oneDNN      not there" not in told["without"]:
            sys.exit("without_onednn.py: this tsc-run finds oneDNN in spite of LD_LIBRARY_PATH, so that nothing can be compared")
        print("".join(line + "\n" for line in told["with"].splitlines() if line.startswith(("processor", "vectors", "oneDNN"))), end="")
        print(f"{'case':22} {'with, us':>10} {'without':>10} {'ratio':>6}")
        ratios = []
        for name in options.cases or [*CASES, *PLAIN]:
            command = [tool, "--seed", "0", "--threads", "1", "--bench", "20"]
            if name in CASES:
                file, maker, shape = CASES[name]
                source = scratch / f"{name}.py"
                source.write_text((ROOT / file).read_text() + f"\n\nmodel = {maker}.eval()\n")
                command += ["--args", f"torch.randn({shape})", "--entry", "model", source]
            else:
                entry, arguments = PLAIN[name]
                command += ["--args", arguments, "--entry", entry, scratch / "plain.py"]
            best = dict.fromkeys(environments, math.inf)
            for _ in range(options.rounds):
                for which, environment in environments.items():
                    os.environ.clear()
                    os.environ.update(environment)
                    for line in json_lines(command)[-1:]:
                        best[which] = min(best[which], line["processor_us"])
            if math.inf in best.values():
                print(f"{name:22} failed")
                sys.exit(1)
            ratios.append(best["without"] / best["with"])
            print(f"{name:22} {best['with']:10.0f} {best['without']:10.0f} {ratios[-1]:6.2f}", flush=True)
        print(f"geometric mean {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}, largest {max(ratios):.2f}")


main()
