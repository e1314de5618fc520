# Source programs keep tensors and text in files, which take their places when all is written; archives may not.
# RUN: rm -rf %t && mkdir -p %t
# RUN: %all_modes tsc-run %s --args '"%t"' | FileCheck %s
# RUN: %exits 1 tsc-run %s --entry read --args '"%t/absent.pt"' 2>&1 | FileCheck %s --check-prefix=ABSENT
# RUN: %exits 1 tsc-run %s --entry read --args '"%t/note.txt"' 2>&1 | FileCheck %s --check-prefix=TEXT
# RUN: tsc-run %s --entry a_list --output %t/list.pt
# RUN: %exits 1 tsc-run %s --entry read --args '"%t/list.pt"' 2>&1 | FileCheck %s --check-prefix=LIST
# RUN: %exits 1 tsc-run %s --entry write --args '"%t/no/note.txt"' 2>&1 | FileCheck %s --check-prefix=FOLDER
# RUN: %exits 1 tsc-run %s --entry save --args '"%t/no/x.pt"' 2>&1 | FileCheck %s --check-prefix=SAVE

# An archive that names the operators is refused when it gets to one, and writes nothing.
# RUN: %write_archive files %t/files.pt
# RUN: %exits 1 tsc-run %t/files.pt --args '"%t/written.txt"' 2>&1 | FileCheck %s --check-prefix=ARCHIVE
# RUN: %exits 1 tsc-run %t/files.pt --entry look --args '"%t/note.txt"' 2>&1 | FileCheck %s --check-prefix=LOOK
# RUN: not ls %t/written.txt
# ARCHIVE: error: {{.*}}tsc::write_text: this program may not read or write files; a source program may where its host lets it, an archive never
# LOOK: error: {{.*}}tsc::exists: this program may not read or write files
import torch
from pathlib import Path
from typing import Dict
from torch import Tensor

def tensors(folder: str):
    path = folder + "/x.pt"
    w = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)
    torch.save({"w": w, "column": w.detach()[:, 1], "count": torch.tensor(7)}, path)
    state = torch.load(path)
    # CHECK: ['w', 'column', 'count']
    print(list(state.keys()))
    # CHECK-NEXT: tensor([2., 4.]) 7 True
    print(state["column"], int(state["count"]), state["w"].requires_grad)
    # What was loaded can be written to, and the file stays as it is, until it is written anew from it.
    state["column"].add_(10.)
    # CHECK-NEXT: tensor([2., 4.])
    print(torch.load(path)["column"])
    torch.save(state, path)
    # CHECK-NEXT: tensor([12., 14.])
    print(torch.load(path)["column"])
    (state["w"] * state["w"]).sum().backward()
    # Tensors that shared memory still do. CHECK-NEXT: tensor({{\[\[}} 2., 24.],
    # CHECK-NEXT: [ 6., 28.]])
    print(state["w"].grad)

def text(folder: str):
    path = Path(folder + "/note.txt")
    path.write_text("one line\n")
    # CHECK-NEXT: True False
    print(path.exists(), Path(folder + "/nothing").exists())
    # CHECK-NEXT: 5
    print(path.write_text("héy\n"))
    # CHECK-NEXT: héy
    print(path.read_text())

def main(folder: str):
    tensors(folder)
    text(folder)

def read(path: str):
    # ABSENT: error: {{.*}}absent.pt': No such file or directory
    # TEXT: error: {{.*}}note.txt
    # LIST: error: {{.*}}list.pt' does not hold a dict of strings and tensors
    return torch.load(path)

def write(path: str):
    # FOLDER: error: {{.*}}cannot write '{{.*}}/no/note.txt': No such file or directory
    Path(path).write_text("text")

def save(path: str):
    # SAVE: error: {{.*}}cannot write '{{.*}}/no/x.pt': No such file or directory
    torch.save({"x": torch.ones(1)}, path)

def a_list():
    return [1, 2]
