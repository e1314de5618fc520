# RUN: %python %s tsc-lsp

# Diagnostics as one types: their places, notes and hints, and that each change is heard.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from client import Client, check

TEXT = '''import torch


def f(x: torch.Tensor, sizes: list[int]):
    return x.matmul(sizes)


def g(x: torch.Tensor):
    s = "größe 😀"; return x + undefined
'''

client = Client(sys.argv[1])
client.initialize()
uri = client.open("bad.py", TEXT)
found = client.compiled(uri)
check("each function's error is told", [d["code"] for d in found] == ["CallDoesNotFit", "UndefinedValue"], found)
start = client.place(uri, "undefined")
check("the place of an error, behind a character of two units", found[1]["range"] == {
    "start": start, "end": {"line": start["line"], "character": start["character"] + 9}}, found[1])
check("errors are errors of tsc", all(d["severity"] == 1 and d["source"] == "tsc" for d in found))

# Incremental changes: several at once, each of the text that the one before left.
line = start["line"]
client.change(uri, edits=[
    {"range": {"start": start, "end": {"line": line, "character": start["character"] + 9}}, "text": "x"},
    {"range": {"start": {"line": 4, "character": 20}, "end": {"line": 4, "character": 25}}, "text": "x"},
    {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "# é😀\n"}])
check("mended", client.compiled(uri) == [], client.diagnostics[uri])
client.change(uri, edits=[
    {"range": {"start": {"line": 0, "character": 3}, "end": {"line": 0, "character": 5}}, "text": ""},
    {"range": {"start": {"line": 10 ** 6, "character": 5}, "end": {"line": 10 ** 9, "character": 9}},
     "text": "\ndef h():\n    return nothing\n"}])
found = client.compiled(uri)
check("text behind the end", [d["code"] for d in found] == ["UndefinedValue"] and
      found[0]["range"]["start"] == {"line": 12, "character": 11}, found)

client.change(uri, "def one(x: int):\n    return x\n\n\ndef one(x: int):\n    return two(x)\n\n\ndef two(x: str):\n    return x\n")
found = client.compiled(uri)
check("a text that is given anew", len(found) >= 1, found)

client.change(uri, "import torch\n\ndef f(x):\n    return torch.sotfmax(x, 0)\n")
found = client.compiled(uri)
check("a hint", "softmax" in found[0]["message"], found)

client.change(uri, "def f(x:\n")
found = client.compiled(uri)
check("a text that ends early", len(found) == 1 and found[0]["severity"] == 1, found)
client.close(uri)
while client.diagnostics[uri].get("version") is not None:
    client.next()
check("a text that is closed has none", client.diagnostics[uri]["diagnostics"] == [])
check("a closed text is not asked about", client.request(
    "textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}})["error"]["code"] == -32602)
check("the server ends", client.stop() == 0)
