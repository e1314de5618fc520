"""Calls each function of a program in several tiers; each must fail with a message, none may end the process.

usage: check_refused.py TSC_RUN PROGRAM [NAME...]

TSC_SANITIZE in the environment says that TSC_RUN has a sanitizer, whose shadow takes any amount of addresses.
"""
import os
import re
import resource
import subprocess
import sys

MODES = ["-O0", "--compile=eager", "-O3 --compile=eager"]
IS_SANITIZED = bool(os.environ.get("TSC_SANITIZE"))
SECONDS = 600 if IS_SANITIZED else 60
# What a sanitizer says itself of memory that is not to be had.
REMARK = re.compile(r"(?m)^==\d+==WARNING: AddressSanitizer failed to allocate .*\n")
# A sanitizer's operator new ends the process where that of a program without one throws std::bad_alloc.
NO_MEMORY = re.compile(r"(=+\n)?==\d+==ERROR: AddressSanitizer: (out of memory|requested allocation size \S+ .*exceeds maximum)")


def environment():
    """Lets a sanitizer refuse what a limit of addresses refuses other programs."""
    if not IS_SANITIZED:
        return None
    options = os.environ.get("ASAN_OPTIONS", "")
    return {**os.environ, "ASAN_OPTIONS": f"{options}:max_allocation_size_mb={6 << 10}".lstrip(":")}


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))


def main():
    tool, program, *names = sys.argv[1:]
    bad = 0
    for name in re.findall(r"^def (\w+)\(\)", open(program).read(), re.M):
        if names and name not in names:
            continue
        for mode in MODES:
            try:
                done = subprocess.run([tool, program, "--entry", name, *mode.split()], capture_output=True, text=True,
                                      timeout=SECONDS, preexec_fn=None if IS_SANITIZED else limited, env=environment())
            except subprocess.TimeoutExpired:
                bad += 1
                print(name, mode, "did not end", flush=True)
                continue
            said = REMARK.sub("", done.stderr)
            if IS_SANITIZED and NO_MEMORY.match(said):
                continue
            if done.returncode != 1 or not said.startswith("tsc-run: error: "):
                bad += 1
                print(name, mode, "ended with", done.returncode, done.stdout[:200], done.stderr[:300], flush=True)
    sys.exit(bad != 0)


main()
