# PyTorch issues 20399, 53753 and 58515: a module whose attribute is an object of a class of the file.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch
from dataclasses import dataclass
from torch import nn
from typing import Dict, List, Tuple


class Boxes:
    def __init__(self, box: torch.Tensor, size: Tuple[int, int], mode: str):
        self.size = size
        self.mode = mode
        self.box = box

    def convert(self, mode: str) -> int:
        return self.size[0] * self.size[1] if mode != self.mode else 0


class Words:
    def __init__(self, words: List[str]):
        self.places = {k: j for j, k in enumerate(words)}
        self.seen: List[str] = []

    def place(self, word: str) -> int:
        self.seen.append(word)
        return self.places[word]


@dataclass
class Settings:
    width: int
    rate: float = 0.5


class Main(nn.Module):
    settings: Settings

    def __init__(self):
        super().__init__()
        self.boxes = Boxes(torch.zeros(2), (2, 3), "xyxy")
        self.words = Words(["a", "b"])
        self.same = self.words
        self.settings = Settings(4)
        self.unread = lambda x: x

    def forward(self) -> None:
        for i in range(10):
            print(self.boxes.convert("xywh"), self.boxes.convert("xyxy"), self.boxes.box)
            print(self.words.place("b"), self.same.place("a"), len(self.words.seen))
            self.settings.width += 1
            print(self.settings, self.settings.rate * 2)


main = Main()

# What Python prints:
# CHECK: 6 0 tensor([0., 0.])
# CHECK-NEXT: 1 0 2
# CHECK-NEXT: Settings(width=5, rate=0.5) 1.0
# CHECK: 1 0 20
# CHECK-NEXT: Settings(width=14, rate=0.5) 1.0
