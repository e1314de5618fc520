# RUN: rm -rf %t && mkdir -p %t/package && %python %s tsc-lsp %t

# Modules: their files are run to be compiled, and names are followed into the files that are imported.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from client import Client, check

LAYERS = '''import torch
from torch import nn

LIMIT = 3


class Block(nn.Module):
    """A block."""

    def __init__(self, n: int):
        super().__init__()
        self.fc = nn.Linear(n, n)

    def forward(self, x):
        return self.fc(x)


def helper(x: int) -> int:
    """Helps."""
    return x
'''

TEXT = '''import torch
from torch import nn
import torch.nn.functional as F
import layers
from layers import Block, helper as h
from package.deep import deepest


class Net(nn.Module):
    def __init__(self, hidden: int = 16):
        super().__init__()
        self.fc = nn.Linear(8, hidden)
        self.scale = 2.0

    def encode(self, x):
        y = self.fc(x) * self.scale
        return F.relu(y)

    def forward(self, x):
        return self.encode(x)


class Other(Block):
    def g(self):
        h(3)
        layers.helper
        deepest(1)
        return self.fc


model = Net()
result = model(torch.rand(2, 8))
'''

root = sys.argv[2]
with open(root + "/layers.py", "w") as file:
    file.write(LAYERS)
with open(root + "/package/deep.py", "w") as file:
    file.write("def deepest(n: int) -> int:\n    return n\n")
client = Client(sys.argv[1], root)
client.initialize()
uri = client.open("a.py", TEXT)
client.compiled(uri)


def hovers(marker, offset, *expected):
    said = client.hover(uri, marker, offset)
    check(f"hover {marker!r}", said and all(text in said for text in expected), said)


hovers("self.fc(x)", 6, "fc: torch.nn.Linear")
hovers("self.encode(", 8, "def encode(self, x) -> Tensor")
hovers("self.scale", 6, "scale: float")
hovers("y = self", 0, "y: Tensor")
hovers("nn.Linear", 4, "class Linear(in_features, out_features")
hovers("Block)", 1, "class Block(nn.Module)", "A block.")
hovers("model(", 1, "model: Net")
hovers("h(3)", 0, "def helper(x: int) -> int", "Helps.")
hovers("hidden)", 0, "hidden: int")


def defined(marker, offset, name, text, target, target_offset):
    location = client.at("definition", uri, marker, offset)
    before = text[:text.index(target) + target_offset]
    start = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
    check(f"definition of {marker!r}", location and location["uri"].endswith("/" + name) and
          location["range"]["start"] == start, location)


defined("self.fc(x)", 6, "a.py", TEXT, "self.fc = ", 5)
defined("Block)", 2, "layers.py", LAYERS, "class Block", 6)
defined("layers.helper", 9, "layers.py", LAYERS, "def helper", 4)
defined("helper as", 2, "layers.py", LAYERS, "def helper", 4)
defined("layers import", 2, "layers.py", LAYERS, "import", 0)
defined("h(3)", 0, "layers.py", LAYERS, "def helper", 4)
defined("self.fc\n", 6, "layers.py", LAYERS, "self.fc", 5)
defined("deepest(1)", 0, "deep.py", "def deepest", "def deepest", 4)

# The other file as the editor has it, which the disk has not.
other = client.open("layers.py", "\n\n" + LAYERS)
defined("h(3)", 0, "layers.py", "\n\n" + LAYERS, "def helper", 4)

members = client.labels(uri, "self.fc(x)", 5)
check("completion of a module's attributes", {"fc", "scale", "encode", "parameters", "forward"} <= set(members), members)
broken = TEXT.replace("return self.fc\n", "return self.\n")
client.change(uri, broken)
check("a text that does not parse is said to be wrong", len(client.compiled(uri)) == 1)
members = client.labels(uri, "return self.\n", 12)
check("inherited attributes, in a text that does not parse", {"fc", "g", "parameters"} <= set(members) and
      "encode" not in members, members)
check("types are those of the last text that did", "y: Tensor" in client.hover(uri, "y = self"))
check("completion of an import's names", client.labels(uri, "import Block", 9) == ["Block"])
check("completion of an import's modules", client.labels(uri, "from layers", 8) == ["layers"])
check("completion of a library's modules", client.labels(uri, "torch.nn.functional", 10) == ["functional"])
graph = client.request("workspace/executeCommand", {"command": "tsc.showGraph", "arguments": [uri, "Net.forward"]})
check("a text that does not parse has no graphs", "error" in graph)
client.change(uri, TEXT)
graph = client.request("workspace/executeCommand", {"command": "tsc.showGraph", "arguments": [uri, "Net.forward"]})
check("the graph of a module's method", 'prim::CallMethod[name="encode"]' in graph, graph)

# A file that never ends is stopped, and answers do not wait for it.
client.change(uri, TEXT + "while True:\n    pass\n")
check("hover while a file runs", client.hover(uri, "y = self") is not None)
check("a file that does not end", any("steps" in d["message"] for d in client.compiled(uri)), client.diagnostics[uri])
check("the server ends", client.stop() == 0)
