#!/usr/bin/env python3
"""Fail when PyTorch cannot load the trace of a module of examples/modules, or computes something else with it.

usage: check_traced_modules.py BUILD_DIR --python PY [--python PY...]

Each module of the table is made by tsc-run and called with the arguments that stand there. Its trace is saved (--trace-to).
Each PY, a Python with PyTorch, loads the archive and calls it with the same arguments, and with another number of rows. The
results must be those that tsc-run gives for the module, to the tolerance of torch.testing.assert_close. Fails as well when a
file of examples/modules is in no row of the table.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples/modules"

# The file, how the module is made, and arguments for a batch of {n}.
MODULES = [
    ("mlp", "MLP()", "torch.randn({n}, 8)"),
    ("encoder", "Classifier()", "torch.randint(0, 40, (5, {n})), generate_square_subsequent_mask(5)"),
    ("gpt", "GPT(GPTConfig(n_layer=3))", "torch.randint(0, 12, ({n}, 4))"),
    ("language_model", "LanguageModel(50, 16, 16, tie_weights=True)", "torch.randint(0, 50, (7, {n}))"),
    ("mobilenet", "mobilenet_v2(num_classes=10)", "torch.randn({n}, 3, 64, 64)"),
    ("resnet", "resnet18(num_classes=10)", "torch.randn({n}, 3, 64, 64)"),
    ("unet", "UNet(bilinear=False)", "torch.randn({n}, 3, 18, 21)"),
    ("unet", "UNet(bilinear=True)", "torch.randn({n}, 3, 18, 21)"),
]
TRACED, OTHER = 2, 3

SOURCE = """\
import torch
from {file} import *

torch.manual_seed(0)
model = {construction}
model.eval()
"""

# Reads calls that tsc-run has observed, makes them with the trace, and prints what differs.
PEER = """\
import sys, torch
module = torch.jit.load(sys.argv[1])
torch.set_num_threads(1)
for file in sys.argv[2:]:
    [(result, args)] = torch.load(file)
    with torch.no_grad():
        torch.testing.assert_close(module(*args), result.detach())
print(torch.__version__)
"""


def make_trace(tool, folder, file, construction, args):
    """Writes the archive of the trace, and what the module gives for two numbers of rows. Returns an error, or an empty string."""
    (folder / "main.py").write_text(SOURCE.format(file=file, construction=construction))
    (folder / f"{file}.py").write_text((EXAMPLES / f"{file}.py").read_text())
    call = [tool, folder / "main.py", "--entry", "model"]
    commands = [[*call, "--args", args.format(n=TRACED), "--trace-to", folder / "trace.pt", "--check-trace"],
                *([*call, "--args", args.format(n=n), "--observe", folder / f"{n}.pt"] for n in (TRACED, OTHER))]
    for command in commands:
        run = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if run.returncode != 0:
            return run.stderr
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--python", action="append", required=True)
    options = parser.parse_args()
    tool = (options.build / "bin/tsc-run").resolve()
    wrong = [f"{file.name} is in no row of the table" for file in EXAMPLES.glob("*.py") if file.stem not in {row[0] for row in MODULES}]
    passed = 0
    for file, construction, args in MODULES:
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            if error := make_trace(tool, folder, file, construction, args):
                wrong.append(f"{construction}: {error}")
                continue
            for python in options.python:
                run = subprocess.run([python, "-c", PEER, folder / "trace.pt", *(folder / f"{n}.pt" for n in (TRACED, OTHER))],
                                     capture_output=True, text=True, timeout=300)
                passed += run.returncode == 0
                if run.returncode != 0:
                    wrong.append(f"{construction} in {python}: {run.stderr}")
                else:
                    print(f"{construction}: the same in PyTorch {run.stdout.strip()}", flush=True)
    print("".join(f"{line}\n" for line in wrong), end="")
    print(f"{passed} passed, {len(wrong)} failed")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
