"""Fails for a kernel on vectors that a folder's CMakeLists.txt does not name, and for one that it names and that is not there.

usage: check_vectors.py FOLDER
"""
import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
words = re.sub(r"#.*", "", (folder / "CMakeLists.txt").read_text())
named = set(re.findall(r"[\w/]+\.cpp", words))
globbed = {path.relative_to(folder).as_posix() for pattern in re.findall(r"[\w/]+/\*\.cpp", words) for path in folder.glob(pattern)}
count, problems = 0, []
for path in sorted(folder.rglob("*.cpp")):
    name, target = path.relative_to(folder).as_posix(), re.search(r'^#define HWY_TARGET_INCLUDE (.*)$', path.read_text(), re.M)
    if not target:
        continue
    count += 1
    if target[1] != f'"{name}"':
        problems.append(f'{name}: HWY_TARGET_INCLUDE is {target[1]}, and not "{name}"')
    if name not in named | globbed:
        problems.append(f"{name}: CMakeLists.txt does not say how it is compiled")
# A name without a folder stands in a list to which CMake adds the folder.
problems += [f"CMakeLists.txt: there is no {name}" for name in sorted(named) if "/" in name and not (folder / name).exists()]
print(*problems, sep="\n", end="\n" if problems else "")
if not problems:
    print(count, "kernels on vectors")
sys.exit(bool(problems))
