#!/usr/bin/env python3
"""Products of matrices beside OpenBLAS and oneDNN in one run, as shares of the peak of the processor's multiply-adds.

usage: product_peaks.py [--tsc-run PATH] [--simd v3|v4] [--double] [--openblas FILE] [--onednn FILE] [--rounds N] [--markdown FILE] [MxNxK...]

One thread. All are held to AVX2 (v3) or AVX-512 (v4); OpenBLAS takes its kernels for Haswell or SkylakeX then. Rounds take turns, and
the least time of each counts. `tsc` multiplies two tensors that may be others in the next product, as the libraries
do, in a program whose loop does nothing else. `tsc, kept` multiplies with a weight, which stays; it is the time of a whole call. Both
make a new tensor for each result. A share is the number of floating-point operations in a second by that of a loop that
does nothing else. The last column is the time of the better library over that of tsc. --markdown puts the table into its section
of a file, as docs/OperatorSpeed.md.
"""
import argparse
import ctypes.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from common import PEERS_HELD, ROOT, add_simd, find_tool, hold, json_lines, put_section

SIZES = ["64x2048x512", "512x512x512", "256x3072x768", "1024x1024x1024", "8x2048x512", "1x512x512", "100x300x77", "33x1000x129",
         "1x1000x512", "256x256x256", "64x64x64"]
PROGRAM = """import torch
def product(a: Tensor, b: Tensor) -> Tensor:
    c = a @ b
    for _ in range(TIMES - 1):
        c = a @ b
    return c
class Kept(torch.nn.Module):
    def __init__(self, rows: int, columns: int, double: bool):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn([rows, columns], dtype=torch.float64 if double else torch.float32))
    def forward(self, a: Tensor) -> Tensor:
        return a @ self.weight
"""


def build(folder):
    program = folder / "product_peaks"
    compiler = shutil.which("clang-19") or shutil.which("cc")
    if not compiler:
        sys.exit("product_peaks.py: there is no C compiler: install clang-19")
    subprocess.run([compiler, "-O2", ROOT / "benchmarks/product_peaks.c", "-o", program, "-ldl"], check=True)
    return program


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", default=SIZES, metavar="MxNxK")
    parser.add_argument("--tsc-run")
    add_simd(parser)
    parser.add_argument("--double", action="store_true")
    parser.add_argument("--openblas", default=ctypes.util.find_library("openblas") or "-")
    parser.add_argument("--onednn", default=ctypes.util.find_library("dnnl") or "-")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--markdown", type=pathlib.Path)
    options = parser.parse_args()
    try:
        sizes = [tuple(map(int, size.split("x"))) for size in options.sizes]
        if any(len(size) != 3 or min(size) < 1 for size in sizes):
            raise ValueError
    except ValueError:
        parser.error("a size is rows, columns and terms, as in 64x2048x512")
    level = options.simd or "v3"
    kind = "double" if options.double else "float"
    dtype = ", dtype=torch.float64" if options.double else ""
    os.environ.update({"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", **PEERS_HELD[level]})
    os.environ["OPENBLAS_CORETYPE"] = {"v3": "Haswell", "v4": "SkylakeX"}[level]
    hold(level)
    tool = find_tool("tsc-run", options.tsc_run)
    best, peak = {}, 0

    def least(size, name, us):
        best[size, name] = min(best.get((size, name), us), us)

    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        peers = build(scratch)
        for _ in range(options.rounds):
            for size in sizes:
                m, n, k = size
                for line in json_lines([peers, level, kind, options.openblas, options.onednn, *map(str, size)]):
                    peak = max(peak, line.get("peak", 0))
                    if "us" in line:
                        least(size, line["by"], line["us"])
                times = max(1, int(2e7 / (m * n * k)))
                source = scratch / f"{times}x{k}x{n}.py"
                source.write_text(PROGRAM.replace("TIMES", str(times)) + f"model = Kept({k}, {n}, {options.double})\n")
                # Without passes, which would take the product out of the loop.
                for name, entry, count, options_of_entry, arguments in [
                        ("tsc", "product", times, ["-O0"], f"torch.randn([{m}, {k}]{dtype}), torch.randn([{k}, {n}]{dtype})"),
                        ("tsc, kept", "model", 1, [], f"torch.randn([{m}, {k}]{dtype})")]:
                    calls = str(max(20, min(20000, int(2e10 / (m * n * k * count)))))
                    for line in json_lines([tool, *options_of_entry, "--seed", "0", "--threads", "1", "--bench", calls,
                                            "--args", arguments, "--entry", entry, source])[-1:]:
                        least(size, name, line["min_us"] / count)
    names = [name for name in ("tsc", "tsc, kept", "OpenBLAS", "oneDNN") if any(key[1] == name for key in best)]
    lines = [f"Written by `benchmarks/product_peaks.py --simd {level}`: one thread, the least times of {options.rounds} rounds in microseconds, "
             f"and shares of the",
             f"{peak / 1000:.0f} GFLOP/s that a loop of multiply-adds reaches. *kept* multiplies with a weight that stays, in a call of its own. "
             "The last columns",
             "have the time of the better library over that of tsc, and over that with a weight: above 1, tsc is faster.", "",
             "| rows x columns x terms | " + " | ".join(names) + " | ratio | kept |", "|---|" + "---:|" * (len(names) + 2)]
    for size in sizes:
        work = 2 * size[0] * size[1] * size[2]
        cells = [f"{best[size, name]:.1f}, {100 * work / best[size, name] / peak:.0f} %" if (size, name) in best else "–" for name in names]
        libraries = [best[size, name] for name in names[2:] if (size, name) in best]
        ratios = [f"{min(libraries) / best[size, name]:.2f}" if libraries and (size, name) in best else "–" for name in ("tsc", "tsc, kept")]
        lines.append(f"| {' x '.join(map(str, size))} | " + " | ".join(cells + ratios) + " |")
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if options.markdown:
        put_section(options.markdown, f"Products of {kind}s with {'AVX2' if level == 'v3' else 'AVX-512'}", text)


main()
