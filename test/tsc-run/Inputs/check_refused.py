"""Calls each function of a program in several tiers; each must fail with a message, none may end the process.

usage: check_refused.py TSC_RUN PROGRAM
"""
import re
import resource
import subprocess
import sys

MODES = ["-O0", "--compile=eager", "-O3 --compile=eager"]


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))


def main():
    tool, program = sys.argv[1:]
    bad = 0
    for name in re.findall(r"^def (\w+)\(\)", open(program).read(), re.M):
        for mode in MODES:
            done = subprocess.run([tool, program, "--entry", name, *mode.split()], capture_output=True, text=True, timeout=120,
                                  preexec_fn=limited if "sanitize" not in tool and "asan" not in tool else None)
            if done.returncode != 1 or not done.stderr.startswith("tsc-run: error: "):
                bad += 1
                print(name, mode, "ended with", done.returncode, done.stdout[:200], done.stderr[:300])
    sys.exit(bad != 0)


main()
