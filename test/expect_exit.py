#!/usr/bin/env python3
"""Run a command that must end with a given exit status: expect_exit.py STATUS COMMAND...; in RUN lines `%exits`."""
import subprocess
import sys

wanted, command = int(sys.argv[1]), sys.argv[2:]
status = subprocess.run(command).returncode
if status != wanted:
    sys.exit(f"exit status {status} instead of {wanted}: {' '.join(command)}")
