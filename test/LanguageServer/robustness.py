# RUN: %python %s tsc-lsp

# Messages that are none, requests that come too early, too late or for nothing, and texts cut at any byte.
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from client import Client, check

client = Client(sys.argv[1])


def code_of(message):
    return message.get("error", {}).get("code")


early = client.answer(client.request_later("textDocument/hover"))
check("a request before initialize", code_of(early) == -32002, early)
client.notify("textDocument/didOpen", {"textDocument": {"uri": "file:///x.py", "text": "x"}})
client.initialize()
check("initialized twice", code_of(client.answer(client.request_later("initialize"))) == -32600)
check("an unknown method", code_of(client.answer(client.request_later("textDocument/rename"))) == -32601)
client.notify("workspace/didChangeConfiguration", {"settings": None})
client.notify("$/unknown")

for name, body, code in [("no JSON", b"{", -32700), ("bytes that are no UTF-8", b'{"id": "\xff"}', -32700),
                         ("an array", b"[]", -32600), ("a number", b"3", -32600),
                         ("no method", b'{"jsonrpc": "2.0", "id": 1}', -32600), ("deep JSON", b"[" * 100000, -32700),
                         ("nothing", b"", -32700)]:
    client.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    message = client.next()
    check(name, code_of(message) == code, message)
client.send({"jsonrpc": "2.0", "id": 5, "result": None})  # an answer that nobody asked for
client.send({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": [1]})
client.send({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": 3}})
client.send({"jsonrpc": "2.0", "id": 6, "method": "textDocument/hover", "params": None})
check("no parameters", code_of(client.answer(6)) == -32602)

# Headers that are none are skipped.
client.send_bytes(b"hello\r\n\r\nContent-Length: x\r\n\r\nContent-Length: -5\r\n\r\n")
client.send_bytes(b"Content-Type: text\r\n\r\n" + b"z" * 10000 + b"\r\n")
check("what is no header", "error" in client.request("nothing"))
large = (64 << 20) + 1
client.send_bytes(b"Content-Length: %d\r\n\r\n" % large + b" " * large)
check("a message that is too large", code_of(client.next()) == -32600)
check("the one behind it", "error" in client.request("nothing"))

TEXT = '''import torch
from torch import nn
@torch.jit.script
class Größe:
    """A 😀."""
    def __init__(self, n: int = 3, *, m: "int" = 4) -> None:
        self.n, self.m = n, m
    def get(self, x: torch.Tensor) -> torch.Tensor:
        return [y for y in x.reshape([-1,
                                      self.n])][0] if x.dim() > 2 else torch.softmax(x, dim=-1)
def f(x, y=(1, 2), **k):
    s = f"{x!r:>{y}} \\n" + r'\\' + """a
    b"""
    with torch.no_grad(): z = lambda a, b: a; w: int = 2
    return Größe(3).get(x), s
'''
uri = client.open("cut.py", TEXT)
client.compiled(uri)
data = TEXT.encode("utf-8")
pending = []
for size in range(len(data), 0, -1):
    text = data[:size].decode("utf-8", "replace")
    client.change(uri, text)
    lines = text.split("\n")
    place = {"textDocument": {"uri": uri},
             "position": {"line": len(lines) - 1, "character": len(lines[-1].encode("utf-16-le")) // 2}}
    for method in ("hover", "completion", "definition", "signatureHelp", "documentSymbol"):
        pending.append(client.request_later("textDocument/" + method, place))
    if len(pending) >= 100:
        for number in pending:
            check_message = client.answer(number)
            if "error" in check_message:
                check("an answer", False, text[-80:], check_message)
        pending = []
check("a text cut at any byte", True)
client.change(uri, TEXT)
for line in range(-1, 20):
    for character in (0, 1, 7, 10 ** 6, 2 ** 40, -1):
        for method in ("hover", "completion", "definition", "signatureHelp"):
            client.request("textDocument/" + method,
                           {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})
check("any position", True)
client.change(uri, ("a.b(" * 3000) + "\n" + "(" * 5000 + "\n" + "x." * 5000)
client.request("textDocument/completion", {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 10000}})
client.compiled(uri)
check("a text that is nested deeply", True)
client.change(uri, "class A(B):\n  def f(self):\n    return self.x\nclass B(A):\n  pass\nx = y\ny = x\nx.z\n")
client.compiled(uri)
for place in ((2, 17), (7, 3), (7, 1), (0, 9)):
    for method in ("hover", "completion", "definition"):
        client.request("textDocument/" + method, {"textDocument": {"uri": uri},
                                                  "position": {"line": place[0], "character": place[1]}})
check("names that mean each other", True)

# A request that is cancelled before its turn; one that is not there.
client.send_bytes(b"".join(b"Content-Length: %d\r\n\r\n" % len(b) + b for b in [
    b'{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "late"}}',
    b'{"jsonrpc": "2.0", "id": "late", "method": "textDocument/hover", "params": {}}']))
check("a cancelled request", code_of(client.answer("late")) == -32800)
client.notify("$/cancelRequest", {"id": 123456})
client.notify("$/cancelRequest", [])

check("shutdown", client.request("shutdown") is None)
check("a request behind it", code_of(client.answer(client.request_later("textDocument/hover"))) == -32600)
client.notify("exit")
check("the end", client.process.wait(timeout=60) == 0)

for name, sent, status in [("the stream ends", b"", 1), ("within a header", b"Content-Len", 1),
                           ("within a message", b"Content-Length: 100\r\n\r\n{", 1),
                           ("within one of any length", b"Content-Length: 99999999999999999999\r\n\r\n{", 1),
                           ("exit without shutdown", b'Content-Length: 33\r\n\r\n{"jsonrpc":"2.0","method":"exit"}\n', 1)]:
    done = subprocess.run([sys.argv[1]], input=sent, stdout=subprocess.PIPE, timeout=60)
    check(name, done.returncode == status, done)
