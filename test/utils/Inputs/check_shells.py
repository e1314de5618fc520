"""Whether the shells that are installed read their completions, and what fish offers.

usage: check_shells.py COMPLETIONS FOLDER

FOLDER holds files that can be completed. A shell that is not installed is named, and not tried.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

completions, folder = (pathlib.Path(arg).resolve() for arg in sys.argv[1:])
problems, missing = [], [shell for shell in ("bash", "zsh", "fish") if not shutil.which(shell)]
home = tempfile.TemporaryDirectory()  # fish makes folders there
environment = {"PATH": os.environ["PATH"], "HOME": home.name, "LC_ALL": "C.UTF-8"}

FISH = [  # (tool, command line, a word that is offered, one that is not)
    ("tsc-run", "tsc-run --compile ", "background", "a.py"),
    ("tsc-run", "tsc-run --print-ir=", "--print-ir=optimized", "--print-ir=eager"),
    ("tsc-run", "tsc-run --inputs ", "b.pt", "a.py"),
    ("tsc-run", "tsc-run --trace=", "--trace=dir/", "--trace=b.pt"),
    ("tsc-run", "tsc-run ", "c.ir", "d.txt"),
    ("tsc-run", "tsc-run -", "-O3", "-O4"),
    ("tsc-run", "tsc-run --args ", "", "a.py"),
    ("tsc-opt", "tsc-opt -passes=cse,dce", "-passes=cse,dce-all", "-passes=cse"),
    ("tsc-opt", "tsc-opt --passes='fuse<max=8>,O", "--passes=fuse<max=8>,O2", "--passes=O2"),
    ("tsc-opt", "tsc-opt --passes='fuse<m", "", "--passes=fuse"),
    ("tsc-opt", "tsc-opt --print-changed=", "--print-changed=graph", "--print-changed=c.ir"),
    ("tsc-opt", "tsc-opt -verify", "-verify-each", "-v"),
    ("tsc-translate", "tsc-translate --diff ", "b.pt", "d.txt"),
    ("tsc-reduce", "tsc-reduce ", "b.pt", "a.py"),
    ("tsc-lsp", "tsc-lsp --", "--stdio", "a.py"),
]

for shell, pattern in (("bash", "bash/*"), ("zsh", "zsh/_*"), ("fish", "fish/*.fish")):
    files = sorted(completions.glob(pattern))
    if len(files) != 5:
        problems.append(f"{len(files)} files instead of 5 for {shell}")
    if shell not in missing:
        for file in files:
            done = subprocess.run([shell, "-n", file], capture_output=True, text=True, env=environment)
            if done.returncode or done.stderr:
                problems.append(f"{shell} -n {file.name}: {done.stderr.strip()}")

for tool, line, offered, refused in FISH if "fish" not in missing else []:
    command = ["fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", completions / "fish" / f"{tool}.fish", line]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, stdin=subprocess.DEVNULL, timeout=120)
    words = [word.split("\t")[0] for word in done.stdout.splitlines()]
    if done.returncode or done.stderr or (offered or None) not in (words or [None]) or refused in words:
        problems.append(f"fish, '{line}': {words} {done.stderr.strip()}")

if problems:
    sys.exit("\n".join(problems))
print("the shells take the completions" + (f"; not installed, and not tried: {', '.join(missing)}" if missing else ""))
