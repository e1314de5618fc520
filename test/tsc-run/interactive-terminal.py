# RUN: %python %s tsc-run

# A terminal: completion, history, Ctrl-C while something runs and while nothing does, and how the input ends.
import os
import pty
import select
import signal
import sys
import tempfile
import time

home = tempfile.mkdtemp()


class Terminal:
    def __init__(self):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(HOME=home, XDG_STATE_HOME=home, TERM="dumb")
            os.execv(sys.argv[1], [sys.argv[1], "-i"])
        self.text = ""

    def expect(self, wanted, seconds=60):
        end = time.time() + seconds
        while wanted not in self.text:
            if not select.select([self.fd], [], [], max(0, end - time.time()))[0]:
                sys.exit(f"FAILED: no {wanted!r} in {self.text!r}")
            try:
                read = os.read(self.fd, 4096).decode("utf-8", "replace")
            except OSError:
                read = ""
            if not read:
                sys.exit(f"FAILED: it ended without {wanted!r}: {self.text!r}")
            self.text += read
        self.text = self.text[self.text.index(wanted) + len(wanted):]

    def type(self, keys):
        os.write(self.fd, keys.encode())

    def end(self):
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


terminal = Terminal()
terminal.expect(">>> ")
terminal.type("value = 1234\n")
terminal.expect(">>> ")
terminal.type("value + 1\n")
terminal.expect("1235")
terminal.expect(">>> ")

# Something that runs ends with Ctrl-C, and what there was stays.
terminal.type("while True: value += 1\n")
terminal.type("\n")
time.sleep(2)
os.kill(terminal.pid, signal.SIGINT)
terminal.expect("interrupted")
terminal.expect(">>> ")
terminal.type("value\n")
terminal.expect("1234")
terminal.expect(">>> ")

# So does a line that is being typed.
terminal.type("def f(:\n")
terminal.expect("... ")
os.kill(terminal.pid, signal.SIGINT)
terminal.expect(">>> ")
terminal.type("2 * 21\n")
terminal.expect("42")
terminal.expect(">>> ")

if os.path.exists("/usr/lib/x86_64-linux-gnu/libedit.so.2"):
    terminal.type("torch.softm\t(torch.zeros([1]), 0)\n")
    terminal.expect("tensor([1.])")
    terminal.expect(">>> ")
    terminal.type("val\t + 66\n")
    terminal.expect("1300")
    terminal.expect(">>> ")
terminal.type(":quit\n")
status = terminal.end()
if status != 0:
    sys.exit(f"FAILED: it ended with {status}")

terminal = Terminal()
terminal.expect(">>> ")
if os.path.exists("/usr/lib/x86_64-linux-gnu/libedit.so.2"):
    with open(os.path.join(home, "tsc_history")) as file:
        if "2 * 21" not in file.read().replace("\\040", " "):
            sys.exit("FAILED: no history")
terminal.type("\x04")
if terminal.end() != 0:
    sys.exit("FAILED: the end of the input")
print("ok")
