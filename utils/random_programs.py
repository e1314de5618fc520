#!/usr/bin/env python3
"""Fail when a random TorchScript program does in one mode of tsc-run what it does not do in another.

Programs come from seeds: functions with control flow and all its exits, classes, containers, strings, tensors, views, writes,
shapes that do not fit, exceptions and prints. Each is called several times, with arguments that fit and that do not, without
optimization, at each level, with plans and kernels, and under --validate and --check-aliases. Results (bits, dtypes, strides,
shared memory), errors with their text and line, printed text, arguments as calls left them, grad mode and the state of the
random numbers must be the same. With --python, what eager PyTorch does is compared too.

What differs is made smaller and written to --keep: program.py, inputs.pt, commands.txt and what each mode did. The last line
is `N programs, M differences`.
"""
import argparse
import concurrent.futures
import multiprocessing
import os
import pathlib
import pprint
import shutil
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCE / "utils" / "program_generator"))
from generator import generate  # noqa: E402
from running import EAGER, MODES, REFERENCE, Failure, Runner, differences, differences_from_eager, kind_of  # noqa: E402
from scope import FEATURES  # noqa: E402
from shrinking import shrink  # noqa: E402


class Difference:
    def __init__(self, kind, text):
        self.kind, self.text = kind, text


def observe(runner, programs, modes, options):
    """For each program the modes that differ from the reference, each with what differs. None for a program that does
    not compile."""
    def one_by_one():
        middle = len(programs) // 2
        return observe(runner, programs[:middle], modes, options) + observe(runner, programs[middle:], modes, options)

    order = runner.prepare(programs, options.repeat)
    try:
        reference = runner.run(REFERENCE)
    except Failure as failure:
        if len(programs) > 1:
            return one_by_one()
        return [None if failure.refused else {REFERENCE: Difference(failure.kind, str(failure))}]
    suspects, found = set(), [{} for _ in programs]
    for mode in modes:
        try:
            other = runner.run(mode)
        except Failure as failure:
            if len(programs) > 1:
                return one_by_one()
            found[0][mode] = Difference(failure.kind, str(failure))
            continue
        for i in (differences_from_eager if mode == EAGER else differences)(reference, other):
            if len(programs) > 1:
                suspects |= set(programs if i is None else [order[i][0]])
            elif i is None:
                found[0].setdefault(mode, Difference("said: " + " ".join(other[1].split("error:")[-1:])[:80], other[1]))
            else:
                a, b = reference[0][i], other[0][i]
                call = "what is left behind" if order[i][1] is None else f"call {order[i][1]}"
                found[0].setdefault(mode, Difference(kind_of(a, b), f"{call}: {a}\n{'':{len(mode)}}  not {b}"))
    if suspects:  # again alone: what others left behind may have misled
        for i, program in enumerate(programs):
            if program in suspects:
                found[i] = observe(runner, [program], modes, options)[0]
    return found


def summary(found):
    """`KIND (MODES)` for each kind of difference."""
    kinds = {}
    for mode, difference in found.items():
        kinds.setdefault(difference.kind, []).append(mode)
    return "\n".join(f"{kind} ({', '.join(modes)})" for kind, modes in kinds.items())


def report(seed, program, found, runner, options):
    """Makes the program smaller, keeps it, and returns what to say of it."""
    mode, difference = next(iter(found.items()))
    few = [mode] if mode != REFERENCE else []

    def interesting(candidate):
        again = observe(runner, [candidate], few, options)[0]
        return bool(again) and mode in again and again[mode].kind == difference.kind
    small = shrink(program, interesting, options.tries) if options.tries else program
    found = observe(runner, [small], options.modes, options)[0] or found
    place = pathlib.Path(options.keep) / f"seed-{seed}"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    runner.prepare([small], options.repeat)
    shutil.copy(runner.program, place)
    shutil.copy(runner.inputs, place)
    (place / "original.py").write_text(program.text())
    commands = []
    for mode in dict.fromkeys([REFERENCE, *found]):
        commands.append(f"# {mode}\n" + " ".join(runner.command(mode)).replace(str(runner.scratch), str(place)) + f" --observe {place}/{mode}.pt")
        try:
            calls, said = runner.run(mode)
            (place / f"{mode}.txt").write_text(said + pprint.pformat(calls, width=160))
        except Failure as failure:
            (place / f"{mode}.txt").write_text(str(failure))
    (place / "commands.txt").write_text("\n".join(commands) + "\n")
    (place / "found.txt").write_text("\n".join(f"{mode}: {each.text}" for mode, each in found.items()) + "\n")
    return summary(found), f"-- seed {seed}, in {place}\n{small.text()}{len(small.calls)} calls: {repr(small.calls)[:300]}\n{summary(found)}"


def work(job):
    """One batch of seeds, by a process of its own."""
    options, seeds = job
    with tempfile.TemporaryDirectory() as scratch:
        runner = Runner(options.tsc_run, scratch, options.timeout, options.python)
        programs = [generate(seed, options.features, f"p{i}_") for i, seed in enumerate(seeds)]
        found = observe(runner, programs, options.modes, options)
        told = [report(seed, generate(seed, options.features, "p_"), what, runner, options) for seed, what in zip(seeds, found) if what]
        uncompiled = [seed for seed, what in zip(seeds, found) if what is None]
        runner.close()
    return len(seeds), told, uncompiled


def batches(options):
    start = time.monotonic()
    seed = options.seed
    while (not options.count or seed < options.seed + options.count) and (not options.seconds or time.monotonic() - start < options.seconds):
        end = min(seed + options.batch, options.seed + options.count) if options.count else seed + options.batch
        yield options, range(seed, end)
        seed = end


def main():
    features = "\n".join(f"  {name:16} {what}" for name, what in FEATURES.items())
    parser = argparse.ArgumentParser(description=__doc__, epilog=f"features:\n{features}\n\nmodes: {', '.join(MODES)}",
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0, help="the first program's seed; the next has the next number")
    parser.add_argument("--count", type=int, default=0, help="programs at most; default 1000, or no limit with --seconds")
    parser.add_argument("--seconds", type=float, default=0, help="begin no further batch after so long")
    parser.add_argument("--tsc-run", type=pathlib.Path, default=SOURCE / "build/release/bin/tsc-run", metavar="FILE")
    parser.add_argument("--python", metavar="FILE", help="a Python that has PyTorch, whose eager mode is compared too")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", default="random-programs", metavar="DIR", help="where to write what differs (default: %(default)s)")
    parser.add_argument("--modes", default=",".join(mode for mode in MODES if mode != REFERENCE), help="those to compare with -O0, with commas between")
    parser.add_argument("--without", default="", metavar="FEATURES", help="what programs are not to hold, with commas between")
    parser.add_argument("--batch", type=int, default=20, help="programs that share a process (default: %(default)s)")
    parser.add_argument("--repeat", type=int, default=1, help="times each program's calls are made (default: %(default)s)")
    parser.add_argument("--tries", type=int, default=800, help="to make a program smaller; 0: leave it (default: %(default)s)")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one run (default: %(default)s)")
    parser.add_argument("--show", action="store_true", help="print the programs of the seeds and stop")
    options = parser.parse_args()
    options.count = options.count or (0 if options.seconds else 1000)
    without = [name for name in options.without.split(",") if name]
    options.modes = [mode for mode in options.modes.split(",") if mode]
    if options.python:  # which knows neither 64 bits, nor our random numbers, nor results left out because nobody uses them
        options.modes.append(EAGER)
        without += ["big-ints", "random", "unchecked", "unused"]
    for names, known in ((without, FEATURES), (options.modes, {**MODES, EAGER: []})):
        for name in names:
            if name not in known:
                parser.error(f"'{name}' is not one of {', '.join(known)}")
    options.features = [name for name in FEATURES if name not in without]
    if options.show:
        for seed in range(options.seed, options.seed + options.count):
            print(f"# seed {seed}\n{generate(seed, options.features, 'p_').text()}")
        return
    if not options.tsc_run.exists():
        parser.error(f"there is no '{options.tsc_run}'")

    programs = different = uncompiled = 0
    kinds = {}
    jobs = batches(options)
    with concurrent.futures.ProcessPoolExecutor(options.jobs, multiprocessing.get_context("fork")) as pool:
        running = set()
        while True:
            while len(running) < options.jobs and (job := next(jobs, None)):
                running.add(pool.submit(work, job))
            if not running:
                break
            done, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                count, told, refused = future.result()
                programs, different, uncompiled = programs + count, different + len(told), uncompiled + len(refused)
                for kind, text in told:
                    kinds[kind] = kinds.get(kind, 0) + 1
                    print(text, end="\n\n", flush=True)
                print(f"{programs} programs, {different} differences, {uncompiled} do not compile", file=sys.stderr, flush=True)
    for kind, number in sorted(kinds.items(), key=lambda item: -item[1]):
        print(f"{number:5} times: {kind}")
    if uncompiled:
        print(f"{uncompiled} programs do not compile and were not compared")
    print(f"{programs} programs, {different} differences")
    sys.exit(bool(different) or not programs)


if __name__ == "__main__":
    main()
