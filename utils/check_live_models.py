#!/usr/bin/env python3
"""Scripts or traces models as their authors write them with tsc.jit, and compares results and training with PyTorch's.

    utils/check_live_models.py --tsc build/development/python --python PY [--package NAME] [--only REGEX] [--steps N]

PY is a Python with PyTorch and some of the packages torchvision, timm, transformers, torchaudio,
segmentation_models_pytorch, efficientnet_pytorch, open_clip and e3nn; models of packages that are not installed are left
out. Nothing is fetched: weights are random, and configurations small. A model goes through these stages:

- mode: "script" where torch.jit.script compiles the model, and tsc.jit.script has to, too; otherwise "trace", by
  tsc.jit.trace. `--mode` forces one of the two.
- float64 and float32: results in evaluation mode, compared with the module's own. The table has the largest difference
  in proportion to the largest element. Integers (boxes that are kept, labels) have to be equal.
- sizes: a trace run on another batch, where the module takes one. A model that computes with other sizes as numbers
  has no such result, and none is asked for where torch.jit.trace differs too.
- training: a copy of the model is trained by torch's optimizer through tsc's forward and backward, in float64, and
  the other by PyTorch. The losses of all steps have to agree. Dropout is off, and random numbers begin at one seed.
  Some models let rounding grow from step to step, as batch norms over few values do. Where losses part, PyTorch trains
  another copy, whose parameters have other last bits: tsc's losses have to agree for three quarters of the steps for
  which that copy's do.

Prints a line for each model and counts at the end. Exits with 1 where a model that PyTorch runs is refused or differs.
Each model runs in a process that ends with it, so that one that crashes counts as one.
"""
import argparse
import importlib
import json
import os
import pathlib
import re
import select
import signal
import subprocess
import sys
import warnings

# Packages, and where their models are listed: a module of live_models, and a function in it.
CATALOGUES = {"torchvision": "of_torchvision.models", "timm": "of_timm.models", "transformers": "of_transformers.models",
              "torchaudio": "of_others.of_torchaudio", "segmentation_models_pytorch": "of_others.of_segmentation",
              "efficientnet_pytorch": "of_others.of_efficientnet", "open_clip": "of_others.of_open_clip",
              "e3nn": "of_others.of_e3nn"}


def catalogue(package):
    """Yields the models of a package, which is imported."""
    module, _, function = CATALOGUES[package].partition(".")
    yield from getattr(importlib.import_module(f"live_models.{module}"), function)()


def tried(model, options):
    """Runs a model in a process of its own, and returns its result."""
    from live_models import trial
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        made = trial.Trial(model, options)
        try:
            made.run()
        except BaseException as error:  # the parent shows it
            made.result["failed"] = trial.first_line(error)
        with os.fdopen(writing, "w") as file:
            json.dump(made.result, file)
        os._exit(0)
    os.close(writing)
    name = f"{model.package}/{model.name}"
    ready, _, _ = select.select([reading], [], [], options.timeout)
    if not ready:
        os.kill(child, signal.SIGKILL)
    with os.fdopen(reading) as file:
        text = file.read()
    _, status = os.waitpid(child, 0)
    if not ready:
        return {"name": name, "failed": f"took longer than {options.timeout} s"}
    return json.loads(text) if text else {"name": name, "failed": f"the process ended with status {status}"}


def check(options):
    """Tries all models in processes that begin as copies of this one, which has imported what they need."""
    import torch
    from tsc import jit
    jit.use_torch(torch)
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    counts = {"ok": 0, "left out": 0, "failed": 0, "script": 0, "trace": 0}
    for package in options.package or CATALOGUES:
        try:
            models = [one for one in catalogue(package) if re.search(options.only, one.name)]
        except ImportError as error:
            print(f"{package}: left out: {error}", flush=True)
            continue
        if options.list:
            print("\n".join(f"{package}/{one.name}" for one in models))
            continue
        for model in models:
            result = tried(model, options)
            state = next((one for one in ("left out", "failed") if one in result), "ok")
            counts[state] += 1
            if state != "left out" and "mode" in result:
                counts[result["mode"]] += 1
            print(shown(result), flush=True)
            if options.results:
                with open(options.results, "a") as file:
                    file.write(json.dumps(result) + "\n")
    if options.list:
        return True
    print(f"{counts['ok']} of {counts['ok'] + counts['failed']} models give PyTorch's numbers ({counts['script']} scripted, "
          f"{counts['trace']} traced); {counts['left out']} left out")
    return counts["ok"] > 0 and not counts["failed"]


def shown(result):
    def number(value):
        return f"{value:.0e}" if isinstance(value, float) else str(value)

    if "left out" in result:
        return f"{result['name']}: left out: {result['left out']}"
    parts = [f"{result['name']}: {'DIFFERS' if 'failed' in result else 'ok'}", result.get("mode", "")]
    parts += [f"{what} {number(result[what])}" for what in ("float64", "float32", "other batch", "training") if what in result]
    if "loss" in result:
        parts.append("loss {:.4g} to {:.4g}".format(*result["loss"]))
    if "failed" in result:
        parts.append(result["failed"])
    return ", ".join(filter(None, parts))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tsc", required=True, help="the folder that holds the package tsc")
    parser.add_argument("--python", default=sys.executable, help="a Python with PyTorch and packages of models")
    parser.add_argument("--package", action="append", choices=CATALOGUES, help="a package; may be given several times")
    parser.add_argument("--only", default="", help="a regular expression for the names of models")
    parser.add_argument("--steps", type=int, default=100, help="steps of training; 0 leaves training out")
    parser.add_argument("--mode", choices=("script", "trace"), help="how models are compiled, whatever PyTorch can do")
    parser.add_argument("--timeout", type=int, default=1200, help="seconds that a model may take")
    parser.add_argument("--results", help="a file for all results, a line of JSON each")
    parser.add_argument("--list", action="store_true", help="only prints the names of the models")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        sys.exit(0 if check(options) else 1)
    paths = ":".join(filter(None, [str(pathlib.Path(options.tsc).resolve()), os.environ.get("PYTHONPATH", "")]))
    environment = {**os.environ, "PYTHONPATH": paths, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    sys.exit(subprocess.run([options.python, *sys.argv, "--inside"], env=environment).returncode)


if __name__ == "__main__":
    main()
