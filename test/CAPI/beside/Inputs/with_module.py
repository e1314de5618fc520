"""Runs a script with the Python that runs this, once for each order of loading: SCRIPT LIBTSC FOLDER."""
import os
import pathlib
import subprocess
import sys

ORDERS = ("first", "last", "global")  # libtsc before the module, after it, and before it for all to see
PYTHON_MODULE = pathlib.Path(__file__).resolve().parents[4] / "examples/python"

script, library, folder = sys.argv[1:]
environment = {**os.environ, "TSC_LIBRARY": library, "PYTHONPATH": str(PYTHON_MODULE), "OMP_NUM_THREADS": "3"}
pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
failed = False
for order in ORDERS:
    ended = subprocess.run([sys.executable, script, order, folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           timeout=600, env=environment)
    is_right = ended.returncode == 0 and ended.stdout.endswith("all as expected\n")
    failed |= not is_right
    print(f"libtsc {order}: {'right' if is_right else f'wrong, exit status {ended.returncode}'}")
    if not is_right:
        print(ended.stdout)
print("some are wrong" if failed else "all as expected")
sys.exit(failed)
