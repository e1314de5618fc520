#!/usr/bin/env python3
"""Runs ninja and shows how far it is: a bar on a terminal, elsewhere a line for each tenth.

usage: build_progress.py NINJA_ARGUMENT...

What compilers say is printed as it comes; the exit status is ninja's. NINJA_STATUS is set here.
"""
import os
import re
import shutil
import subprocess
import sys
import time


def clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


class Bar:
    """The steps that are done, of how many, and what time the rest takes if it goes on like this."""

    def __init__(self):
        self.begin, self.shown, self.done, self.all = time.monotonic(), -1, 0, 0
        self.is_terminal = sys.stdout.isatty()

    def text(self):
        elapsed = time.monotonic() - self.begin
        part = self.done / self.all
        left = f", about {clock(elapsed / part - elapsed)} left" if self.done and elapsed > 3 else ""
        full = int(30 * part)
        return f"[{'#' * full}{'.' * (30 - full)}] {self.done}/{self.all}  {clock(elapsed)}{left}"

    def show(self, done, all_steps):
        self.done, self.all = done, all_steps
        if self.is_terminal:
            sys.stdout.write("\r\033[K" + self.text())
        elif (tenth := 10 * done // all_steps) > self.shown:
            self.shown = tenth
            print(self.text())
        sys.stdout.flush()

    def leave(self):
        """Makes room for other text."""
        if self.is_terminal:
            sys.stdout.write("\r\033[K")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if shutil.which("ninja") is None:
        print("error: ninja is not installed: run utils/quickstart or utils/check, which install what a build needs", file=sys.stderr)
        return 2
    bar = Bar()
    # The rules of some files have colours, which ninja takes away for a pipe.
    ninja = subprocess.Popen(["ninja", *sys.argv[1:]], stdout=subprocess.PIPE, text=True, errors="replace",
                             env={**os.environ, "NINJA_STATUS": "[%f/%t] ", "CLICOLOR_FORCE": str(int(bar.is_terminal))})
    try:
        for line in ninja.stdout:
            if step := re.match(r"\[(\d+)/(\d+)\] ", line):
                bar.show(int(step[1]), int(step[2]))
            elif not line.startswith("ninja: Entering directory"):
                bar.leave()
                print(line, end="", flush=True)
    except KeyboardInterrupt:
        pass
    finally:
        ninja.stdout.close()  # ninja must not wait for a reader
        status = ninja.wait()
        if bar.is_terminal and bar.all:
            print()
    return status


if __name__ == "__main__":
    sys.exit(main())
