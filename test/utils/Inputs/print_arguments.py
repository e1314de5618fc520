"""Stands for utils/run_tests.py: prints its arguments, and ends with the status in TESTS."""
import os
import sys

print("run_tests.py", *sys.argv[1:])
sys.exit(int(os.environ.get("TESTS", "0")))
