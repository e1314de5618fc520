#!/usr/bin/env python3
"""Compares the losses that a training run prints, `step N loss X`, with those given, relatively.

usage: compare_losses.py TOLERANCE STEP=LOSS... < OUTPUT
"""
import sys


def main():
    tolerance = float(sys.argv[1])
    found = {line.split()[1]: float(line.split()[3]) for line in sys.stdin if line.startswith("step ")}
    bad = 0
    for step, _, loss in (argument.partition("=") for argument in sys.argv[2:]):
        if step not in found or not abs(found[step] - float(loss)) <= tolerance * float(loss):
            print(f"step {step}: expected {loss}, found {found.get(step)}")
            bad += 1
    sys.exit(bad > 0)


main()
