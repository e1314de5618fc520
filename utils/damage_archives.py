#!/usr/bin/env python3
"""Run tsc-run over damaged copies of archives: none may crash it, hang it or take much memory.

usage: damage_archives.py TSC_RUN [--per-archive N] [--seed N] ARCHIVE...

Each archive is cut short, loses a stretch, has bits flipped, bytes overwritten and numbers blown up; then its pickle and
its code are damaged inside of a zip file whose checksums are right, where the damage gets further. A run must end by
itself, with exit status 0, 1 or 2, and say something when it is not 0. Prints how many copies ran and what went wrong.
"""
import argparse
import collections
import io
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import zipfile

SECONDS, ADDRESS_SPACE = 20, 4 << 30


def cut(data, rng):
    return data[:rng.randrange(len(data))]


def drop(data, rng):
    start = rng.randrange(len(data))
    return data[:start] + data[start + rng.randrange(1, 64):]


def flip(data, rng):
    copy = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 4, 32))):
        copy[rng.randrange(len(copy))] ^= 1 << rng.randrange(8)
    return bytes(copy)


def overwrite(data, rng):
    copy, start = bytearray(data), rng.randrange(len(data))
    fill = rng.choice((b"\xff" * 8, b"\0" * 8, b"\x7f\xff\xff\xff", bytes(rng.randrange(256) for _ in range(16))))
    copy[start:start + len(fill)] = fill
    return bytes(copy)


def repeat(data, rng):
    start, length = rng.randrange(len(data)), rng.randrange(1, 64)
    return data[:start] + data[start:start + length] * rng.choice((2, 100, 10000)) + data[start + length:]


DAMAGES = (cut, drop, flip, overwrite, repeat)


def inside(data, rng):
    """The archive with one entry damaged, and checksums that are right."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = [(name, archive.read(name)) for name in archive.namelist()]
    victims = [i for i, (name, contents) in enumerate(entries) if contents and name.endswith((".pkl", ".py", "version"))]
    victim, out = rng.choice(victims), io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for i, (name, contents) in enumerate(entries):
            archive.writestr(name, rng.choice(DAMAGES)(contents, rng) if i == victim else contents)
    return out.getvalue()


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))


def wrong_with(command, limited):
    """What is wrong with how a run ended, or None."""
    try:
        run = subprocess.run(command, capture_output=True, timeout=SECONDS, preexec_fn=limit if limited else None)
    except subprocess.TimeoutExpired:
        return f"no end after {SECONDS} s"
    if run.returncode not in (0, 1, 2):
        return f"exit status {run.returncode}"
    if run.returncode and not run.stderr.strip():
        return "failed without a word"
    if b"bad_alloc" in run.stderr or b"terminate called" in run.stderr:
        return "an exception"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", type=pathlib.Path)
    parser.add_argument("--per-archive", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--unlimited", action="store_true", help="no limit of address space: for tools with sanitizers")
    parser.add_argument("archives", type=pathlib.Path, nargs="+")
    options = parser.parse_intermixed_args()
    findings, outcomes = [], collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number, path in enumerate(options.archives):
            rng, data = random.Random(f"{options.seed}/{number}"), path.read_bytes()
            for index in range(options.per_archive):
                damaged = inside(data, rng) if index % 2 else rng.choice(DAMAGES)(data, rng)
                copy = pathlib.Path(folder) / f"{path.parent.name}-{index}.pt"
                copy.write_bytes(damaged)
                calls = path.with_name("io.pt")
                command = [options.tool, copy, *(["--inputs", calls] if calls.exists() and index % 4 < 2 else ["--check-only"])]
                wrong = wrong_with(command, not options.unlimited)
                outcomes[wrong or "sound"] += 1
                if wrong:
                    kept = pathlib.Path(tempfile.gettempdir()) / copy.name
                    kept.write_bytes(damaged)
                    findings.append(f"{kept}: {wrong}: {' '.join(map(str, command[2:]))}")
                copy.unlink()
    print(*findings, f"{sum(outcomes.values())} damaged archives: {dict(outcomes)}", sep="\n")
    sys.exit(bool(findings))


main()
