#!/usr/bin/env python3
"""Measures how long NVRTC takes over the CUDA kernels of programs, of one core, without a GPU.

usage: nvrtc_times.py TSC_RUN CASES [--programs FOLDER] [--nvrtc LIBNVRTC.so] [--rounds 3] [--list F.txt]

CASES is a folder with cases.json and cases/, as ../shared/bench. The programs of FOLDER (test/FuserCPU, test/FuserCUDA)
are run as their first lines of `RUN: tsc-run` say. Each kernel's program is compiled with the options that
`tsc-run --print-kernels=nvrtc` prints: the least processor time of some rounds counts.
"""
import argparse
import ctypes
import ctypes.util
import json
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import time


def kernels(command):
    """By name: options by architecture, and the program's text."""
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300)
    parts = re.split(r"^// (tsc_\w+)$", ran.stdout, flags=re.M)
    found = {}
    for name, text in zip(parts[1::2], parts[2::2]):
        options = re.findall(r"^// (--gpu-architecture=(\w+) .*)$", text, flags=re.M)
        if options:
            found[name] = {architecture: line.split() for line, architecture in options}, text[:text.rindex("}") + 1]
    return found


def programs(options):
    run = options.tsc_run
    for case in json.loads((options.cases / "cases.json").read_text()):
        yield [run, options.cases / "cases" / case["file"], "--entry", case["entry"], "--print-kernels", "nvrtc",
               "--args", re.sub(r"\b(\d{8,})\b", "4194304", case["args"])]
    for folder in options.programs:
        for path in sorted(folder.glob("*.py")) + sorted(folder.glob("*.ir")):
            for line in re.findall(r"^# RUN: (?:%\w+ )?tsc-run %s([^|\n]*)", path.read_text(), flags=re.M):
                words = [word for word in shlex.split(line) if not word.startswith("%")]
                kept = [word for i, word in enumerate(words) if word in ("--entry", "--args") or
                        (i and words[i - 1] in ("--entry", "--args"))]
                yield [run, path, "--print-kernels", "nvrtc", *kept]


class Nvrtc:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)

    def seconds(self, arguments, text):
        program = ctypes.c_void_p()
        begin = time.process_time()
        self.library.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"tsc.cu", 0, None, None)
        array = (ctypes.c_char_p * len(arguments))(*(argument.encode() for argument in arguments))
        result = self.library.nvrtcCompileProgram(program, len(arguments), array)
        took = time.process_time() - begin
        self.library.nvrtcDestroyProgram(ctypes.byref(program))
        if result:
            sys.exit(f"a kernel does not compile: {text[:2000]}")
        return took


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tsc_run")
    parser.add_argument("cases", type=pathlib.Path)
    parser.add_argument("--programs", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--nvrtc", default="libnvrtc.so")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--list", type=pathlib.Path, help="where the times of all kernels are written")
    options = parser.parse_args()
    texts = {}
    for command in programs(options):
        texts.update(kernels(command))
    nvrtc = Nvrtc(options.nvrtc)
    listed = []
    architectures = next(iter(texts.values()))[0]
    for architecture in architectures:
        times = {name: 1e3 * min(nvrtc.seconds(arguments[architecture], text) for _ in range(options.rounds))
                 for name, (arguments, text) in texts.items()}
        longest = max(times, key=times.get)
        listed += [f"{architecture} {name} {times[name]:.0f} ms\n" for name in sorted(times)]
        print(f"{architecture}: {len(times)} kernels, median {statistics.median(times.values()):.0f} ms, "
              f"{sum(t > 100 for t in times.values())} above 100 ms, longest {times[longest]:.0f} ms ({longest})", flush=True)
    if options.list:
        options.list.write_text("".join(listed))


if __name__ == "__main__":
    main()
