#!/usr/bin/env python3
"""Fail when gradients of a random TorchScript program differ between tape, graph and central differences.

Programs come from seeds: functions of three tensors with control flow, loops that carry tensors or append to lists, views,
writes, broadcasting, products, several dtypes and tuples. Each is called with tensors of several sizes, first order and
second, at -O0 (a tape), with plans (gradients as nodes of the graph) and with plans and kernels: in first order the bits
must be the same, on the first call and on later ones. With backward() the tape takes groups of operators for one
(prim::DifferentiableGraph), except at -O0. Gradients are compared with central differences in double precision, along a random
direction; programs that compute in single precision are not.

What differs is written to --keep: the program, and what each mode gave. The last line is `N programs, M differences`.
"""
import argparse
import collections
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

from program_generator.gradients import Generator

REMARKS = ["--pass-remarks-missed", "differentiate-calls"]
MODES = {"tape": ["-O0"], "graph": ["--compile", "off", *REMARKS], "fused": ["--compile", "eager", *REMARKS]}
MISSED = []  # calls of grad that stay on the tape
INPUTS = '''
import torch
from typing import Dict, List, Tuple
from torch import Tensor

def call(a: int, b: int) -> Dict[str, Tuple[Tensor, Tensor, Tensor]]:
    return {"args": (torch.randn([a, b], dtype=torch.double), torch.randn([b], dtype=torch.double),
                     torch.randn([a, 1], dtype=torch.double))}

def main():
    calls = [call(3, 4), call(3, 4), call(3, 4), call(4, 3), call(4, 3), call(5, 5), call(2, 7)]
    return {"calls": calls}
'''
CHECKS = '''
def value(x: Tensor, y: Tensor, z: Tensor) -> Tensor:
    return program(x, y, z).sum()

def first(x: Tensor, y: Tensor, z: Tensor) -> List[Tensor]:
    x, y, z = x.detach().requires_grad_(), y.detach().requires_grad_(), z.detach().requires_grad_()
    sum = value(x, y, z)
    if not sum.requires_grad:
        return [torch.zeros([0]), torch.zeros([0]), torch.zeros([0])]
    grads = torch.autograd.grad([sum], [x, y, z], allow_unused=True)
    found: List[Tensor] = []
    for g in grads:
        if g is not None and bool((g != 0).any()):  # what a branch that was not taken reads has none, or zeros
            found.append(g.reshape([-1]) + 0)  # no -0, and one layout
        else:
            found.append(torch.zeros([0]))
    return found

def backward(x: Tensor, y: Tensor, z: Tensor) -> List[Tensor]:
    x, y, z = x.detach().requires_grad_(), y.detach().requires_grad_(), z.detach().requires_grad_()
    sum = program(x, y, z).sum()
    found: List[Tensor] = []
    if sum.requires_grad:
        sum.backward()
    for leaf in [x, y, z]:
        g = leaf.grad
        if g is not None and bool((g != 0).any()):
            found.append(g.reshape([-1]) + 0)
        else:
            found.append(torch.zeros([0]))
    return found

def numbers(found: List[Tensor]) -> List[List[float]]:
    all: List[List[float]] = []
    for g in found:
        numbers: List[float] = g.tolist()
        all.append(numbers)
    return all

def slope(x: Tensor, y: Tensor, z: Tensor, dx: Tensor, dy: Tensor, dz: Tensor, h: float) -> float:
    up = float(value(x + h * dx, y + h * dy, z + h * dz))
    return (up - float(value(x - h * dx, y - h * dy, z - h * dz))) / (2 * h)

def check_first(x: Tensor, y: Tensor, z: Tensor):
    found = first(x, y, z)
    dx, dy, dz = torch.cos(x * 7 + 1), torch.cos(y * 5 + 2), torch.cos(z * 3 + 3)
    given = 0.
    for g, d in zip(found, [dx, dy, dz]):
        if g.numel() > 0:
            given += float((g * d.reshape([-1])).sum())
    return numbers(found), given, slope(x, y, z, dx, dy, dz, 1e-5), slope(x, y, z, dx, dy, dz, 2e-5)

def check_backward(x: Tensor, y: Tensor, z: Tensor):
    return numbers(backward(x, y, z)), 0., 0., 0.

def second(x: Tensor, y: Tensor, z: Tensor) -> Tensor:
    x = x.detach().requires_grad_()
    sum = value(x, y, z)
    if not sum.requires_grad:
        return torch.zeros_like(x).reshape([-1])
    g = torch.autograd.grad([sum], [x], create_graph=True, allow_unused=True)[0]
    if g is None:
        return torch.zeros_like(x).reshape([-1])
    if not g.requires_grad:
        return torch.zeros_like(x).reshape([-1])
    gg = torch.autograd.grad([(g * torch.sin(x.detach() * 3)).sum()], [x], allow_unused=True)[0]
    if gg is None:
        return torch.zeros_like(x).reshape([-1])
    return gg.reshape([-1]) + 0

def plain_gradient(x: Tensor, y: Tensor, z: Tensor, w: Tensor) -> float:
    x = x.detach().requires_grad_()
    sum = value(x, y, z)
    if not sum.requires_grad:
        return 0.
    g = torch.autograd.grad([sum], [x], allow_unused=True)[0]
    return 0. if g is None else float((g * w).sum())

def check_second(x: Tensor, y: Tensor, z: Tensor):
    found = second(x, y, z)
    d, w = torch.cos(x * 7 + 1), torch.sin(x * 3)
    h = 1e-5
    estimate = (plain_gradient(x + h * d, y, z, w) - plain_gradient(x - h * d, y, z, w)) / (2 * h)
    wide = (plain_gradient(x + 2 * h * d, y, z, w) - plain_gradient(x - 2 * h * d, y, z, w)) / (4 * h)
    return numbers([found]), float((found * d.reshape([-1])).sum()), estimate, wide
'''


def run(tool, program, entry, inputs, options):
    """Whether the calls succeeded, and what they gave, all digits of it, or what went wrong."""
    limited = ["sh", "-c", 'ulimit -t 60; exec "$0" "$@"']  # of processor time: machines may be busy
    done = subprocess.run([*limited, tool, "--entry", entry, "--inputs", inputs, *options, program], capture_output=True,
                          text=True, timeout=1800)  # of a call that waits for ever
    if done.returncode:
        return False, f"exit {done.returncode}: {done.stderr[:2000]}"
    if "compile" in options[0]:
        MISSED.extend(line for line in done.stderr.splitlines() if "a tape computes" in line)
    return True, done.stdout


def differs(text, tolerance):
    """What of the printed results does not agree with central differences."""
    wrong = []
    for call, line in enumerate(t for t in text.replace("\n ", " ").splitlines() if t.startswith("(")):
        given, narrow, wide = (float(n) for n in line.rstrip(")").rsplit(",", 3)[1:])
        scale = abs(given) + abs(narrow) + 1
        if abs(narrow - wide) > tolerance * scale:  # a kink, or rounding
            continue
        if abs(given - narrow) > 10 * tolerance * scale:
            wrong.append(f"call {call}: {given} against {narrow}")
    return wrong


def agree(one, other, tolerance):
    """Where sums of gradients may have another order: through lists, which loops append to or keep captures in."""
    numbers = [[float(n) for n in re.findall(r"-?\d+\.?\d*(?:e[-+]\d+)?|-?inf|nan", text)] for text in (one, other)]
    return len(numbers[0]) == len(numbers[1]) and all(
        abs(a - b) <= tolerance * max(abs(a), abs(b), 1) or a == b or (a != a and b != b) for a, b in zip(*numbers))


def examine(tool, seed, inputs, keep):
    generator = Generator(seed)
    text = generator.program() + CHECKS
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program.py"
        program.write_text(text)
        problems = []
        for entry in ("check_first", "check_backward", "check_second"):
            isExact = entry == "check_backward" or (generator.isOrdered and entry == "check_first")
            results = {mode: run(tool, program, entry, inputs, options) for mode, options in MODES.items()}
            succeeded, shown = results["tape"]
            if not succeeded:  # it is no program with gradients where it fails in every mode alike
                errors = {tuple(line[line.find("Error: "):] for line in output.splitlines() if "Error: " in line)
                          for _, output in results.values()}
                if len(errors) != 1 or not errors.pop():
                    problems.append(f"{entry}, tape: {shown}")
                continue
            for mode, (_, output) in results.items():
                tolerance = 1e-9 if generator.smooth else 1e-5  # what computes in single precision rounds to that
                if output != shown and (isExact or not agree(shown, output, tolerance)):
                    problems.append(f"{entry}: {mode} differs from the tape\n--- tape\n{shown}--- {mode}\n{output}")
            if generator.smooth and entry != "check_backward":
                problems += [f"{entry}: {wrong}" for wrong in differs(shown, 1e-6 if entry == "check_first" else 1e-4)]
    if problems and keep:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"{seed}.py").write_text(text)
        (keep / f"{seed}.txt").write_text("\n".join(problems) + "\n")
    return seed, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tsc-run", required=True)
    parser.add_argument("--seed", type=int, default=0, help="the first one")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=pathlib.Path, help="where programs that differ are put")
    parser.add_argument("--verbose", action="store_true", help="also say what was left to the tape")
    options = parser.parse_args()
    differences = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        maker, inputs = pathlib.Path(folder) / "inputs.py", pathlib.Path(folder) / "inputs.pt"
        maker.write_text(INPUTS)
        subprocess.run([options.tsc_run, "--seed", "1", "--output", inputs, maker], check=True)
        seeds = range(options.seed, options.seed + options.count)
        for done, (seed, problems) in enumerate(
                pool.map(lambda seed: examine(options.tsc_run, seed, inputs, options.keep), seeds), 1):
            if options.verbose and done % 100 == 0:
                print(f"{done} programs, {differences} differences", flush=True)
            if problems:
                differences += 1
                print(f"seed {seed}: {problems[0].splitlines()[0]}", flush=True)
    if options.verbose:
        for reason, count in collections.Counter(line.split("gradients: ")[-1] for line in MISSED).most_common(20):
            print(f"{count:6} on the tape: {reason}")
    print(f"{options.count} programs, {differences} differences")
    sys.exit(differences != 0)


if __name__ == "__main__":
    main()
