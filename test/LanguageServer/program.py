# RUN: %python %s tsc-lsp

# A file of functions and classes: what is said of each kind of name, and where each stands.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from client import Client, check

TEXT = '''import torch
import torch.nn.functional as F
from typing import List, Optional


class Point:
    """A place."""
    x: int

    def __init__(self, x: int, y: int):
        self.x = x
        self.y = y

    def norm(self) -> float:
        """How far it is."""
        return float(self.x * self.x + self.y * self.y) ** 0.5


def scale(t: torch.Tensor, by: float = 2.0, names: Optional[List[str]] = None):
    """Multiplies."""
    p = Point(1, 2)
    d = p.norm()
    soft = torch.softmax(t, dim=-1)
    again = F.relu(soft) * by
    s = "größe 😀" + str(d)
    return again.reshape([-1]), s


def use(t):
    r, s = scale(t, by=3.0)
    q = r.shape
    count = 0
    for i in range(3):
        count += i
    return s.upper(), q, count, torch.linalg.norm(r)
'''

client = Client(sys.argv[1])
capabilities = client.initialize()["capabilities"]
check("positions are counted in UTF-16", capabilities["positionEncoding"] == "utf-16")
uri = client.open("a.py", TEXT)
check("a program that is right has no diagnostics", client.compiled(uri) == [], client.diagnostics)


def hovers(marker, offset, *expected, occurrence=1):
    said = client.hover(uri, marker, offset, occurrence)
    check(f"hover {marker!r}", said and all(text in said for text in expected), said)


hovers("p.norm", 2, "def norm(self) -> float", "How far it is.")
hovers("torch.softmax", 7, "aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
       "one of 2 overloads", "Exponentials that sum to one along a dimension.")
hovers("F.relu", 3, "def relu(input: Tensor, inplace: bool = False) -> Tensor")
hovers("F.relu", 0, "(module) torch.nn.functional")
hovers("linalg.norm", 8, "aten::linalg_norm")
hovers("soft = ", 0, "soft: Tensor")
hovers("by\n", 0, "by: float")
hovers("names:", 0, "names: Optional[List[str]]")
hovers("Point(1", 0, "class Point", "A place.")
hovers("s.upper", 2, "aten::upper(str self) -> str")
hovers("r.shape", 3, "shape: List[int]")
hovers("def scale", 5, "-> Tuple[Tensor, str]", "Multiplies.")
hovers("self.y", 5, "y: int")
hovers("r, s = ", 0, "r: Tensor")
hovers("r, s = ", 3, "s: str")
hovers("count += i", 0, "count: int")
hovers("count += i", 9, "i: int")
hovers("str(d)", 0, "(builtin) str")
check("nothing is said of a comment's, string's or number's place", client.hover(uri, "A place") is None)


def defined(marker, offset, target, target_offset=0, occurrence=1):
    location = client.at("definition", uri, marker, offset, occurrence)
    check(f"definition of {marker!r}", location and location["uri"] == uri and
          location["range"]["start"] == client.place(uri, target, target_offset), location)


defined("p.norm", 2, "def norm", 4)
defined("scale(t, by=", 0, "def scale", 4)
defined("Point(1", 0, "class Point", 6)
defined("self.y * ", 5, "self.y = y", 5)
defined("again.reshape", 0, "again = ")
defined("t, dim", 0, "t: torch")
defined("d = p", 4, "p = Point")
defined("F.relu", 0, "F\nfrom")
check("an operator has no text to go to", client.at("definition", uri, "torch.softmax", 7) is None)

# Characters beyond the basic plane are two units: what comes behind one on its line is found.
defined('str(d)', 4, "d = p.norm")
place = client.place(uri, "str(d)", 4)
check("the place counts two units for one of them", place["character"] == len('    s = "größe 😀" + str(') + 1, place)

check("completion of a module", client.labels(uri, "torch.softmax", 11) == ["softmax"])
check("completion of functions", "relu" in client.labels(uri, "F.relu", 2) and
      "capitalize" not in client.labels(uri, "F.relu", 2))
check("completion of attributes", client.labels(uri, "self.x * ", 5) == ["norm", "x", "y"])
check("completion of an object", client.labels(uri, "p.norm", 2) == ["norm", "x", "y"])
methods = client.labels(uri, "r.shape", 2)
check("completion of a tensor", {"shape", "matmul", "sum", "dtype"} <= set(methods) and "upper" not in methods)
check("completion of a string", client.labels(uri, "s.upper", 4) == ["upper"])
names = client.labels(uri, "soft) ", 2)
check("completion of names", "soft" in names and "sorted" in names)
check("names of other functions are none", "count" not in client.labels(uri, "again = ", 0))
check("completion of keywords", "while" in client.labels(uri, "count = 0", 0))
check("completion of arguments", "names=" in client.labels(uri, "by=3.0", 0))
items = client.at("completion", uri, "torch.softmax", 13)["items"]
resolved = client.request("completionItem/resolve", items[0])
check("documentation of an item", "aten::softmax.int" in resolved["documentation"] and
      "sum to one" in resolved["documentation"], resolved)

help = client.at("signatureHelp", uri, "dim=-1")
check("signatures of an operator", help["activeParameter"] == 1 and help["signatures"][help["activeSignature"]][
    "parameters"][1]["label"] == "int dim", help)
help = client.at("signatureHelp", uri, "3.0", 3)
check("an argument by name", help["signatures"][0]["parameters"][help["activeParameter"]]["label"] == "by: float = 2.0")
help = client.at("signatureHelp", uri, "1, 2", 3)
check("signature of a class", [p["label"] for p in help["signatures"][0]["parameters"]] == ["x: int", "y: int"], help)

symbols = client.at("documentSymbol", uri, "import")
check("symbols", [s["name"] for s in symbols] == ["Point", "scale", "use"], symbols)
check("symbols of a class", [s["name"] for s in symbols[0]["children"]] == ["x", "__init__", "y", "norm"])

graph = client.request("workspace/executeCommand", {"command": "tsc.showGraph", "arguments": [uri, "scale"]})
check("the graph of a function", "aten::softmax" in graph and graph.startswith("graph(%t : Tensor"), graph)
graph = client.request("workspace/executeCommand",
                       {"command": "tsc.showGraph", "arguments": [uri, client.place(uri, "float(self.x")]})
check("the graph around a place", graph.startswith("graph(%self : __torch__.Point)"), graph)
refused = client.request("workspace/executeCommand", {"command": "tsc.showGraph", "arguments": [uri, "nothing"]})
check("no such function", "there are: " in refused["error"]["message"] and "use" in refused["error"]["message"])
check("the server ends", client.stop() == 0)
