#!/usr/bin/env python3
"""Fail when gradients of a random TorchScript program differ between tape, graph and central differences.

Programs come from seeds: functions of three tensors with control flow, loops that carry tensors or append to lists, views,
writes, broadcasting, products, several dtypes and tuples. Each is called with tensors of several sizes, first order and
second, at -O0 (a tape), with plans (gradients as nodes of the graph) and with plans and kernels: in first order the bits
must be the same, on the first call and on later ones. Gradients are compared with central differences in double precision, along a random
direction; programs that compute in single precision are not.

What differs is written to --keep: the program, and what each mode gave. The last line is `N programs, M differences`.
"""
import argparse
import collections
import concurrent.futures
import pathlib
import random
import re
import subprocess
import sys
import tempfile

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


class Generator:
    """Variables by shape: AB, B, A1 and S, one number; all broadcast to AB."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines, self.variables, self.count, self.depth = [], {"AB": ["x"], "B": ["y"], "A1": ["z"], "S": []}, 0, 1
        self.smooth = self.isOrdered = True

    def put(self, line):
        self.lines.append("    " * self.depth + line)

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def pick(self, shape=None):
        while True:
            at = shape or self.r.choice(["AB", "AB", "AB", "B", "A1", "S"])
            if self.variables[at]:
                return self.r.choice(self.variables[at]), at

    def unary(self, a):
        return self.r.choice([
            f"torch.sin({a})", f"torch.cos({a})", f"torch.tanh({a})", f"torch.sigmoid({a})", f"torch.exp({a} * 0.1)",
            f"torch.sqrt({a} * {a} + 1)", f"torch.log({a} * {a} + 1)", f"torch.relu({a})", f"{a}.abs()", f"torch.erf({a})",
            f"torch.atan({a})", f"({a} * {self.number()})", f"({self.number()} - {a})", f"({a} + {self.number()})",
            f"(1 / ({a} * {a} + 0.5))", f"{a} ** 2", f"torch.clamp({a}, -1.5, 1.5)", f"torch.nn.functional.gelu({a})",
            f"torch.nn.functional.softplus({a})", f"torch.rsqrt({a} * {a} + 1)", f"torch.nn.functional.silu({a})"])

    def number(self):
        return self.r.choice(["2", "0.5", "-1", "3", "0.25", "1.5"])

    def binary(self, a, b):
        return self.r.choice([
            f"{a} + {b}", f"{a} - {b}", f"{a} * {b}", f"{a} * {b}", f"{a} / ({b} * {b} + 1)", f"torch.maximum({a}, {b})",
            f"torch.minimum({a}, {b})", f"torch.where({a} > {b}, {a}, {b} * 2)", f"torch.atan2({a}, {b} * {b} + 1)",
            f"torch.add({a}, {b}, alpha=0.5)", f"torch.lerp({a}, {b}, 0.3)" if a[0] == b[0] == "x" else f"{a} - {b} * 2",
            f"torch.pow({a} * {a} + 1, {b} * 0.1)"])

    def joined(self, s, t):
        shapes = {s, t} - {"S"}
        return "S" if not shapes else shapes.pop() if len(shapes) == 1 else "AB"

    def expression(self):
        """(text, shape)"""
        kind = self.r.randrange(12)
        a, s = self.pick()
        if kind < 3:
            return self.unary(a), s
        if kind < 7:
            b, t = self.pick()
            return self.binary(a, b), self.joined(s, t)
        a, _ = self.pick("AB")
        return self.r.choice([
            (f"{a}.sum(0)", "B"), (f"{a}.mean(1, True)", "A1"), (f"{a}.sum()", "S"), (f"{a}[{self.r.randrange(2)}]", "B"),
            (f"{a}[:, {self.r.randrange(2)}].unsqueeze(1)", "A1"), (f"torch.mm({a}, {a}.t()).sum(1, True) * 0.1", "A1"),
            (f"torch.matmul({a}, {self.pick('B')[0]}).unsqueeze(-1)", "A1"), (f"torch.softmax({a}, -1)", "AB"),
            (f"torch.softmax({a}, 0)", "AB"), (f"torch.cat([{a}[:, 1:], {a}[:, :1]], 1)", "AB"),
            (f"{a}.transpose(0, 1).reshape([-1]).view({a}.size(1), {a}.size(0)).t()", "AB"),
            (f"{a}.flip([1])", "AB"), (f"torch.stack({a}.unbind(1), 1)", "AB"), (f"{a}.cumsum(1) * 0.3", "AB"),
            (f"{a}.expand({a}.size(0), {a}.size(1)).contiguous()", "AB"), (f"{a}.amax(1, True)", "A1"),
            (f"torch.layer_norm({a}, [{a}.size(1)])", "AB"), (f"{a}.logsumexp(1, True)", "A1"),
            (f"{a}.var(1, keepdim=True)", "A1"), (f"torch.linalg.vector_norm({a} + 3, 2., [0])", "B"),
            (f"torch.nn.functional.linear({a}, {a}).sum(1, True) * 0.1", "A1"), (f"{a}.prod(1, keepdim=True)", "A1"),
            (f"torch.where({a} > 0, {a}, torch.zeros_like({a}))", "AB"), (f"{a}.masked_fill({a} > 1, 0.5)", "AB"),
            (f"torch.chunk({a}, 2, 1)[0].sum(1, True)", "A1"), (f"{a}.narrow(1, 1, {a}.size(1) - 1).sum(1, True)", "A1"),
            (f"{a}.gather(1, torch.zeros([{a}.size(0), 1], dtype=torch.long))", "A1")])

    def assign(self):
        text, shape = self.expression()
        name = self.name()
        self.put(f"{name} = {text}")
        self.isOrdered &= "layer_norm" not in text  # made contiguous, which may be a tensor of its own
        return name, shape

    def statement(self):
        kind = self.r.randrange(20)
        if kind < 12 or self.depth > 3:
            name, shape = self.assign()
            self.variables[shape].append(name)
        elif kind < 14:
            self.branch()
        elif kind < 17:
            self.loop()
        elif kind == 17:
            self.write()
        elif kind == 18:
            self.collect()
        else:
            self.convert()

    def scoped(self, body):
        kept = {shape: list(names) for shape, names in self.variables.items()}
        self.depth += 1
        body()
        self.depth -= 1
        self.variables = kept

    def target(self):
        """A variable of its own to write in blocks."""
        a, shape = self.pick(self.r.choice(["AB", "AB", "B", "A1"]))
        name = self.name()
        self.put(f"{name} = {a} * 1")
        return name, shape

    def update(self, name, shape):
        fitting = [v for s in (shape, "S") for v in self.variables[s]]
        other = self.r.choice(fitting) if fitting else name
        self.put(f"{name} = " + self.r.choice([self.unary(name), self.binary(name, other), f"torch.tanh({name} + {other})"]))

    def branch(self):
        name, shape = self.target()
        condition = self.r.choice(["x.size(0) > 3", f"float({name}.sum()) > 0.1", "x.size(0) == x.size(1)", "y.numel() % 2 == 0"])
        self.put(f"if {condition}:")
        self.scoped(lambda: (self.statement(), self.update(name, shape)))
        if self.r.random() < 0.6:
            self.put("else:")
            self.scoped(lambda: self.update(name, shape))
        self.variables[shape].append(name)

    def loop(self):
        name, shape = self.target()
        index = f"i{self.count}"
        self.put(f"for {index} in range({self.r.choice(['3', 'x.size(0)', '0', '2', 'y.size(0)'])}):")

        def body():
            if self.r.random() < 0.3:
                self.put(f"if {index} % 2 == 0:")
                self.scoped(lambda: self.update(name, shape))
            if self.r.random() < 0.3:
                row = self.name()
                self.put(f"{row} = x[{index} % x.size(0)]")
                self.variables["B"].append(row)
            if self.r.random() < 0.5:
                self.statement()
            self.put(f"{name} = torch.tanh({name}) * 1.1")
            self.update(name, shape)
        self.scoped(body)
        self.variables[shape].append(name)

    def collect(self):
        name, shape = self.target()
        items, index = self.name(), self.name()
        self.isOrdered = False
        self.put(f"{items}: List[Tensor] = []")
        self.put(f"for {index} in range({self.r.choice(['2', 'x.size(0)', '4'])}):")

        def body():
            self.update(name, shape)
            self.put(f"{name} = torch.tanh({name})")
            self.put(f"{items}.append({name})")
        self.scoped(body)
        total = self.name()
        self.put(f"{total} = torch.stack({items}).sum(0)")
        self.variables[shape] += [name, total]

    def write(self):
        name, shape = self.target()
        other, _ = self.pick(shape)
        self.put(self.r.choice([f"{name}.mul_({other})", f"{name} += {other}", f"{name}[0] = 0.5", f"{name}.tanh_()",
                                f"{name}[1:] *= 2", f"{name}.add_({other}, alpha=0.5)", f"{name}[0].add_(1)"]))
        self.variables[shape].append(name)

    def convert(self):
        a, shape = self.pick()
        name = self.name()
        self.put(f"{name} = torch.sin({a}.to(torch.float32)).to(torch.float64)")
        self.smooth = False
        self.variables[shape].append(name)

    def program(self):
        for _ in range(self.r.randrange(2, 9)):
            self.statement()
        last = [name for names in self.variables.values() for name in names[-2:]]
        self.put("return " + " + ".join(f"({name}).sum()" for name in last))
        head = "import torch\nfrom typing import List, Tuple\nfrom torch import Tensor\n\n"
        return head + "def program(x: Tensor, y: Tensor, z: Tensor) -> Tensor:\n" + "\n".join(self.lines) + "\n" + CHECKS


def run(tool, program, entry, inputs, options):
    """Whether the calls succeeded, and what they gave, all digits of it, or what went wrong."""
    done = subprocess.run([tool, "--entry", entry, "--inputs", inputs, *options, program], capture_output=True, text=True,
                          timeout=120)
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
    text = generator.program()
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program.py"
        program.write_text(text)
        problems = []
        for entry in ("check_first", "check_second"):
            isExact = generator.isOrdered and entry == "check_first"
            results = {mode: run(tool, program, entry, inputs, options) for mode, options in MODES.items()}
            succeeded, shown = results["tape"]
            if not succeeded:
                problems.append(f"{entry}, tape: {shown}")
                continue
            for mode, (_, output) in results.items():
                tolerance = 1e-9 if generator.smooth else 1e-5  # what computes in single precision rounds to that
                if output != shown and (isExact or not agree(shown, output, tolerance)):
                    problems.append(f"{entry}: {mode} differs from the tape\n--- tape\n{shown}--- {mode}\n{output}")
            if generator.smooth:
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
        for seed, problems in pool.map(lambda seed: examine(options.tsc_run, seed, inputs, options.keep), seeds):
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
