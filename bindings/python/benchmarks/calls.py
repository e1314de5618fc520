#!/usr/bin/env python3
"""Measures what a call of a program costs from Python, in nanoseconds: the least of many rounds.

usage: calls.py [--c-library libtsc.so] [--rounds N]

With a library of tsc's C interface, it also measures the same calls by a small C program, which it compiles, so that
what Python adds is seen. Where torch is there, calls with its tensors are measured beside torch.jit's.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

import tsc

SOURCE = """
def none():
    return 1
def tensor(x: Tensor):
    return x
def two(x: Tensor, n: int):
    return x, n
def add(x: Tensor):
    return x + x
"""

C_PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "tsc-c/tsc.h"
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
#define CHECK(e) do { tsc_error *err = (e); if (err) { fprintf(stderr, "%s\n", tsc_error_message(err)); exit(1); } } while (0)
int main(int argc, char **argv) {
  int rounds = atoi(argv[2]);
  tsc_program *program; tsc_context *context;
  CHECK(tsc_program_load(argv[1], NULL, &program));
  CHECK(tsc_context_new(program, &context));
  float data[4] = {1, 2, 3, 4}; int64_t sizes[1] = {4};
  tsc_tensor description = {sizeof description}; description.dtype = TSC_FLOAT32; description.rank = 1;
  description.sizes = sizes; description.data = data;
  tsc_value *x; CHECK(tsc_value_new_tensor_copy(&description, &x));
  const char *names[] = {"none", "tensor", "two", "add"};
  for (int k = 0; k != 4; ++k) {
    tsc_entry *entry; CHECK(tsc_program_find(program, names[k], &entry));
    tsc_value *n = tsc_value_new_int(3), *args[2] = {x, n}, *result;
    double best = 1e18;
    for (int r = 0; r != rounds; ++r) {
      double start = now();
      for (int i = 0; i != 1000; ++i) {
        CHECK(tsc_entry_run(entry, context, args, k == 0 ? 0 : k == 2 ? 2 : 1, &result));
        tsc_value_free(result);
      }
      double took = (now() - start) / 1000; if (took < best) best = took;
    }
    printf("%s %.0f\n", names[k], best);
  }
  return 0;
}
"""


def measure(rounds, call, *args):
    for _ in range(100):
        call(*args)
    best = float("inf")
    loop = range(1000)
    for _ in range(rounds):
        start = time.perf_counter_ns()
        for _ in loop:
            call(*args)
        best = min(best, (time.perf_counter_ns() - start) / 1000)
    return best


def measure_c(library, rounds):
    root = pathlib.Path(__file__).resolve().parents[3]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "f.py").write_text(SOURCE)
        (folder / "calls.c").write_text(C_PROGRAM)
        subprocess.run(["cc", "-O2", f"-I{root}/include", str(folder / "calls.c"), library, "-o", str(folder / "calls"),
                        f"-Wl,-rpath,{pathlib.Path(library).resolve().parent}"], check=True)
        out = subprocess.run([str(folder / "calls"), str(folder / "f.py"), str(rounds)], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    return {name: float(number) for name, number in (line.split() for line in out.splitlines())}


def measure_torch(rounds):
    """Yields what is called, the name of the same function in C, and what a call takes by tsc.jit and by torch.jit."""
    import warnings
    from typing import Dict, List, Optional, Tuple
    import torch
    from tsc import jit

    def tensor(x):
        return x

    def add(x):
        return x + x

    def first(xs: List[torch.Tensor]):
        return xs[0]

    def all_back(xs: List[torch.Tensor]):
        return xs

    def of_pair(pair: Tuple[torch.Tensor, int]):
        return pair[0]

    def of_table(table: Dict[str, torch.Tensor]):
        return table["x"]

    def with_sizes(x, sizes: List[int], bias: Optional[torch.Tensor] = None):
        return x

    def both(make, *args):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch.jit says that it is old
            made = [make(one) for one in (jit, torch.jit)]
        return [measure(rounds, one, *args) for one in made]

    x, rows = torch.ones(4), torch.ones(1, 4)
    linear = torch.nn.Linear(4, 4)
    with torch.no_grad():
        yield "torch's tensor", "tensor", *both(lambda of: of.script(tensor), x)
        yield "torch's tensor, added to itself", "add", *both(lambda of: of.script(add), x)
        yield "a list of two of torch's tensors", "", *both(lambda of: of.script(first), [x, rows])
        many = [torch.ones(4) for _ in range(100)]
        yield "a list of 100, all back", "", *both(lambda of: of.script(all_back), many)
        yield "a tuple of a tensor and an int", "", *both(lambda of: of.script(of_pair), (x, 1))
        yield "a dict of two tensors", "", *both(lambda of: of.script(of_table), {"x": x, "y": rows})
        yield "a tensor, a list of ints, None", "", *both(lambda of: of.script(with_sizes), x, [1, 2, 3], None)
        yield "a Linear, no_grad", "", *both(lambda of: of.script(linear), rows)
    leaf = torch.ones(4, requires_grad=True)
    yield "a list of two, with gradients", "", *both(lambda of: of.script(first), [leaf, x])
    yield "a Linear, with gradients", "", *both(lambda of: of.script(linear), rows)

    def step(of):
        module = of.script(linear)
        return lambda: module(rows).sum().backward()

    yield "a Linear, and backward", "", *both(step)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--c-library")
    parser.add_argument("--rounds", type=int, default=200)
    options = parser.parse_args()
    program = tsc.load(SOURCE.encode(), name="f.py")
    x = tsc.ones(4)
    in_c = measure_c(options.c_library, options.rounds) if options.c_library else {}
    rows = [("a call of Python's", "", measure(options.rounds, lambda: 1)),
            ("no argument", "none", measure(options.rounds, program.none)),
            ("a tensor", "tensor", measure(options.rounds, program.tensor, x)),
            ("a tensor and an int, both back", "two", measure(options.rounds, program.two, x, 3)),
            ("a tensor, added to itself", "add", measure(options.rounds, program.add, x))]
    try:
        import numpy
    except ImportError:
        pass
    else:
        a = numpy.ones(4, numpy.float32)
        rows.append(("an array", "tensor", measure(options.rounds, program.tensor, a)))
        rows.append(("an array, added to itself", "add", measure(options.rounds, program.add, a)))
    rows.append(("an operator: x + x", "", measure(options.rounds, lambda: x + x)))
    rows.append(("an operator: x.relu()", "", measure(options.rounds, lambda: x.relu())))
    rows = [(*row, None) for row in rows]
    try:
        import torch  # noqa: F401
    except ImportError:
        pass
    else:
        rows += measure_torch(options.rounds)
    for what, name, took, in_torch in rows:
        beside = f"  C {in_c[name]:6.0f}  more {took - in_c[name]:6.0f}" if name in in_c else ""
        if in_torch is not None:
            beside += f"  torch.jit {in_torch:6.0f}"
        print(f"{what:34} {took:8.0f} ns{beside}")


if __name__ == "__main__":
    sys.exit(main())
