"""How long answers take in a large file: latency_measure.py tsc-lsp [lines]. Prints medians and maxima in milliseconds."""
import os
import statistics
import sys
import time

sys.path.insert(0, os.path.dirname(__file__))
from client import Client

PART = '''
class Layer{i}(nn.Module):
    """Layer {i}."""

    def __init__(self, width: int = 8):
        super().__init__()
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, width)
        self.scale = 2.0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = F.relu(self.first(x))
        hidden = self.second(hidden) * self.scale
        if hidden.sum() > 0:
            hidden = torch.softmax(hidden, dim=-1)
        return hidden + x


def step{i}(x: torch.Tensor, count: int) -> torch.Tensor:
    total = torch.zeros_like(x)
    for k in range(count):
        total = total + x.matmul(x.transpose(0, 1)).relu() * k
    values = [float(k) for k in range(count)]
    return total / max(values)

'''


def program(lines):
    text = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n"
    i = 0
    while text.count("\n") < lines:
        text += PART.format(i=i)
        i += 1
    return text, i


def main():
    lines = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    text, parts = program(lines)
    client = Client(sys.argv[1])
    client.initialize()
    start = time.perf_counter()
    uri = client.open("large.py", text)
    client.compiled(uri)
    print(f"{text.count(chr(10))} lines; compiled in {(time.perf_counter() - start) * 1e3:.0f} ms")
    times = {}

    def timed(name, call):
        begin = time.perf_counter()
        result = call()
        times.setdefault(name, []).append((time.perf_counter() - begin) * 1e3)
        assert result, name
        return result

    for i in range(0, parts, 3):
        at = text.index(f"class Layer{i}(")
        where = {"softmax": text.index("torch.softmax", at) + 8, "self": text.index("self.second(hidden)", at) + 5,
                 "tensor": text.index("x.matmul", at) + 2, "name": text.index("total / max", at) + 2}
        for name, offset in where.items():
            before = text[:offset]
            place = {"textDocument": {"uri": uri},
                     "position": {"line": before.count("\n"), "character": offset - before.rfind("\n") - 1}}
            timed("hover", lambda: client.request("textDocument/hover", place))
            timed("completion", lambda: client.request("textDocument/completion", place)["items"])
            timed("definition or nothing", lambda: [client.request("textDocument/definition", place)])
        # What is asked right behind a key stroke, before the text is compiled.
        edit = dict(place["position"])
        client.change(uri, edits=[{"range": {"start": edit, "end": edit}, "text": "x"}])
        place["position"]["character"] += 1
        timed("completion behind a change", lambda: [client.request("textDocument/completion", place)])
        timed("hover behind a change", lambda: [client.request("textDocument/hover", place)])
        client.change(uri, edits=[{"range": {"start": edit, "end": place["position"]}, "text": ""}])
        client.compiled(uri)
    for name, values in times.items():
        print(f"{name}: median {statistics.median(values):.2f} ms, at most {max(values):.2f} ms, {len(values)} times")
    client.stop()
    return max(statistics.median(values) for values in times.values())


if __name__ == "__main__":
    main()
