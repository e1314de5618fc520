# Enumerations in the attributes of modules, alone and in lists and dicts, also in archives.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
from torch import nn
from enum import Enum
from typing import Dict, List


class Mode(Enum):
    A = "a"
    B = "b"


class Main(nn.Module):
    def __init__(self):
        super().__init__()
        self.modes = [Mode.A, Mode.B]
        self.table = {"x": Mode.B}
        self.mode = Mode.A

    def forward(self) -> str:
        l = [Mode.B, Mode.A]
        out = ""
        for m in self.modes + l:
            out += m.value + m.name
            if m == self.mode:
                out += "!"
        return out + self.table["x"].value + self.mode.value


main = Main()

# What Python gives:
# CHECK: aA!bBbBaA!ba
