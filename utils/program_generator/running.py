"""Runs programs in each mode of tsc-run, and compares what could be observed."""
import os
import pathlib
import re
import subprocess

import tensor_files

HEAD = "import math\nimport torch\nfrom typing import Any, Dict, List, NamedTuple, Optional, Tuple\n\n"
# The state that calls leave behind: grad mode, and the place in the sequence of random numbers.
PROBE = "def probe() -> Tuple[bool, torch.Tensor]:\n    return torch.is_grad_enabled(), torch.rand(2)\n\n"
MODES = {
    "O0": ["-O0"],
    "O1": ["-O1"],
    "O2": ["-O2", "--executor=interp", "--compile=off"],
    "O3": ["-O3", "--executor=interp", "--compile=eager"],
    "plans": ["-O2", "--compile=off"],
    "kernels": ["-O2", "--compile=eager"],
    "kernels3": ["-O3", "--compile=eager"],
    "later": ["-O2"],
    "validate": ["-O3", "--compile=eager", "--validate=2"],
    "aliases": ["-O2", "--compile=eager", "--check-aliases"],
    "aliases0": ["-O0", "--check-aliases"],
}
REFERENCE = "O0"


class Failure(Exception):
    """A batch that does not run to its end: a program in it does not compile, ends tsc-run, or takes too long."""
    @property
    def refused(self):
        return str(self).startswith("exit status 2")

    @property
    def kind(self):
        lines = str(self).splitlines()
        return blurred(" ".join([lines[0], *(line for line in lines if "error:" in line)][:2]).replace("program.py:", ""))


class Runner:
    def __init__(self, tool, scratch, timeout=60):
        self.tool, self.scratch, self.timeout = tool, pathlib.Path(scratch), timeout
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(self.scratch / "cache")}

    def prepare(self, programs, repeat=1):
        """Writes the programs as one, and the calls; gives the (program, call) of each call, call None for a probe."""
        self.program, self.inputs = self.scratch / "program.py", self.scratch / "inputs.pt"
        self.program.write_text(HEAD + PROBE + "\n".join(program.text() for program in programs))
        calls, order = [], []
        for program in programs:
            for i, arguments in enumerate(program.calls * repeat):
                calls.append({"method": program.entry, "args": arguments})
                order.append((program, i))
            calls.append({"method": "probe", "args": ()})
            order.append((program, None))
        tensor_files.write(self.inputs, {"calls": calls})
        return order

    def command(self, mode):
        return [str(self.tool), str(self.program), "--inputs", str(self.inputs), "--seed", "7", *MODES[mode]]

    def run(self, mode):
        """What each call printed and gave, as pairs; with them what was said on stderr."""
        out = self.scratch / "observed.pt"
        out.unlink(missing_ok=True)
        try:
            run = subprocess.run([*self.command(mode), "--observe", out], capture_output=True, timeout=self.timeout, env=self.environment)
        except subprocess.TimeoutExpired:
            raise Failure(f"no end after {self.timeout} s") from None
        said = run.stderr.decode(errors="replace").replace(str(self.program), "program.py")
        if run.returncode not in (0, 1) or not out.exists():
            ended = f"ended by signal {-run.returncode}" if run.returncode < 0 else f"exit status {run.returncode}"
            raise Failure(f"{ended}\n{said}")
        printed = re.split(r"^call \d+: .*\n", run.stdout.decode(errors="replace"), flags=re.M)[1:]
        return list(zip(printed, out_values(out, str(self.program)))), said


def out_values(file, program):
    def told(value):
        return value.replace(program, "program.py") if isinstance(value, str) else value
    return [tensor_files.canonical((told(result), arguments)) for result, arguments in tensor_files.read(file)]


def differences(reference, other):
    """The calls that differ, by number; where what was said differs, a call of its own: None."""
    (calls, said), (others, also_said) = reference, other
    found = [i for i, (a, b) in enumerate(zip(calls, others)) if a != b]
    if also_said != said or len(calls) != len(others):
        found.append(None)
    return found


def kind_of(a, b):
    """What differs, in words that do not depend on the program: differences of one cause look alike."""
    def outcome(call):
        result = call[1][1]
        if result[0] == "str" and "Traceback of TorchScript" in result[1]:
            return blurred(result[1].strip().splitlines()[-1])
        return "a value"
    ours, theirs = outcome(a), outcome(b)
    if ours != theirs:
        return f"{ours} | {theirs}"
    if a[1][1] != b[1][1]:
        return f"{ours}, but another" if ours == "a value" else f"{ours}, from elsewhere"
    return "other arguments" if a[1] != b[1] else "other text printed"


def blurred(message):
    """Without what depends on the program."""
    return re.sub(r"-?\d+(\.\d+)?", "N", re.sub(r"\[[^]]*\]", "[…]", message))
