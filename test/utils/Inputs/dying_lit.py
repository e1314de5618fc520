"""Stands for lit: runs the one whose path is in the file LIT, but dies when the test DIES is to run."""
import os
import pathlib
import sys

if any(word.endswith("/" + os.environ.get("DIES", "no test")) for word in sys.argv):
    sys.exit(1)
os.execv(sys.executable, [sys.executable, pathlib.Path(os.environ["LIT"]).read_text().strip(), *sys.argv[1:]])
