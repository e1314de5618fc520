"""Runs programs in each mode of tsc-run, and compares what could be observed."""
import math
import os
import pathlib
import pickle
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
EAGER = "eager"


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
    def __init__(self, tool, scratch, timeout=60, python=None):
        self.python, self.worker = python, None
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
        if mode == EAGER:
            return [str(self.python), str(self.program)]
        return [str(self.tool), str(self.program), "--inputs", str(self.inputs), "--seed", "7", *MODES[mode]]

    def run(self, mode):
        """What each call printed and gave, as pairs; with them what was said on stderr."""
        if mode == EAGER:
            return self.run_eagerly()
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


    def run_eagerly(self):
        if self.worker is None:
            environment = {key: value for key, value in os.environ.items() if not key.startswith("OPENBLAS_")}
            script = pathlib.Path(__file__).parent / "eager.py"
            self.worker = subprocess.Popen([self.python, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        out = self.scratch / "observed.pickle"
        out.unlink(missing_ok=True)
        self.worker.stdin.write(f"{self.program}\t{self.inputs}\t{out}\n")
        self.worker.stdin.flush()
        if not self.worker.stdout.readline() or not out.exists():
            self.worker = None
            raise Failure("eager PyTorch ended")
        told = pickle.loads(out.read_bytes())
        if isinstance(told, str):
            raise Failure(f"refused by Python\nerror: {told}")
        if told is None:
            raise Failure("no end in eager PyTorch")
        return told, ""

    def close(self):
        if self.worker:
            self.worker.stdin.close()
            self.worker.wait()


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


def differences_from_eager(reference, eager):
    """As `differences`, between a program and what eager PyTorch did: numbers agree to a tolerance, and of errors that
    operators raise only that there is one."""
    return [i for i, (a, b) in enumerate(zip(reference[0], eager[0])) if not agrees(a, b)]


def agrees(ours, eager):
    (printed, (_, result, arguments)), (also_printed, (_, result2, arguments2)) = ours, eager
    if result[0] == "str" and re.search(r"OverflowError: .* does not fit an int of 64 bits\s*$", result[1]):
        return True  # Python's ints have no end
    if result[0] == "str" and re.search(r"ValueError: math domain error: a negative number to the power", result[1]):
        return True  # the type of `**` is fixed: no number of Python's becomes complex
    if result2[:2] == ("tuple", ("str", "raised")):
        if result[0] != "str" or "Traceback of TorchScript" not in result[1]:
            return False
        last = result[1].strip().splitlines()[-1]
        raised = re.match(r"builtins\.(\w+): (.*)", last)
        if raised and raised.groups() != (result2[2][1], result2[3][1]):
            return False
    elif not near(result, result2):
        return False
    # An empty list in a file has no type: the program gets another one, and what becomes of it cannot be seen.
    seen = [(a, b) for a, b in zip(arguments, arguments2) if a not in (("list",), ("dict",))]
    return all(near(a, b) for a, b in seen) and (printed == also_printed or near(numbers_in(printed), numbers_in(also_printed)))


def numbers_in(text):
    """The text without its numbers, and the numbers: a printed tensor may differ in a last digit."""
    number = r"-?\d+(?:\.\d*)?(?:e[+-]?\d+)?"
    return (re.sub(r"\s+", " ", re.sub(number, "#", text)), *(float(each) for each in re.findall(number, text)))


def near(a, b):
    if isinstance(a, tuple) and isinstance(b, tuple):
        if a[:1] == ("tensor",) == b[:1]:
            return a[1:3] == b[1:3] and a[4] == b[4] and near(a[6], b[6])
        return len(a) == len(b) and all(map(near, a, b))
    if isinstance(a, str) and isinstance(b, str) and "0x" in a and "0x" in b:
        a, b = float.fromhex(a), float.fromhex(b)
    if isinstance(a, float) and isinstance(b, float):
        return a == b or abs(a - b) <= 1e-4 + 1e-3 * max(abs(a), abs(b)) and math.isfinite(a) and math.isfinite(b)
    return a == b


def kind_of(a, b):
    """What differs, in words that do not depend on the program: differences of one cause look alike."""
    def outcome(call):
        result = call[1][1]
        if result[:2] == ("tuple", ("str", "raised")):
            return blurred(f"{result[2][1]}: {result[3][1]}".splitlines()[0])
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
