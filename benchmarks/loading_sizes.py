#!/usr/bin/env python3
"""Whether loading, and the first call, cost more for each thing as an archive has more of it.

Writes archives that hold N, 2N and 4N of one thing (test/Serialization/Inputs/write_large.py), loads and calls each in a
process of its own, and prints, less what an archive of two things takes, the seconds of the processor, those in which it was
loaded, the megabytes, and by how much each of them grew when the number doubled: 2.0 is linear. A row that took hardly
anything has no ratios.

usage: loading_sizes.py [--tsc-run PATH] [--need RATIO] [--times N] [--doublings N] [--divide N] [--limit SECONDS] [--markdown]
                        [--options=…] [KIND...]

With --need, fails where the time or the memory grows by more than that at the last doubling.
"""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

from common import ROOT, find_tool

INPUTS = ROOT / "test/Serialization/Inputs/write_large.py"
LEAST_SECONDS, LEAST_MEGABYTES = 0.1, 8


def kinds():
    sys.path.insert(0, str(INPUTS.parent))
    from write_large import KINDS
    return {kind: count for kind, (count, _) in KINDS.items()}


def run(command, limit):
    """Seconds of the processor, seconds of loading, megabytes; or what went wrong."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        # A limit of the processor's time: neighbours on a shared machine only make a run longer.
        process = subprocess.Popen(["bash", "-c", f'ulimit -t {int(limit)}; exec "$@"', "bash", *command], stdout=out, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        out.seek(0)
        errors.seek(0)
        said = errors.read(300).decode(errors="replace").strip()
        lines = [json.loads(line) for line in out.read().decode().splitlines() if line.startswith("{")]
    if status or not lines:
        return f"more than {limit} s" if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL) else said.split("\n")[0] or f"status {status}"
    return usage.ru_utime + usage.ru_stime, lines[0]["load_us"] / 1e6, usage.ru_maxrss / 1024


def measure(tool, kind, count, options, folder):
    path = folder / "large.pt"
    # In a process of its own, whose memory is not counted as that of the next one.
    subprocess.run([sys.executable, INPUTS, kind, str(count), path], check=True)
    command = [tool, path, "--bench", "1", *options.options.split()]
    if kind.startswith("saved"):
        model = folder / "model.pt"
        subprocess.run([sys.executable, INPUTS, "saved-model", "1", model], check=True)
        command[1:2] = [model, "--inputs", path]
    else:
        command += ["--args", "1"]
    taken = []
    for _ in range(options.times):
        one = run(command, options.limit)
        if isinstance(one, str):
            return one, path.stat().st_size
        taken.append(one)
    return tuple(map(min, zip(*taken))), path.stat().st_size


def growth(values, least):
    """By how much each value is more than the one before it."""
    return [after / before if before >= least else None for before, after in zip(values, values[1:])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    parser.add_argument("--tsc-run")
    parser.add_argument("--need", type=float)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--doublings", type=int, default=2)
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--divide", type=int, default=1, help="begin with so many times fewer")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--options", default="", help="of tsc-run")
    options = parser.parse_args()
    tool, known, short = find_tool("tsc-run", options.tsc_run), kinds(), []
    if options.markdown:
        print("| what | how many | file, MB | processor, s | loading, s | memory, MB | growth of time | of memory |\n|---|---|---|---|---|---|---|---|")
    for kind in options.kinds or known:
        rows = []
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            base, _ = measure(tool, kind, 2, options, folder)
            counts = [known[kind] // options.divide << i for i in range(options.doublings + 1)]
            for count in counts:
                taken, size = measure(tool, kind, count, options, folder)
                if isinstance(taken, str) or isinstance(base, str):
                    short.append(f"{kind}, {count}: {taken if isinstance(taken, str) else base}")
                    break
                rows.append((size / 1e6, *(a - b for a, b in zip(taken, base))))
        if not rows:
            print(short[-1], flush=True)
            continue
        sizes, processor, loading, memory = zip(*rows)
        ratios = growth(processor, LEAST_SECONDS), growth(memory, LEAST_MEGABYTES)
        for name, grown in zip(("time", "memory"), ratios):
            if options.need and grown and grown[-1] and grown[-1] > options.need:
                short.append(f"{kind}: {name} grew by {grown[-1]:.2f}")
        texts = [", ".join(f"{ratio:.2f}" if ratio else "–" for ratio in each) for each in ratios]
        columns = (", ".join(f"{count:,}" for count in counts[:len(rows)]), ", ".join(f"{size:.1f}" for size in sizes),
                   ", ".join(f"{each:.2f}" for each in processor), ", ".join(f"{each:.2f}" for each in loading), ", ".join(f"{each:.0f}" for each in memory), *texts)
        if options.markdown:
            print(f"| {kind} | {' | '.join(columns)} |", flush=True)
        else:
            print(f"{kind:30} {columns[0]:26} {columns[1]:18} MB {columns[2]:18} s, loading {columns[3]:18} s {columns[4]:16} MB; time {columns[5]:12} memory {columns[6]}"
                  + (f"  STOPPED: {short[-1]}" if len(rows) < len(counts) else ""), flush=True)
    if short:
        sys.exit("\n".join(short))


if __name__ == "__main__":
    main()
