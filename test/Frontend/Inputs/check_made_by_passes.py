"""Looks at every operator of the namespace `tsc` in the operator reference: one that only passes make is refused in source,
and another one is named by the frontend or its library.

usage: check_made_by_passes.py TSC_RUN OPERATORS.md FRONTEND FOLDER
"""
import pathlib
import re
import subprocess
import sys

tool, reference, frontend, folder = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
folder.mkdir(parents=True, exist_ok=True)
texts = "".join(path.read_text() for path in sorted(frontend.rglob("*")) if path.suffix in (".py", ".cpp", ".h", ".def"))
# Operators of dictionaries whose keys are enumerations or tuples are those of others, under another name.
generic = '("dict_" + name.name())' in texts
bad = made = 0
for entry in re.split(r"^### ", reference.read_text(), flags=re.M)[1:]:
    name = re.match(r"`tsc::(\w+)", entry)
    if not name:
        continue
    traits = re.search(r"^- traits: (.*)$", entry, re.M)
    if traits and "madebypasses" in traits[1].split(", "):
        made += 1
        source = folder / f"{name[1]}.py"
        source.write_text(f"def main(x: Tensor):\n    return torch.ops.tsc.{name[1]}(x)\n")
        done = subprocess.run([tool, "--check-only", source], capture_output=True, text=True)
        if done.returncode == 0 or f"operator 'tsc::{name[1]}' is one that only passes make" not in done.stderr:
            bad += 1
            print(f"tsc::{name[1]} is not refused: {done.stderr}")
    elif not re.search(rf"tsc(\.|::){name[1]}\b", texts) and not (generic and name[1].startswith("dict_")):
        bad += 1
        print(f"tsc::{name[1]} is called neither by the frontend nor by its library: does it lack the trait MadeByPasses?")
if made == 0:
    bad += 1
    print("no operator has the trait")
sys.exit(bad != 0)
