#!/usr/bin/env python3
"""Fail when a random expression does in one mode of tsc-run what it does not do in another, or in eager PyTorch.

Expressions come from a seed: operators of the records on random operands, and Python's operators, subscripts, methods, formats
and math.* on numbers, text and containers. Each is compiled at -O0 and at -O2, and walked: run as a statement at the top of a
file with a module. It prints dtype, shape, strides and value, or raises, whose class is compared. What tsc refuses with a sentence is
counted, and is no difference.

With --oracle, eager PyTorch is asked. Of two oracles only what they agree on counts: where they differ from each other, it is not known what
is right, and the modes are compared among themselves. Differences are printed by operator. --known FILE has lines `OPERATOR: WHAT`, as this prints them, of
differences that are known and do not count. The last line is `N expressions, M refused, K differences`.
"""
import argparse
import concurrent.futures
import json
import math
import multiprocessing
import os
import pathlib
import re
import select
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCE / "utils" / "program_generator"))
import tensor_files  # noqa: E402
from expressions import Expressions  # noqa: E402

SHOW = '''def show({parameter}){result}:
    if isinstance(x, torch.Tensor):
        y = x.detach()
        if y.is_complex():
            y = torch.view_as_real(y.resolve_conj())
        values{values} = y.to(torch.float64).reshape(-1).tolist()
        print("Tensor", x.dtype, list(x.shape), list(x.stride()), values)
    else:
        print(x)
'''
IMPORTS = "import math\nimport torch\nfrom typing import Any, List\n\n"
COMPILED_HEAD = IMPORTS + SHOW.format(parameter="x: Any", result=" -> None", values=": List[float]")
EAGER_HEAD = IMPORTS + SHOW.format(parameter="x", result="", values="")
WALKED_HEAD = EAGER_HEAD + "class Walked(torch.nn.Module):\n    def forward(self, x):\n        return x\n\n"
MODES = {"O0": ["-O0"], "O2": ["-O2", "--compile=off"], "kernels": ["-O2", "--compile=eager"], "walked": []}
TOLERANCES = {"torch.float16": 4e-3, "torch.bfloat16": 3e-2, "torch.float32": 2e-4, "torch.complex64": 2e-4, "torch.float64": 1e-8}
MARK = "<<{}>>"
# What an oracle says of names that it does not have: then it knows no answer.
UNKNOWN = r"module 'torch[\w.]*' has no attribute|'Tensor' object has no attribute|type object .* has no attribute|has no attribute '_|'_OpNamespace'"


class Crash(Exception):
    pass


class Outcome:
    """What became of an expression in one mode: `kind` is value, error, refused, crash or unknown."""
    def __init__(self, kind, text, also=()):
        self.kind, self.text, self.also = kind, text.rstrip("\n"), also

    def __str__(self):
        return self.text if self.kind == "value" else f"{self.kind}: {self.text}"


def run(command, timeout):
    try:
        done = subprocess.run(command, capture_output=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise Crash(f"no end after {timeout} s") from None
    out, said = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    if done.returncode not in (0, 1, 2):
        raise Crash(f"ended by {done.returncode}: {' '.join(said.split())[-200:]}")
    return done.returncode, out, said


class Tool:
    def __init__(self, options, scratch):
        self.options, self.scratch = options, pathlib.Path(scratch)
        self.file = self.scratch / "expressions.py"

    def command(self, *arguments):
        return [str(self.options.tsc_run), str(self.file), "--max-memory", "2G", *arguments]

    def write_compiled(self, texts):
        """Each function takes two lines; gives the number of the first one's `def`."""
        self.file.write_text(COMPILED_HEAD + "".join(f"def f{i}() -> None:\n    show({text})\n" for i, text in enumerate(texts)))
        return COMPILED_HEAD.count("\n") + 1

    def split(self, texts, work):
        """What `work` gives for all of them; when that ends in a crash, the halves are tried by themselves."""
        if not texts:
            return []
        try:
            return work(texts)
        except Crash as crash:
            if len(texts) == 1:
                return [Outcome("crash", str(crash))]
            middle = len(texts) // 2
            return self.split(texts[:middle], work) + self.split(texts[middle:], work)

    def refused(self, texts):
        """What the compiler says of each: None, or that it refuses it."""
        said = [None] * len(texts)
        while left := [i for i, each in enumerate(said) if each is None]:
            first = self.write_compiled([texts[i] for i in left])
            code, _, errors = run(self.command("--check-only"), self.options.timeout)
            if code == 0:
                return said
            found = re.findall(r"^\S*expressions\.py:(\d+):\d+: error: (.*(?:\n(?! ).*)?)", errors, re.M)
            told = [(left[(int(line) - first) // 2], text) for line, text in found if first <= int(line) < first + 2 * len(left)]
            if not told and len(texts) == 1 and ": error: " in errors:  # within the library that the expression calls
                return [Outcome("refused", errors.partition(": error: ")[2].splitlines()[0])]
            if not told:
                raise Crash("check-only: " + errors[:200])
            for i, text in told:
                said[i] = said[i] or Outcome("refused", text.splitlines()[0])
        return said

    def compiled(self, texts, mode):
        self.write_compiled(texts)
        inputs, out = self.scratch / "inputs.pt", self.scratch / "observed.pt"
        tensor_files.write(inputs, {"calls": [{"method": f"f{i}", "args": ()} for i in range(len(texts))]})
        out.unlink(missing_ok=True)
        code, printed, said = run(self.command("--inputs", str(inputs), "--seed", "7", *MODES[mode], "--observe", str(out)), self.options.timeout)
        if code == 2 or not out.exists():
            raise Crash(f"exit {code}: {said[:200]}")
        printed = re.split(r"^call \d+: .*\n", printed, flags=re.M)[1:]
        return [Outcome("value", text) if result[0] is None else raised(result[0]) for text, result in zip(printed, tensor_files.read(out), strict=True)]

    def walked(self, texts):
        """A statement that is refused ends the run: the next run begins behind it."""
        outcomes = []
        while len(outcomes) < len(texts):
            begin = len(outcomes)
            statements = []
            for i, text in enumerate(texts[begin:]):
                statements.append(f'try:\n    print("{MARK.format(i)}")\n    show({text})\nexcept Exception as e:\n    print("raised", type(e).__name__)\n')
            self.file.write_text(WALKED_HEAD + "".join(statements))
            code, printed, said = run(self.command("--seed", "7"), self.options.timeout)
            parts = re.split(r"^<<\d+>>\n", printed, flags=re.M)[1:]
            for part in parts:
                outcomes.append(Outcome("error", part.strip()[7:]) if part.startswith("raised ") else Outcome("value", part))
            if begin + len(statements) == len(outcomes) and code == 0:
                outcomes[-1].text = outcomes[-1].text.removesuffix("\nNone")
                break
            errors = re.findall(r"^\S*expressions\.py:(\d+):\d+: error: (.*)", said, re.M)
            if not errors:
                raise Crash(f"walked: exit {code}: {said[-300:]}")
            refusal = Outcome("refused", errors[-1][1])
            if parts:
                outcomes[-1] = refusal
                continue
            # The file is not even read: the statement is the one of that line.
            i = (int(errors[-1][0]) - WALKED_HEAD.count("\n") - 1) // 5
            if not 0 <= i < len(statements):
                raise Crash(f"walked: {said[-300:]}")
            if i:
                outcomes += self.walked(texts[begin:begin + i])
            outcomes.append(refusal)
        return outcomes

    def observe(self, texts, modes):
        """For each expression what each mode makes of it."""
        found = [{} for _ in texts]
        refusals = self.split(texts, self.refused)
        running = [i for i, each in enumerate(refusals) if each is None]
        for mode in modes:
            if mode == "walked":
                continue
            for i, refusal in enumerate(refusals):
                if refusal:
                    found[i][mode] = refusal
            for i, outcome in zip(running, self.split([texts[i] for i in running], lambda some: self.compiled(some, mode)), strict=True):
                found[i][mode] = outcome
        if "walked" in modes:
            which = [i for i, each in enumerate(refusals) if each is None or i % self.options.walk_refused == 0]
            for i, outcome in zip(which, self.split([texts[i] for i in which], self.walked), strict=True):
                found[i]["walked"] = outcome
        return found


def raised(text):
    last = re.findall(r"^(?:builtins\.)?(\w+(?:Error|Exception|Iteration)\b)", text, re.M)
    return Outcome("error", last[-1] if last else " ".join(text.split())[-100:])


class Oracle:
    """A Python with PyTorch, which is started again where an expression ends it."""
    def __init__(self, python):
        self.python, self.process = python, None

    def start(self):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("OPENBLAS_")}
        script = SOURCE / "utils" / "program_generator" / "eager_expressions.py"
        self.process = subprocess.Popen([self.python, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        env=environment)
        self.process.stdin.write(json.dumps(EAGER_HEAD) + "\n")

    def ask(self, text):
        if self.process is None:
            self.start()
        try:
            self.process.stdin.write(json.dumps(text) + "\n")
            self.process.stdin.flush()
            # A loop in an operator hears no alarm. The first answer also waits for PyTorch to load.
            told = json.loads(self.process.stdout.readline() if select.select([self.process.stdout], [], [], 300)[0] else "")
        except (BrokenPipeError, ValueError):
            self.process.kill()
            self.process.wait()
            self.process = None
            return Outcome("unknown", "it ended PyTorch")
        if "printed" in told:
            return Outcome("value", told["printed"])
        if "raised" in told and not re.search(UNKNOWN, told["text"]):
            return Outcome("error", told["raised"], told.get("kinds", ()))
        return Outcome("unknown", told.get("text", "too long"))


TENSOR = re.compile(r"Tensor (torch\.\w+) (\[.*?\]) (\[.*?\]) (\[.*\])")


def close(a, b, tolerance):
    a, b = a.strip("[]").split(", "), b.strip("[]").split(", ")
    if len(a) != len(b):
        return False
    for x, y in zip(a, b):
        if x != y:
            x, y = float(x), float(y)
            if math.isnan(x) != math.isnan(y) or not (x == y or abs(x - y) <= tolerance * max(1.0, abs(x), abs(y))) or math.isinf(x) != math.isinf(y):
                return False
    return True


def numbers_in(text):
    number = r"-?\d+(?:\.\d*)?(?:e[+-]?\d+)?"
    return re.sub(r"\s+", " ", re.sub(number, "#", text)), [float(each) for each in re.findall(number, text)]


def difference(a, b):
    """What differs, in a word or two; None when nothing does."""
    if a.kind != b.kind:
        return f"{a.kind}, not {b.kind}"
    if a.text == b.text:
        return None
    if a.kind == "error":
        return None if a.text in b.also else f"{a.text}, not {b.text}"
    ours, theirs = TENSOR.fullmatch(a.text), TENSOR.fullmatch(b.text)
    if bool(ours) != bool(theirs):
        return "a tensor or not"
    if ours:
        if ours[1] != theirs[1]:
            return "dtype"
        if ours[2] != theirs[2]:
            return "shape"
        if not close(ours[4], theirs[4], TOLERANCES.get(ours[1], 0)):
            return "value"
        return "strides" if ours[3] != theirs[3] else None
    if "tensor(" in a.text:
        (text, numbers), (text2, numbers2) = numbers_in(a.text), numbers_in(b.text)
        if text == text2 and len(numbers) == len(numbers2) and all(abs(x - y) <= 1e-3 * max(1, abs(x)) for x, y in zip(numbers, numbers2)):
            return None
    return "text"


def is_beyond_us(ours, theirs):
    """Whether tsc says, as an error, that Python's int or complex number has no place here: ints have 64 bits, and types are fixed."""
    large = any(not -2**63 <= int(each) < 2**63 for each in re.findall(r"(?<![\w.])-?\d{19,}(?![\w.])", theirs.text))
    told = ours.text == "OverflowError" and large or ours.text == "ValueError" and theirs.text.endswith("j)")
    return theirs.kind == "value" and ours.kind == "error" and told


def judge(outcomes, oracles, counts):
    """The differences of one expression, as (modes, what differs)."""
    truth = None
    answers = [each for each in oracles.values() if each.kind != "unknown"]
    if answers:
        if all(difference(answers[0], each) is None for each in answers):
            truth = answers[0]
        else:
            counts["oracles differ"] += 1
    elif oracles:
        counts["no oracle knows it"] += 1
    ran = {mode: each for mode, each in outcomes.items() if each.kind != "refused"}
    found = {}
    for mode, each in ran.items():
        if each.kind == "crash":
            found.setdefault("crash", []).append(mode)
        elif truth is not None:
            if not is_beyond_us(each, truth) and (what := difference(each, truth)):
                found.setdefault(what + " than PyTorch's", []).append(mode)
    if truth is None:
        first = next(iter(ran), None)
        for mode in ran:
            if mode != first and "crash" not in (ran[mode].kind, ran[first].kind) and (what := difference(ran[mode], ran[first])):
                found.setdefault(f"{what} than {first}'s", []).append(mode)
    return [f"{what} ({', '.join(modes)})" for what, modes in found.items()]


def work(job):
    """One batch, by a process of its own."""
    options, seed, count = job
    source = Expressions(seed, options.only)
    pairs = [source.next() for _ in range(count)]
    counts = {"oracles differ": 0, "no oracle knows it": 0, "refused": 0, "refused when walked": 0}
    with tempfile.TemporaryDirectory() as scratch:
        found = Tool(options, scratch).observe([text for _, text in pairs], options.modes)
    told = []
    for (name, text), outcomes in zip(pairs, found):
        oracles = {python: oracle.ask(text) for python, oracle in asked(options).items()} if any(each.kind != "refused" for each in outcomes.values()) else {}
        compiled = [each for mode, each in outcomes.items() if mode != "walked"]
        counts["refused"] += any(each.kind == "refused" for each in compiled or outcomes.values())
        counts["refused when walked"] += "walked" in outcomes and outcomes["walked"].kind == "refused"
        if what := judge(outcomes, oracles, counts):
            told.append((name, text, what, {mode: str(each) for mode, each in (outcomes | oracles).items()}))
    return count, counts, told


ORACLES = {}


def asked(options):
    for python in options.oracle:
        ORACLES.setdefault(python, Oracle(python))
    return ORACLES


def jobs(options):
    for begin in range(0, options.count, options.batch):
        yield options, options.seed * 1000003 + begin, min(options.batch, options.count - begin)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000, help="expressions (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--tsc-run", type=pathlib.Path, default=SOURCE / "build/release/bin/tsc-run", metavar="FILE")
    parser.add_argument("--oracle", action="append", default=[], metavar="PYTHON", help="a Python that has PyTorch; may be given twice")
    parser.add_argument("--only", metavar="NAME", help="expressions of one operator, method or function alone")
    parser.add_argument("--modes", default="O0,O2,walked", help=f"of {', '.join(MODES)}, with commas between (default: %(default)s)")
    parser.add_argument("--batch", type=int, default=200, help="expressions that share a process (default: %(default)s)")
    parser.add_argument("--walk-refused", type=int, default=10, metavar="N", help="of those that do not compile walk one in N (default: %(default)s)")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one run (default: %(default)s)")
    parser.add_argument("--known", type=pathlib.Path, metavar="FILE", help="differences that do not count")
    parser.add_argument("--show", action="store_true", help="print the expressions and stop")
    options = parser.parse_args()
    options.modes = options.modes.split(",")
    for mode in options.modes:
        if mode not in MODES:
            parser.error(f"'{mode}' is not one of {', '.join(MODES)}")
    if options.show:
        for _, seed, count in jobs(options):
            source = Expressions(seed, options.only)
            print("\n".join(source.next()[1] for _ in range(count)))
        return
    options.tsc_run = options.tsc_run.resolve()
    if not options.tsc_run.exists():
        parser.error(f"there is no '{options.tsc_run}'")
    known = set(options.known.read_text().splitlines()) if options.known else set()
    expressions, total, groups = 0, {"known": 0}, {}
    with concurrent.futures.ProcessPoolExecutor(options.jobs, multiprocessing.get_context("fork")) as pool:
        for future in concurrent.futures.as_completed([pool.submit(work, job) for job in jobs(options)]):
            count, counts, told = future.result()
            expressions += count
            for what, number in counts.items():
                total[what] = total.get(what, 0) + number
            for name, text, what, outcomes in told:
                total["known"] += (is_known := all(f"{name}: {each}" in known for each in what))
                if not is_known:
                    groups.setdefault(name, []).append((text, what, outcomes))
            print(f"{expressions} expressions, {total['refused']} refused, {sum(map(len, groups.values()))} differences", file=sys.stderr, flush=True)
    for name, cases in sorted(groups.items()):
        print(f"-- {name}: {len(cases)}")
        for text, what, outcomes in cases:
            print(f"{text}\n  {'; '.join(what)}")
            width = max(map(len, outcomes))
            for mode, told in outcomes.items():
                print(f"    {mode:{width}} {told[:300]}")
    differences = sum(map(len, groups.values()))
    print(", ".join(f"{number} {what}" for what, number in total.items() if what != "refused"))
    print(f"{expressions} expressions, {total.get('refused', 0)} refused, {differences} differences")
    sys.exit(bool(differences) or not expressions)


if __name__ == "__main__":
    main()
