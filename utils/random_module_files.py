#!/usr/bin/env python3
"""Fail when a random file with modules prints something else in tsc-run than in Python.

Files come from seeds: classes of nn.Module, training loops, containers, own classes, exceptions, iterators and prints at top level,
which tsc-run walks. Another text, or another exception at the end, is a difference. A refusal with a sentence is counted apart; what was
printed before it must be what Python prints, and the file goes on without the statement.

What differs is made smaller, statement by statement, and printed; --keep DIR writes it there. At the end kinds are counted. The last line is
`N files, M refused, K differences`.
"""
import argparse
import ast
import concurrent.futures
import json
import multiprocessing
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCE / "utils" / "program_generator"))
from module_files import ModuleFile  # noqa: E402

NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:e[-+]?\d+)?")


class Python:
    """A Python with PyTorch, which runs one file after the other."""
    def __init__(self, python):
        self.python, self.process = python, None

    def run(self, text):
        """What it printed and raised, or None."""
        if self.process is None:
            environment = {key: value for key, value in os.environ.items() if not key.startswith("OPENBLAS_")}
            script = SOURCE / "utils" / "program_generator" / "eager_files.py"
            self.process = subprocess.Popen([self.python, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                            env=environment)
        try:
            self.process.stdin.write(json.dumps(text) + "\n")
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline())
        except (BrokenPipeError, ValueError):
            self.process.wait()
            self.process = None
            return None


def blurred(line):
    """Without what depends on the program: differences of one cause look alike."""
    return re.sub(r"(?<=[A-Za-z])\d+", "N", NUMBER.sub("N", re.sub(r"'[^']*'", "'…'", line)))[:120]


def same(a, b):
    """Whether two lines are equal. A float may differ in its last digits, and where an object is in memory."""
    a, b = (re.sub(r"\b0x[0-9a-f]+", "0x", " ".join(each.split())) for each in (a, b))
    x, y = NUMBER.findall(a), NUMBER.findall(b)
    if NUMBER.sub("#", a) != NUMBER.sub("#", b) or len(x) != len(y):
        return False
    return all(p == q or (any(c in p + q for c in ".e") and abs(float(p) - float(q)) <= 2e-4 * max(0.1, abs(float(q)))) for p, q in zip(x, y))


class Found:
    def __init__(self, kind, ours, theirs, refusal=None, line=None):
        self.kind, self.ours, self.theirs, self.refusal, self.line = kind, ours, theirs, refusal, line


def walk(tool, text, timeout):
    """Exit status, what was printed, and what was said."""
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "file.py"
        file.write_text(text)
        try:
            done = subprocess.run([str(tool), str(file)], capture_output=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            return None, "", f"no end after {timeout} s"
        said = done.stderr.decode(errors="replace").replace(str(file), "file.py")
        return done.returncode, done.stdout.decode(errors="replace"), said


def agreed(pythons, text):
    """What all of them print and raise, or None where they differ."""
    first, *others = [python.run(text) for python in pythons]
    for other in others:
        if first is None or other is None or first["raised"] != other["raised"]:
            return None
        a, b = first["printed"].splitlines(), other["printed"].splitlines()
        if len(a) != len(b) or not all(map(same, a, b)):
            return None
    return first


def compare(tool, pythons, text, timeout):
    """None where both do the same, or what differs. After the same text a refusal has the kind 'refused', and an exception that both
    raise has the kind 'ends'."""
    theirs = agreed(pythons, text)
    if theirs is None:
        return Found("unknown", "", "")
    code, printed, said = walk(tool, text, timeout)
    ours, expected = printed.splitlines(), theirs["printed"].splitlines()
    if code == 2:
        ours = ours[:len(expected)] if len(ours) <= len(expected) else ours
    for i in range(max(len(ours), len(expected)) if code == 0 else len(ours)):
        a, b = (lines[i] if i < len(lines) else "(nothing)" for lines in (ours, expected))
        if code == 2 and i == len(ours) - 1 and not printed.endswith("\n"):
            break  # a line that the refusal cut short
        if not same(a, b):
            return Found(f"{blurred(a)} | {blurred(b)}", a, b)
    sentence = (re.findall(r"error: (.*)", said) or [said.strip()[-200:]])[-1]
    if code == 2:
        places = re.findall(r"file\.py[:\"](?:, line )?(\d+)", said)
        ended = theirs["raised"] is not None and sentence.startswith(theirs["raised"]) and len(ours) == len(expected)
        return Found("ends" if ended else "refused", "", "", sentence, int(places[-1]) if places else None)
    if code not in (0, 1):
        return Found(f"exit status {code}", said[-300:], str(theirs["raised"]))
    ends_well = code == 0 or sentence.startswith("forward() is missing")  # that of a file that prints nothing is called
    raised = None if ends_well else (re.findall(r"^(?:\w+\.)*(\w+)(?:: |$)", said, re.M) or ["?"])[-1]
    if (raised is None) != (theirs["raised"] is None) or (raised and raised != theirs["raised"]):
        return Found(f"raised {raised} | {theirs['raised']}", said[-300:], str(theirs["raised"]))
    return None


def without(text, line):
    """The text without the statement of the top level that holds a line, or None."""
    for statement in ast.parse(text).body:
        first = min([statement.lineno] + [each.lineno for each in getattr(statement, "decorator_list", [])])
        if first <= line <= statement.end_lineno and not isinstance(statement, (ast.Import, ast.ImportFrom)):
            lines = text.splitlines()
            return "\n".join(lines[:first - 1] + lines[statement.end_lineno:]) + "\n"
    return None


def shrink(text, is_interesting):
    """Leaves out statements of the top level, and of the bodies of classes, while what is interesting remains."""
    def statements(source):
        """The ranges of lines that may go, larger ones first."""
        ranges = []
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.For, ast.With, ast.Try)):
                for child in node.body:
                    if isinstance(node, ast.Module) or len(node.body) > 1:
                        first = min([child.lineno] + [each.lineno for each in getattr(child, "decorator_list", [])])
                        ranges.append((first - 1, child.end_lineno))
        return sorted(ranges, key=lambda each: each[0] - each[1])
    changed = True
    while changed:
        changed = False
        for first, end in reversed(sorted(statements(text))):
            lines = text.splitlines()
            candidate = "\n".join(lines[:first] + lines[end:]) + "\n"
            try:
                ast.parse(candidate)
            except SyntaxError:
                continue
            if is_interesting(candidate):
                text, changed = candidate, True
                break
    return text


PYTHONS, SHRUNK = {}, {}  # of this process: Pythons by name, how many files of each kind were made smaller


def work(job):
    options, seeds = job
    pythons = [PYTHONS.setdefault(each, Python(each)) for each in options.python]
    told, refusals, refused, unknown = [], [], 0, 0
    for seed in seeds:
        text = ModuleFile(seed).text()
        found = compare(options.tsc_run, pythons, text, options.timeout)
        before = len(refusals)
        while found is not None and found.kind in ("refused", "ends"):  # go on without the statement
            if found.kind == "refused":
                refusals.append(found.refusal)
            text = without(text, found.line) if found.line else None
            found = compare(options.tsc_run, pythons, text, options.timeout) if text else None
        refused += len(refusals) > before
        if found is None:
            continue
        if found.kind == "unknown":
            unknown += 1
            continue
        SHRUNK[found.kind] = SHRUNK.get(found.kind, 0) + 1
        if SHRUNK[found.kind] <= options.shrink:
            def is_interesting(candidate):
                again = compare(options.tsc_run, pythons, candidate, options.timeout)
                return again is not None and again.kind == found.kind
            text = shrink(text, is_interesting)
            found = compare(options.tsc_run, pythons, text, options.timeout) or found
            text = re.sub(r"\n(\s*\n)+", "\n", text)
        told.append((seed, found.kind, text, found.ours, found.theirs))
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / f"seed-{seed}.py").write_text(text)
    return len(seeds), refused, refusals, unknown, told


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0, help="the first file's seed; the next has the next number")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--tsc-run", type=pathlib.Path, default=SOURCE / "build/release/bin/tsc-run", metavar="FILE")
    parser.add_argument("--python", metavar="FILE", action="append", help="a Python that has PyTorch (default: this one); of two, what they agree on counts")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="where to write what differs")
    parser.add_argument("--shrink", type=int, default=2, metavar="N", help="make N files of each kind smaller (default: %(default)s)")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one run (default: %(default)s)")
    parser.add_argument("--show", action="store_true", help="print the files of the seeds and stop")
    options = parser.parse_args()
    options.python = options.python or [sys.executable]
    if options.show:
        for seed in range(options.seed, options.seed + options.count):
            print(f"# seed {seed}\n{ModuleFile(seed).text()}")
        return
    options.tsc_run = options.tsc_run.resolve()
    if not options.tsc_run.exists():
        parser.error(f"there is no '{options.tsc_run}'")
    for python in options.python:
        if subprocess.run([python, "-c", "import torch"], capture_output=True).returncode:
            parser.error(f"'{python}' cannot import torch: name a Python that has it with --python")
    files, refused, unknown, different, kinds, sentences = 0, 0, 0, 0, {}, {}
    seeds = range(options.seed, options.seed + options.count)
    jobs = [(options, seeds[i:i + 20]) for i in range(0, len(seeds), 20)]
    with concurrent.futures.ProcessPoolExecutor(options.jobs, multiprocessing.get_context("fork")) as pool:
        for future in concurrent.futures.as_completed([pool.submit(work, job) for job in jobs]):
            count, files_refused, refusals, not_known, told = future.result()
            files, refused, unknown, different = files + count, refused + files_refused, unknown + not_known, different + len(told)
            for sentence in refusals:
                words = re.sub(r"'[^']*'", "'…'", sentence).partition(";")[0]
                sentences[words] = sentences.get(words, 0) + 1
            for seed, kind, text, ours, theirs in told:
                kinds[kind] = kinds.get(kind, 0) + 1
                print(f"-- seed {seed}: {kind}\n{text}ours:   {ours}\nPython: {theirs}\n", flush=True)
            print(f"{files} files, {refused} refused, {different} differences", file=sys.stderr, flush=True)
    for title, counted in (("refused: ", sentences), ("", kinds)):
        for what, number in sorted(counted.items(), key=lambda item: -item[1]):
            print(f"{number:5} times {title}{what}")
    if unknown:
        print(f"{unknown} files that Pythons disagree about or do not end in, and which were not compared")
    print(f"{files} files, {refused} refused, {different} differences")
    sys.exit(bool(different) or not files)


if __name__ == "__main__":
    main()
