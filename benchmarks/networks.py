#!/usr/bin/env python3
"""Networks and parts of them as modules under tsc-run, and beside it in the same run under PyTorch, ONNX Runtime and
OpenVINO, whichever of them the Python has. Prints the ratios peer / tsc (above 1: tsc is faster); never a bare time
without its peers'.

usage: networks.py [--tsc-run PATH] [--python PYTHON_WITH_PEERS] [--rounds N] [--freeze] [--simd v3|v4] [CASE...]

One thread. Rounds take turns, and the best of each counts. The peers get the same file, exported by torch.onnx. Times
are those that a call takes of a processor, on average over a round, or with --wall the shortest by the clock. With --simd, tsc and its
peers are held to AVX2 (v3) or AVX-512 (v4). ONNX Runtime asks the processor alone, and is left out where that has more.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

from common import PEERS_HELD, ROOT, add_simd, find_tool, has_more_than, hold, json_lines

# Name: file, what makes the module, its input.
CASES = {
    "residual_block": ("benchmarks/blocks.py", "ResidualBlock()", [1, 64, 56, 56]),
    "resnet18": ("examples/modules/resnet.py", "resnet18()", [1, 3, 224, 224]),
    "mobilenet_v2": ("examples/modules/mobilenet.py", "mobilenet_v2()", [1, 3, 224, 224]),
    "encoder_block": ("benchmarks/blocks.py", "EncoderBlock()", [1, 128, 768]),
    "lstm_cell": ("benchmarks/blocks.py", "LSTMCell()", [192, 512]),
}

PEER = r'''
import importlib.util, json, os, sys, time, warnings
warnings.filterwarnings("ignore")
import logging; logging.disable(logging.WARNING)
source, onnx_file, shape, which = sys.argv[1], sys.argv[2], json.loads(sys.argv[3]), sys.argv[4]

def best(call):
    for _ in range(3): call()
    times, begin = [], time.process_time()
    while len(times) < 10 or time.process_time() < begin + 1:
        start = time.perf_counter(); call(); times.append(time.perf_counter() - start)
    print(json.dumps({"peer": which, "min_us": min(times) * 1e6,
                      "processor_us": (time.process_time() - begin) / len(times) * 1e6}))

if which in ("export", "torch"):
    import torch
    torch.set_num_threads(1)
    spec = importlib.util.spec_from_file_location("program", source)
    program = importlib.util.module_from_spec(spec)
    torch.manual_seed(0)
    spec.loader.exec_module(program)
    x = torch.randn(shape)
    if which == "export":
        torch.onnx.export(program.model, (x,), onnx_file, dynamo=False, input_names=["x"], output_names=["y"])
        print(json.dumps({"peer": "export"}))
    else:
        with torch.no_grad():
            model = torch.jit.script(program.model)
            for _ in range(5): model(x)
            best(lambda: model(x))
else:
    import numpy
    x = numpy.random.default_rng(0).standard_normal(shape).astype(numpy.float32)
    if which == "onnxruntime":
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(onnx_file, options, providers=["CPUExecutionProvider"])
        best(lambda: session.run(None, {"x": x}))
    else:
        import openvino
        core = openvino.Core()
        model = core.compile_model(onnx_file, "CPU", {"INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1,
                                                      "INFERENCE_PRECISION_HINT": "f32"})
        request = model.create_infer_request()
        best(lambda: request.infer({"x": x}, share_inputs=True, share_outputs=True))
'''


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tsc-run")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--freeze", action="store_true", help="tsc freezes the module, written as an archive")
    parser.add_argument("--wall", action="store_true", help="time by the clock, for a machine that has nothing else to do")
    parser.add_argument("--need", type=float, help="fail when the best peer / tsc is less than this")
    add_simd(parser)
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    tool = find_tool("tsc-run", options.tsc_run)
    clock = "min_us" if options.wall else "processor_us"
    for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
        os.environ.pop(name, None)
    os.environ.update(MALLOC_MMAP_MAX_="0", MALLOC_TRIM_THRESHOLD_="100000000000", OMP_NUM_THREADS="1",
                      **PEERS_HELD[options.simd])
    hold(options.simd)
    peers = ["torch", "onnxruntime", "openvino"]
    if has_more_than(options.simd):
        peers.remove("onnxruntime")
    for module in list(peers):
        if subprocess.run([options.python, "-c", "import " + module], capture_output=True).returncode != 0:
            peers.remove(module)
    print(f"{'case':16} {'tsc us':>9} " + " ".join(f"{p:>12} {'ratio':>6}" for p in peers))
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        for name, (file, maker, shape) in CASES.items():
            if options.cases and name not in options.cases:
                continue
            source, onnx = pathlib.Path(folder) / (name + ".py"), pathlib.Path(folder) / (name + ".onnx")
            source.write_text((ROOT / file).read_text() + f"\n\nmodel = {maker}.eval()\n")
            mine = [tool, "--seed", "0", "--threads", "1", "--args", f"torch.randn({shape})", "--bench", "30"]
            if options.freeze:
                archive = str(source.with_suffix(".pt"))
                translate = find_tool("tsc-translate", str(pathlib.Path(tool).parent / "tsc-translate"))
                subprocess.run([translate, str(source), "--entry", "model", "-o", archive], check=True)
                mine += ["--freeze", archive]
            else:
                mine += ["--entry", "model", str(source)]
            script = [options.python, "-c", PEER, str(source), str(onnx), json.dumps(shape)]
            if "torch" in peers:
                json_lines(script + ["export"])
            usable = [p for p in peers if p == "torch" or onnx.exists()]
            times = {}
            for _ in range(options.rounds):
                for who, command in [("tsc", mine)] + [(p, script + [p]) for p in usable]:
                    for line in json_lines(command)[-1:]:
                        times[who] = min(times.get(who, math.inf), line[clock])
            if "tsc" not in times:
                print(f"{name:16} failed")
                ratios.append(0)
                continue
            cells = [f"{times[p]:12.0f} {times[p] / times['tsc']:6.2f}" if p in times else f"{'-':>12} {'-':>6}"
                     for p in peers]
            print(f"{name:16} {times['tsc']:9.0f} " + " ".join(cells), flush=True)
            if len(times) > 1:
                ratios.append(min(t for p, t in times.items() if p != "tsc") / times["tsc"])
    if ratios:
        print(f"the least of best peer / tsc: {min(ratios):.2f}" + (f"; needs {options.need:g}" if options.need else ""))
    sys.exit(bool(options.need and ratios and min(ratios) < options.need))


if __name__ == "__main__":
    main()
