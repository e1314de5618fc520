#!/usr/bin/env python3
"""From process start to the first result of a small archive, tsc-run against libtorch in the same run.

usage: startup.py MODEL.pt IO.pt [--tsc-run PATH] [--python PYTHON_WITH_TORCH] [--need-ms MILLISECONDS]

The peer is a C++ program that links libtorch, where a compiler and libtorch's headers are found; else a Python that
imports torch. Both load the archive and run `forward` once on the recorded arguments.
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
#include <fstream>
#include <iterator>
#include <torch/script.h>
int main(int, char **argv) {
  torch::jit::Module module = torch::jit::load(argv[1]);
  std::ifstream file(argv[2], std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
  auto recorded = torch::pickle_load(bytes).toGenericDict();
  auto calls = recorded.contains("calls") ? recorded.at("calls").toList().get(0).toGenericDict() : recorded;
  module.forward(calls.at("args").toTupleRef().elements().vec());
}
"""
PEER_PY = r"""
import sys, torch
module = torch.jit.load(sys.argv[1])
recorded = torch.load(sys.argv[2])
call = recorded["calls"][0] if "calls" in recorded else recorded
module(*call["args"])
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
    parser.add_argument("inputs")
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
        mine = milliseconds([tool, "--inputs", options.inputs, options.model], 21)
        theirs = milliseconds([*peer, options.model, options.inputs], 5)
    if mine is None:
        sys.exit("tsc-run failed")
    against = f"{theirs / mine:.0f} times faster than {kind} ({theirs:.0f} ms)" if theirs else "no peer on this machine"
    print(f"start to first result: {against}; tsc {mine:.1f} ms")
    sys.exit(options.need_ms is not None and mine > options.need_ms)


main()
