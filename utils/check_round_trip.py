#!/usr/bin/env python3
"""Archives written by tsc-translate against those they were made from.

Each folder with a model.pt and an io.pt (the layout of recorded cases: one call, or a list of calls) is translated,
and both archives are called with the recorded arguments: by tsc-run, whose results must be the same bits, and by a
Python with torch where one is given, whose results must be equal to 1e-5. An archive that tsc does not load is
refused; one whose text changes when it is read and written again is only counted."""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

TORCH = r"""
import sys, json, copy, torch
def same(a, b):
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        if a.is_quantized or b.is_quantized:
            return a.is_quantized and b.is_quantized and torch.equal(a.int_repr(), b.int_repr())
        return (a.dtype == b.dtype and a.shape == b.shape
                and torch.allclose(a.detach(), b.detach(), rtol=RTOL, atol=RTOL, equal_nan=True)
                if a.is_floating_point() or a.is_complex() else a.dtype == b.dtype and torch.equal(a, b))
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, complex) and isinstance(b, complex):
        return same(a.real, b.real) and same(a.imag, b.imag)
    if isinstance(a, float) and isinstance(b, float):
        return a == b or (a != a and b != b) or abs(a - b) <= RTOL * abs(b)
    if type(a).__module__.startswith('torch') and type(a).__name__ == type(b).__name__:
        return True
    return type(a) == type(b) and (a == b)
RTOL = 1e-5
torch.set_num_threads(1)
def calls(module, io, method):
    results = []
    for call in io:
        f = getattr(module, call.get('method', method)) if (call.get('method', method)) != 'forward' else module
        torch.manual_seed(0)
        try:
            results.append(f(*copy.deepcopy(call['args']), **copy.deepcopy(call.get('kwargs', {}))))
        except Exception as e:
            results.append('raised ' + type(e).__name__)
    return results
for line in sys.stdin:
    old, new, io, method = json.loads(line)
    try:
        io = torch.load(io, **({'weights_only': False} if torch.__version__[0] != '1' else {}))
        io = io['calls'] if 'calls' in io else [io]
        try:
            first = torch.jit.load(old)
        except Exception as e:
            print('skip', flush=True); continue
        reference = calls(first, io, method)
        made = calls(torch.jit.load(new), io, method)
        print('ok' if same(reference, made) else 'differs %.60r %.60r' % (reference, made), flush=True)
    except Exception as e:
        print('error', repr(str(e))[:4000], flush=True)
"""


def run(command, limit=120):
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=limit)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return -1, "", "timed out"


def method_of(folder):
    try:
        with open(os.path.join(folder, "meta.json")) as file:
            return json.load(file).get("method") or "forward"
    except (OSError, ValueError):
        return "forward"


def check(folder, tools, target):
    """(state, reason) of one folder."""
    old, io = os.path.join(folder, "model.pt"), os.path.join(folder, "io.pt")
    translate, run_tool = tools
    code, _, error = run([translate, "--allow-setstate", old, "-o", target])
    if code:
        return "refused", error
    again = os.path.join(os.path.dirname(target), "again", os.path.basename(target))  # of the same name, which it holds
    code, _, error = run([translate, "--allow-setstate", target, "-o", again])
    if code:
        return "unreadable", error
    with open(again, "rb") as second, open(target, "rb") as first:
        stable = second.read() == first.read()
    os.remove(again)
    method = method_of(folder)
    entry = ["--entry", method] if method != "forward" else []
    seen = []
    for archive in (old, target):
        result = target + ".out"
        code, out, error = run([run_tool, archive, "--allow-setstate", "--inputs", io, "--seed", "0", "--observe", result, *entry])
        contents = b""
        if os.path.exists(result):
            with open(result, "rb") as file:
                contents = file.read()
            os.remove(result)
        seen.append((code, out, contents, error))
    if seen[0][0] and seen[1][0]:
        return ("same" if seen[0][:3] == seen[1][:3] else "both fail"), seen[1][3]
    if seen[0][:3] != seen[1][:3]:
        return "other", seen[1][3] or "other results"
    return "same", "" if stable else "rewritten"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", help="build folder with bin/tsc-translate and bin/tsc-run")
    parser.add_argument("folders", nargs="+", help="folders of cases, searched for model.pt")
    parser.add_argument("--python", help="a Python with torch that loads both archives, too")
    parser.add_argument("--verbose", action="store_true", help="the reason of each case that fails")
    options = parser.parse_args()
    tools = [os.path.join(options.build, "bin", tool) for tool in ("tsc-translate", "tsc-run")]
    cases = sorted(path for folder in options.folders for path, _, names in os.walk(folder) if "model.pt" in names)
    counts, torch_counts, rewritten = {}, {}, 0
    with tempfile.TemporaryDirectory() as scratch:
        os.mkdir(os.path.join(scratch, "again"))
        targets = {case: os.path.join(scratch, str(i) + ".pt") for i, case in enumerate(cases)}
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = pool.map(lambda case: check(case, tools, targets[case]), cases)
            for case, (state, reason) in zip(cases, results):
                counts[state] = counts.get(state, 0) + 1
                rewritten += reason == "rewritten"
                if state != "same" and options.verbose:
                    print(f"{state}: {case}: {reason.strip()[-600:]}", flush=True)
        written = [case for case in cases if os.path.exists(targets[case])]
        if options.python:
            pending = list(written)
            while pending:
                process = subprocess.Popen([options.python, "-W", "ignore", "-c", TORCH], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                           stderr=subprocess.DEVNULL, text=True)
                while pending:
                    case = pending.pop(0)
                    try:
                        process.stdin.write(json.dumps([os.path.join(case, "model.pt"), targets[case], os.path.join(case, "io.pt"), method_of(case)]) + "\n")
                        process.stdin.flush()
                    except BrokenPipeError:
                        answer = ""
                    else:
                        answer = process.stdout.readline()
                        while answer and answer.split(" ")[0].strip() not in ("ok", "skip", "differs", "error"):
                            answer = process.stdout.readline()  # what the program prints
                    state = answer.split(" ")[0].strip() or "crashed"
                    torch_counts[state] = torch_counts.get(state, 0) + 1
                    if state not in ("ok", "skip") and options.verbose:
                        print(f"torch {state}: {case}: {answer.strip()[:700]}", flush=True)
                    if state == "crashed":
                        break
                process.stdin.close()
                process.wait()
    print("tsc:  ", ", ".join(f"{n} {state}" for state, n in sorted(counts.items())), f"of {len(cases)}; {rewritten} change when they are written again")
    if options.python:
        print("torch:", ", ".join(f"{n} {state}" for state, n in sorted(torch_counts.items())), f"of {len(written)}")
    wrong = [counts.get(state, 0) for state in ("other", "unreadable")]
    wrong += [torch_counts.get(state, 0) for state in ("differs", "error", "crashed")]
    return 1 if any(wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
