#!/usr/bin/env python3
"""From process start to the first result of a small archive, tsc-run against libtorch in the same run.

usage: startup.py MODEL.pt SIZE... [--tsc-run PATH] [--python PYTHON_WITH_TORCH] [--need-ms MILLISECONDS]

The peer is a C++ program that links libtorch, where a compiler and libtorch's headers are found; else a Python that
imports torch. Both load the archive and run `forward` once on a tensor of ones of the given sizes.
"""
import argparse
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from common import find_tool

PEER_CPP = r"""
#include <cstdlib>
#include <torch/script.h>
int main(int argc, char **argv) {
  torch::jit::Module module = torch::jit::load(argv[1]);
  std::vector<int64_t> sizes;
  for (int i = 2; i < argc; ++i)
    sizes.push_back(std::atoll(argv[i]));
  torch::NoGradGuard guard;
  module.forward({torch::ones(sizes)});
}
"""
PEER_PY = r"""
import sys, torch
with torch.no_grad():
    torch.jit.load(sys.argv[1])(torch.ones([int(size) for size in sys.argv[2:]]))
"""


def build_peer(scratch):
    """The libtorch program, or None when this machine cannot build it."""
    source, program = scratch / "peer.cpp", scratch / "peer"
    source.write_text(PEER_CPP)
    compiler = shutil.which("g++") or shutil.which("clang++-19")
    include = ["-I/usr/include/torch/csrc/api/include"]
    command = [compiler, "-O1", "-std=c++17", *include, source, "-o", program, "-ltorch", "-ltorch_cpu", "-lc10"]
    if compiler and subprocess.run(command, capture_output=True).returncode == 0:
        return [program]
    return None


def milliseconds(command, runs):
    """The median over processes, or None when the command fails."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        code = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
        times.append((time.perf_counter() - start) * 1e3)
        if code != 0:
            return None
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("sizes", nargs="*")
    parser.add_argument("--tsc-run")
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("--need-ms", type=float)
    options = parser.parse_args()
    tool = find_tool("tsc-run", options.tsc_run)
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        (scratch / "peer.py").write_text(PEER_PY)
        peer = build_peer(scratch)
        kind = "C++ libtorch" if peer else "Python with torch"
        peer = peer or [options.python, scratch / "peer.py"]
        mine = milliseconds([tool, "--args", f"torch.ones([{', '.join(options.sizes)}])", options.model], 21)
        theirs = milliseconds([*peer, options.model, *options.sizes], 5)
    if mine is None:
        sys.exit("tsc-run failed")
    against = f"{theirs / mine:.0f} times faster than {kind} ({theirs:.0f} ms)" if theirs else "no peer on this machine"
    print(f"start to first result: {against}; tsc {mine:.1f} ms")
    sys.exit(options.need_ms is not None and mine > options.need_ms)


main()
