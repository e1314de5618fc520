"""A client of the language server protocol, for tests: it starts `tsc-lsp`, sends messages and waits for answers."""
import json
import subprocess
import sys
import threading
import queue
import time


class Client:
    def __init__(self, command, root="/project"):
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.root = root
        self.last_id = 0
        self.versions = {}
        self.texts = {}
        self.incoming = queue.Queue()
        self.diagnostics = {}
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        out = self.process.stdout
        while True:
            length = None
            while True:
                line = out.readline()
                if not line:
                    self.incoming.put(None)
                    return
                line = line.strip()
                if not line:
                    break
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            self.incoming.put(json.loads(out.read(length).decode("utf-8")))

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps(message).encode("utf-8")
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def next(self, timeout=60):
        message = self.incoming.get(timeout=timeout)
        if message is None:
            raise EOFError("the server has ended")
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            self.diagnostics[params["uri"]] = params
        return message

    def request_later(self, method, params=None):
        self.last_id += 1
        self.send({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params or {}})
        return self.last_id

    def answer(self, number):
        while True:
            message = self.next()
            if message.get("id") == number and "method" not in message:
                return message

    def request(self, method, params=None):
        message = self.answer(self.request_later(method, params))
        return message["result"] if "error" not in message else {"error": message["error"]}

    def notify(self, method, params=None):
        self.send({"jsonrpc": "2.0", "method": method, "params": params or {}})

    def initialize(self):
        result = self.request("initialize", {"processId": None, "rootUri": "file://" + self.root, "capabilities": {}})
        self.notify("initialized")
        return result

    def uri(self, name):
        return name if name.startswith("file:") else "file://" + self.root + "/" + name

    def open(self, name, text):
        uri = self.uri(name)
        self.versions[uri] = 1
        self.texts[uri] = text
        self.notify("textDocument/didOpen",
                    {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": text}})
        return uri

    def change(self, uri, text=None, edits=None):
        self.versions[uri] += 1
        changes = [{"text": text}] if text is not None else edits
        if text is not None:
            self.texts[uri] = text
        self.notify("textDocument/didChange",
                    {"textDocument": {"uri": uri, "version": self.versions[uri]}, "contentChanges": changes})

    def close(self, uri):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def compiled(self, uri):
        """Diagnostics of the current version, waited for."""
        while self.diagnostics.get(uri, {}).get("version") != self.versions[uri]:
            self.next()
        return self.diagnostics[uri]["diagnostics"]

    def place(self, uri, marker, offset=0, occurrence=1):
        """The position of the text `marker`, in UTF-16 code units."""
        text = self.texts[uri]
        at = -1
        for _ in range(occurrence):
            at = text.index(marker, at + 1)
        before = text[:at + offset]
        line = before.count("\n")
        return {"line": line, "character": len(before[before.rfind("\n") + 1:].encode("utf-16-le")) // 2}

    def at(self, method, uri, marker, offset=0, occurrence=1):
        return self.request("textDocument/" + method, {"textDocument": {"uri": uri},
                                                       "position": self.place(uri, marker, offset, occurrence)})

    def hover(self, uri, marker, offset=0, occurrence=1):
        result = self.at("hover", uri, marker, offset, occurrence)
        return result["contents"]["value"] if result and "contents" in result else result

    def labels(self, uri, marker, offset=0, occurrence=1):
        return [item["label"] for item in self.at("completion", uri, marker, offset, occurrence)["items"]]

    def stop(self):
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(timeout=60)


def check(name, condition, *details):
    if not condition:
        print("FAILED:", name, *details)
        sys.exit(1)
    print("ok:", name)
