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
                                      timeout=SECONDS, preexec_fn=None if IS_SANITIZED else limited)
            except subprocess.TimeoutExpired:
                bad += 1
                print(name, mode, "did not end", flush=True)
                continue
            said = REMARK.sub("", done.stderr)
            if done.returncode != 1 or not said.startswith("tsc-run: error: "):
                bad += 1
                print(name, mode, "ended with", done.returncode, done.stdout[:200], done.stderr[:300], flush=True)
    sys.exit(bad != 0)


main()
