#!/usr/bin/env python3
"""Fail when the trace of a recorded case of ../shared gives other bits than its program.

usage: check_traces.py BUILD_DIR [DIR_OR_TAR...] [--limit N] [--jobs N] [--refusals FILE] [--keep DIR]

The first call of each case is traced (tsc-run --trace-to --check-trace). The archive of the trace runs with the plain
interpreter, and with kernels made at the first call: what --observe writes of it must be the same bytes as for the program
with the plain interpreter, but that elements that are NaN may differ in sign and payload. Where the inputs have a tensor with
rows, both are compared with two rows more as well: in each tensor whose first dimension has the size that the first tensor's
has. What the program does not accept is left out.

A trace holds the module as the traced call left it. Where a call changes the module, what the trace does is compared with the
second call of the program; where that draws random numbers, too, nothing can be compared.

Prints how often each reason for a refusal was given, in which names and places are left out, and each case that is wrong.
Fails when fewer than --least percent (99) of the traces are right. --refusals writes each refusal, and --keep the files of each
case that is wrong. Needs a Python with torch, which writes the inputs.
"""
import argparse
import collections
import os
import pathlib
import re
import shutil
import sys
import time

import torch

from recorded_cases import add_arguments, for_each_case, name_of, run_case
from result_files import are_same, are_same_values

PROGRAM = ["-O0", "--executor=interp"]
RUNS = {"interpreter": PROGRAM, "kernels": ["-O2", "--compile=eager"]}
LONGEST = 120  # seconds of one run
MORE_ROWS = 2


def first_call(case):
    """The first call of the case, as --inputs takes it, without its result."""
    value = torch.load(case / "io.pt")
    if not isinstance(value, dict):
        return value if isinstance(value, (list, tuple)) else (value,)
    call = value["calls"][0] if "calls" in value else value
    if not isinstance(call, dict):
        return call if isinstance(call, (list, tuple)) else (call,)
    method = call.get("method") or value.get("method")
    return {"args": call.get("args", ()), "kwargs": call.get("kwargs", {}), **({"method": method} if method else {})}


class RowAdder:
    """Gives tensors further rows, the first ones again: those whose first dimension has the size that the first one's has."""

    def __init__(self):
        self.rows = None

    def longer(self, value):
        if isinstance(value, torch.Tensor):
            return self.longer_tensor(value)
        if isinstance(value, (list, tuple)):
            return type(value)(map(self.longer, value))
        if isinstance(value, dict):
            return {key: self.longer(part) for key, part in value.items()}
        return value

    def longer_tensor(self, tensor):
        if tensor.layout != torch.strided or tensor.is_quantized or tensor.dim() == 0 or tensor.shape[0] == 0:
            return tensor
        self.rows = self.rows or tensor.shape[0]
        if tensor.shape[0] != self.rows:
            return tensor
        chosen = torch.arange(self.rows + MORE_ROWS) % self.rows
        return tensor.detach()[chosen].requires_grad_(tensor.requires_grad)


def reason_in(stderr):
    """What an error says, without names and places."""
    line = next((line for line in stderr.splitlines() if "error: " in line), stderr.strip()[-200:])
    line = re.sub(r"^\S+:\d+:\d+: ", "", line.split("error: ", 1)[-1])
    return re.sub(r"\b\d+\b", "N", re.sub(r"'[^']*'", "'…'", line))


class Case:
    """One case with its files. `outcome` is empty where nothing can be traced, `refused`, `right` or `wrong`, and `told` says
    why; `sizes` is what became of the comparison with other sizes."""

    def __init__(self, tool, case, scratch):
        self.tool, self.case = tool, case
        self.place = scratch / f"{case.parent.name}-{case.name}.traces"
        self.outcome = self.told = self.sizes = ""

    def run(self, name, *flags, writes="--observe", **more):
        """What a run writes, or None where it failed."""
        file = self.place / f"{name}.pt"
        run = run_case(self.tool, self.case, *flags, writes, file, timeout=LONGEST, **more)
        return file if run is not None and run.returncode == 0 and file.exists() else None

    def inputs(self, name, calls):
        torch.save({"calls": calls}, self.place / name)
        return self.place / name

    def check(self):
        self.place.mkdir()
        call = first_call(self.case)
        inputs = self.inputs("inputs.pt", [call])
        program = self.run("program", *PROGRAM, inputs=inputs)
        if program is None:
            return
        traced = run_case(self.tool, self.case, "--trace-to", self.place / "trace.pt", "--check-trace", "--output",
                          self.place / "traced.pt", inputs=inputs, timeout=LONGEST)
        if traced is None or not (self.place / "trace.pt").exists():
            self.outcome, self.told = "refused", reason_in(traced.stderr) if traced else "time out"
            return
        wrong = []
        if traced.returncode != 0:
            wrong.append(reason_in(traced.stderr))
        else:
            result = self.run("result", *PROGRAM, writes="--output", inputs=inputs)
            if result is None or not are_same(result, self.place / "traced.pt"):
                wrong.append("the traced call gives another result")
        wrong += self.differences("", program, call)
        wrong += self.check_other_sizes(call)
        self.outcome, self.told = "wrong" if wrong else "right", "; ".join(wrong)

    def check_other_sizes(self, call):
        adder = RowAdder()
        longer = adder.longer(call)
        if adder.rows is None:
            return []
        program = self.run("program-longer", *PROGRAM, inputs=self.inputs("inputs-longer.pt", [longer]))
        if program is None:
            self.sizes = "not accepted"
            return []
        self.sizes = "compared"
        return self.differences("-longer", program, longer)

    def differences(self, kind, program, call):
        """Runs the trace, and says which runs differ from the program."""
        found = []
        for name, flags in RUNS.items():
            told = name + (" with other sizes" if kind else "")
            run = self.run(f"trace-{name}{kind}", *flags, model=self.place / "trace.pt", inputs=self.place / f"inputs{kind}.pt")
            if run is None:
                found.append(f"{told}: the trace fails")
            elif not are_same(program, run) and not self.is_second_call(run, kind, call):
                found.append(f"{told}: other bits")
        return found

    def is_second_call(self, trace, kind, call):
        """Whether the trace does what the program does when it is called again."""
        twice = self.place / f"program-twice{kind}.pt"
        if not twice.exists() and self.run(twice.stem, *PROGRAM, inputs=self.inputs(f"inputs-twice{kind}.pt", [first_call(self.case), call])) is None:
            return False
        return are_same_values(torch.load(twice)[1:], torch.load(trace))


def check(tool, folder, scratch, keep):
    case = Case(tool, folder, scratch)
    os.environ["XDG_CACHE_HOME"] = str(scratch / "cache")
    try:
        case.check()
    except RuntimeError as error:  # of a file that torch.load does not read
        case.outcome, case.told = "wrong", str(error)
    if keep and case.outcome == "wrong":
        shutil.copytree(case.place, keep / name_of(folder), dirs_exist_ok=True)
    shutil.rmtree(case.place)
    return case


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--least", type=float, default=99)
    parser.add_argument("--refusals", type=pathlib.Path, help="where each refusal is written")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the files of the cases that are wrong")
    options = parser.parse_args()
    torch.set_num_threads(1)
    tool = options.build / "bin/tsc-run"
    started = time.monotonic()
    outcomes, sizes, reasons, refusals = collections.Counter(), collections.Counter(), collections.Counter(), []
    for folder, case in for_each_case(options, lambda folder, scratch: check(tool, folder, scratch, options.keep)):
        outcomes[case.outcome] += 1
        sizes[case.sizes] += 1
        if case.outcome == "refused":
            reasons[case.told] += 1
            refusals.append(f"{name_of(folder)}: {case.told}\n")
        elif case.outcome == "wrong":
            print(f"{name_of(folder)}: {case.told}", flush=True)
    if options.refusals:
        options.refusals.write_text("".join(refusals))
    for reason, count in reasons.most_common():
        print(f"{count:5} refused: {reason}")
    traced = outcomes["right"] + outcomes["wrong"]
    share = 100 * outcomes["right"] / max(1, traced)
    print(f"{sum(outcomes.values())} cases: {outcomes['']} whose program fails, {outcomes['refused']} refused, {traced} traced; with other "
          f"sizes {sizes['compared']} compared, and {sizes['not accepted']} not accepted by the program ({time.monotonic() - started:.0f} s)")
    print(f"{outcomes['right']} of {traced} traces give the bits of their program ({share:.2f} %)")
    sys.exit(share < options.least)


if __name__ == "__main__":
    main()
