"""Runs a script with the first python3 of PATH that has a module, once for each order of loading; without one, says that
it is skipped: MODULE SCRIPT LIBTSC FOLDER."""
import os
import pathlib
import subprocess
import sys

ORDERS = ("first", "last", "global")  # libtsc before the module, after it, and before it for all to see
PYTHON_MODULE = pathlib.Path(__file__).resolve().parents[4] / "examples/python"


def has(python, module):
    code = f"import importlib.util as u, sys; sys.exit(u.find_spec({module!r}) is None)"
    return os.access(python, os.X_OK) and subprocess.run([python, "-c", code], stderr=subprocess.DEVNULL).returncode == 0


module, script, library, folder = sys.argv[1:]
environment = {**os.environ, "TSC_LIBRARY": library, "PYTHONPATH": str(PYTHON_MODULE), "OMP_NUM_THREADS": "3"}
pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
places = [os.path.join(place, "python3") for place in os.environ["PATH"].split(os.pathsep)]
python = next((place for place in places if has(place, module)), None)
if python is None:
    print(f"skipped: no python3 of PATH has the module {module}")
    sys.exit(0)
failed = False
for order in ORDERS:
    ended = subprocess.run([python, script, order, folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           timeout=600, env=environment)
    is_right = ended.returncode == 0 and ended.stdout.endswith("all as expected\n")
    failed |= not is_right
    print(f"{module}, libtsc {order}: {'right' if is_right else f'wrong, exit status {ended.returncode}'}")
    if not is_right:
        print(ended.stdout)
print("some are wrong" if failed else "all as expected")
sys.exit(failed)
