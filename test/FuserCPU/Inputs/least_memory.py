"""Runs a command under limits on its address space, from the least that its plain form runs in upwards, and says how
often it ended other than by itself.

    least_memory.py STEPS PROGRAM ARGUMENT...

`--compile off` is appended for the plain form, `--compile eager` for the others."""

import resource
import subprocess
import sys

STEP = 1 << 20
steps, command = int(sys.argv[1]), sys.argv[2:]


def ends(mode, limit):
    """The exit status; negative for a signal."""
    return subprocess.run(
        [*command, "--compile", mode],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ).returncode


fails, least = 0, 4 << 30  # enough and too little
while least - fails > STEP:
    middle = (least + fails) // 2
    if ends("off", middle) == 0:
        least = middle
    else:
        fails = middle
print(sum(ends("eager", least + i * STEP) not in (0, 1, 2) for i in range(steps)), "of", steps, "runs were ended")
