#!/usr/bin/env python3
"""What the CPU fuser gains: programs of fusable regions under tsc-run and, beside each in the same run, under PyTorch,
against the speed of memory, and against their matrix products alone. Prints ratios, never a bare time.

usage: fusion.py [--bench DIR] [--tsc-run PATH] [--python PYTHON_WITH_TORCH] [--current PYTHON_WITH_CURRENT_TORCH] [CASE...]

Columns: TorchScript as shipped / tsc, TorchScript tuned / tsc, and with --current the current PyTorch's eager mode,
TorchScript and torch.compile / tsc (above 1: tsc is faster). `memory`: the bytes of inputs read once and outputs
written once, per time, over what copying as many bytes reaches; `reading` the same over what comparing two buffers
reaches, for programs that write next to nothing: a core reads slower than it copies. Both are taken of softmax_scaled
and layer_norm_gelu with so many more rows that no cache holds the copy. `products`: tsc's time over that of the
program's matrix products alone under tsc. One thread; each time is the median of many calls after warm-up, the best of
three rounds, in which all take their turn.
"""
import argparse
import ctypes
import json
import pathlib
import statistics
import tempfile
import time

from common import BENCH, find_tool, json_lines

TUNED = {"ATEN_CPU_CAPABILITY": "avx512", "OPENBLAS_CORETYPE": "SkylakeX", "MALLOC_MMAP_MAX_": "0",
         "MALLOC_TRIM_THRESHOLD_": "100000000000"}
CASES = ["gelu_l2", "gelu_dram", "norm_relu", "softmax_scaled", "layer_norm_gelu", "lstm_pointwise", "iou", "masked_mix",
         "mse", "axpb_dram", "lstm_cell", "lstm_layer", "lstm_layer_small", "policy", "many_small_ops"]
# Inputs read once and outputs written once, of the cases whose pace memory sets.
BYTES = {"gelu_dram": 2 * 4 * 16384 * 1024, "norm_relu": 2 * 4 * 32 * 64 * 56 * 56, "masked_mix": (3 * 4 + 8) * 4096 * 1024,
         "mse": 2 * 4 * 8388608, "axpb_dram": 2 * 4 * 33554432, "softmax_scaled": 2 * 4 * 4096 * 512,
         "layer_norm_gelu": 2 * 4 * 4096 * 768}
READING = {"mse"}
ROWS = {"softmax_scaled": "4096, ", "layer_norm_gelu": "4096, "}  # what the arguments call the rows of what is walked
ROUNDS = 3
PRODUCTS = """import torch
def lstm_cell(x, hx, cx, w_ih, w_hh, b_ih, b_hh):
    return x.mm(w_ih.t()), hx.mm(w_hh.t())
def lstm_layer_premul(seq, hx, cx, w_ih, w_hh, b_ih, b_hh):
    pre = torch.mm(seq.reshape([seq.size(0) * seq.size(1), seq.size(2)]), w_ih.t())
    last = hx
    for k in range(seq.size(0)):
        last = torch.mm(seq[k], w_hh.t())  # each step another operand: equal products would be computed once
    return pre, last
"""


def memory_us(total, walk):
    """Microseconds of walk(a, b, size) over two buffers of `total` bytes together."""
    size = total // 2
    a, b, times = ctypes.create_string_buffer(size), ctypes.create_string_buffer(size), []
    for buffer in (a, b):
        ctypes.memset(buffer, 1, size)  # pages that nobody wrote may all be one page of zeros
    for _ in range(12):
        start = time.perf_counter()
        walk(a, b, ctypes.c_size_t(size))
        times.append(time.perf_counter() - start)
    return statistics.median(times[2:]) * 1e6


def last_level_cache():
    """Bytes; 32 MB where the system does not say."""
    sizes = [path.read_text().strip() for path in pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size")]
    return max((int(size[:-1]) << {"K": 10, "M": 20}[size[-1]] for size in sizes), default=32 << 20)


def with_more_rows(case, total):
    """The case with so many rows that copying its bytes goes to memory, and its bytes then."""
    rows = ROWS.get(case["name"])
    factor = 1
    while rows and factor * total < 4 * last_level_cache():
        factor *= 2
    if factor == 1:
        return case, total
    args = case["args"].replace(rows, f"{int(rows.strip(', ')) * factor}, ")
    assert args != case["args"], f"{case['name']} no longer has {rows}rows"
    return case | {"args": args}, factor * total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=pathlib.Path, default=BENCH)
    parser.add_argument("--tsc-run")
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("--current")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    tool = find_tool("tsc-run", options.tsc_run)
    libc = ctypes.CDLL(None)

    def tsc(case, file):
        rows = json_lines([tool, "--seed", "0", "--threads", "1", "--entry", case["entry"], "--args", case["args"],
                           "--bench", "50", file])
        return rows[-1]["median_us"] if rows else None

    def torch(python, mode, case, settings=()):
        command = ["env", *(f"{name}={value}" for name, value in settings), python, options.bench / "peer.py",
                   "--threads", "1", "--modes", mode, case["name"]]
        rows = json_lines(command)
        return rows[-1]["median"] if rows else None

    peers = {"shipped": (options.python, "jit", ()), "tuned": (options.python, "jit", tuple(TUNED.items()))}
    if options.current:
        peers |= {mode: (options.current, mode, ()) for mode in ("eager", "jit", "compile")}
    print(f"{'case':18}" + "".join(f"{name:>10}" for name in peers) + f"{'memory':>10}{'reading':>10}{'products':>10}")
    with tempfile.TemporaryDirectory() as scratch:
        products = pathlib.Path(scratch) / "products.py"
        products.write_text(PRODUCTS)
        for case in json.loads((options.bench / "cases.json").read_text()):
            if case["name"] not in (options.cases or CASES):
                continue
            file = options.bench / "cases" / case["file"]
            measures = {"mine": lambda: tsc(case, file)}
            for name, peer in peers.items():
                measures[name] = lambda peer=peer: torch(peer[0], peer[1], case, peer[2])
            if case["name"] in BYTES:
                large, total = with_more_rows(case, BYTES[case["name"]])
                if large is not case:
                    measures["mine, more rows"] = lambda: tsc(large, file)
                measures["memory"] = lambda: memory_us(total, libc.memcpy)
                if case["name"] in READING:
                    measures["reading"] = lambda: memory_us(total, libc.memcmp)
            if f"def {case['entry']}(" in PRODUCTS:
                measures["products"] = lambda: tsc(case, products)
            # In turn, and the best of each: neighbours on a shared machine come and go.
            rounds = [{name: measure() for name, measure in measures.items()} for _ in range(ROUNDS)]
            best = {name: min(times) if all(times := [found[name] for found in rounds]) else None for name in measures}
            mine, cells = best["mine"], []
            if not mine:
                print(f"{case['name']:18} failed")
                continue
            walked = best.get("mine, more rows", mine)
            for name, per in [(name, mine) for name in peers] + [("memory", walked), ("reading", walked)]:
                cells.append(f"{best[name] / per:.2f}" if best.get(name) and per else "-")
            cells.append(f"{mine / best['products']:.2f}" if best.get("products") else "-")
            print(f"{case['name']:18}" + "".join(f"{cell:>10}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
