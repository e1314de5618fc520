#!/usr/bin/env python3
"""What a build costs, by file and by header.

usage: build_costs.py BUILD_FOLDER [--targets tsc-run,tsc-opt] [--every N] [--top 20] [--jobs N]

Each source of the targets is compiled once more, without a cache and to nowhere, under clang's -ftime-trace; with
--every N, each Nth of them in the order of the build. It prints processor seconds: of all files, of their front end
(parsing, templates) and back end, the dearest files, the dearest headers (the time in which one is read wherever it is
included, with what it includes itself), and the dearest sets of templates. Nothing in the build folder changes.

  build_costs.py BUILD_FOLDER --slow SECONDS

prints instead, from ninja's log, which files took longer than that when they were last compiled there.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile


def compile_commands(folder, targets):
    """Yields the arguments of each compilation of the targets, without those of the cache."""
    done = subprocess.run(["ninja", "-C", folder, "-t", "commands", *targets], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"error: ninja doesn't know what to build in {folder}: {(done.stderr or done.stdout).strip()}")
    for line in done.stdout.splitlines():
        words = shlex.split(line) if " -c " in line else []
        if "-c" in words and "-o" in words:
            while words and not re.search(r"clang(\+\+)?(-\d+)?$", words[0]):
                words.pop(0)  # the cache
            if words:
                yield words


def measure(folder, words):
    """Processor seconds of one compilation, and what clang says of them."""
    words = list(words)
    source = words[words.index("-c") + 1]
    with tempfile.TemporaryDirectory() as scratch:
        words[words.index("-o") + 1] = f"{scratch}/o.o"
        if "-MF" in words:
            words[words.index("-MF") + 1] = f"{scratch}/o.d"
        process = subprocess.Popen(words + [f"-ftime-trace={scratch}/t.json"], cwd=folder, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            return source, None, []
        events = json.loads(pathlib.Path(f"{scratch}/t.json").read_text())["traceEvents"]
    return source, usage.ru_utime + usage.ru_stime, events


def total(events, name):
    return sum(e["dur"] for e in events if e["name"] == f"Total {name}") / 1e6


def add_headers(events, headers):
    """Adds the time of each header of one compilation. clang writes a header's begin and end events next to each other."""
    begun = None
    for event in events:
        if event["name"] != "Source":
            continue
        if event["ph"] == "b":
            begun = event
        elif event["ph"] == "e" and begun:
            times = headers[begun["args"]["detail"]]
            times[0] += (event["ts"] - begun["ts"]) / 1e6
            times[1] += 1


def short(path):
    """A header as an #include names it."""
    path = os.path.normpath(path)
    return re.sub(r"^.*?/(?=(include|lib|utils|tools|unittests)/)|^.*/include/(c\+\+/\d+/)?", "", path)


def print_slow(folder, seconds):
    """Files that took long, by ninja's log: its last line about an output holds."""
    log = pathlib.Path(folder, ".ninja_log")
    if not log.is_file():
        sys.exit(f"error: {log} doesn't exist; nothing was built in {folder}")
    times = {}
    for line in log.read_text().splitlines():
        parts = line.split("\t")
        if len(parts) == 5 and parts[3].endswith(".o"):
            times[parts[3]] = (int(parts[1]) - int(parts[0])) / 1000
    slow = sorted(((t, name) for name, t in times.items() if t > seconds), reverse=True)
    for time, name in slow:
        print(f"{time:6.1f} s  {re.sub(r'CMakeFiles/[^/]*/', '', name)[:-2]}")
    print(f"{len(slow)} of {len(times)} files took more than {seconds:g} s to compile")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--targets", default="tsc-run,tsc-opt")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--top", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--slow", type=float)
    options = parser.parse_args()
    if options.slow is not None:
        return print_slow(options.folder, options.slow)

    commands = list(compile_commands(options.folder, options.targets.split(",")))[::options.every]
    files, headers, templates = [], collections.defaultdict(lambda: [0.0, 0]), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for n, (source, seconds, events) in enumerate(pool.map(lambda c: measure(options.folder, c), commands)):
            print(f"\r{n + 1}/{len(commands)}", end="", file=sys.stderr)
            if seconds is None:
                print(f"\nwarning: {source} doesn't compile", file=sys.stderr)
                continue
            files.append((seconds, total(events, "Frontend"), total(events, "Backend"), total(events, "Source"), source))
            add_headers(events, headers)
            for event in events:
                if event["name"].startswith("Instantiate") and event["ph"] == "X":
                    templates[re.sub(r"<.*", "<…>", event["args"]["detail"])] += event["dur"] / 1e6
    print(file=sys.stderr)
    if not files:
        sys.exit("error: nothing was compiled")

    print(f"{len(files)} files: {sum(f[0] for f in files):.0f} s of processor time, "
          f"{sum(f[1] for f in files):.0f} s front end, of which {sum(f[3] for f in files):.0f} s in headers, "
          f"{sum(f[2] for f in files):.0f} s back end")
    print(f"\n{'seconds':>8} {'front':>6} {'back':>6}  file")
    for seconds, front, back, _, source in sorted(files, reverse=True)[:options.top]:
        print(f"{seconds:8.1f} {front:6.1f} {back:6.1f}  {short(source)}")
    print(f"\n{'seconds':>8} {'times':>6} {'each':>6}  header")
    for name, (seconds, count) in sorted(headers.items(), key=lambda h: -h[1][0])[:options.top]:
        print(f"{seconds:8.1f} {count:6} {seconds / count:6.2f}  {short(name)}")
    print(f"\n{'seconds':>8}  template")
    for name, seconds in templates.most_common(options.top):
        print(f"{seconds:8.1f}  {name}")


if __name__ == "__main__":
    main()
