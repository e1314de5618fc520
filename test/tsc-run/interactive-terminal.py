# RUN: %write_archive scale %t.pt
# RUN: %python %s tsc-run %t.pt

# A terminal: completion, history, Ctrl-C while something runs and while nothing does, keys typed ahead, and how the
# input ends.
import os
import pty
import select
import signal
import sys
import tempfile
import time

home = tempfile.mkdtemp()
has_library = os.path.exists("/usr/lib/x86_64-linux-gnu/libedit.so.2")


class Terminal:
    def __init__(self, *arguments):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(HOME=home, XDG_STATE_HOME=home, TERM="dumb")
            os.execv(sys.argv[1], [sys.argv[1], "-i", *arguments])
        self.text = ""

    def read(self, until):
        """What is shown next; nothing once the other side is gone."""
        if not select.select([self.fd], [], [], max(0, until - time.time()))[0]:
            sys.exit(f"FAILED: no answer; {self.text!r} is shown")
        try:
            return os.read(self.fd, 4096).decode("utf-8", "replace")
        except OSError:
            return ""

    def expect(self, wanted):
        end = time.time() + 60
        while wanted not in self.text:
            read = self.read(end)
            if not read:
                sys.exit(f"FAILED: it ended without {wanted!r}: {self.text!r}")
            self.text += read
        self.text = self.text[self.text.index(wanted) + len(wanted):]

    def type(self, keys):
        os.write(self.fd, keys.encode())

    def ask(self, keys, wanted):
        """Types keys, which are answered by a line of their own; the terminal shows the keys too."""
        self.type(keys)
        self.expect(f"\n{wanted}\r\n")
        self.expect(">>> ")

    def end(self, keys):
        self.type(keys)
        end = time.time() + 60
        while self.read(end):
            pass
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        if status != 0:
            sys.exit(f"FAILED: it ended with {status}")


terminal = Terminal()
terminal.expect(">>> ")
terminal.ask("value = 1234\nvalue + 1\n", "1235")

# Something that runs ends with Ctrl-C, and what there was stays.
terminal.type("for i in range(10 ** 15):\n  if i == 0:\n    print('it', 'runs')\n  value += 1\n\n")
terminal.expect("\nit runs\r\n")
os.kill(terminal.pid, signal.SIGINT)
terminal.expect("interrupted")
terminal.expect(">>> ")
terminal.ask("value\n", "1234")

# So does a line that is being typed.
terminal.type("def f(:\n")
terminal.expect("... ")
os.kill(terminal.pid, signal.SIGINT)
terminal.expect(">>> ")
terminal.ask("2 * 21\n", "42")

# However often.
for count in range(40):
    os.kill(terminal.pid, signal.SIGINT)
    terminal.expect(">>> ")
terminal.ask("3 * 21\n", "63")

# What is typed while something runs is read after it.
terminal.ask("total = 0\n" + "total += 2\n" * 50 + "total * 7\n", "700")

if has_library:
    terminal.ask("torch.softm\t(torch.zeros([1]), 0)\n", "tensor([1.])")
    terminal.ask("val\t + 66\n", "1300")
terminal.end(":quit\n")

terminal = Terminal()
terminal.expect(">>> ")
if has_library:
    with open(os.path.join(home, "tsc_history")) as file:
        if "2 * 21" not in file.read().replace("\\040", " "):
            sys.exit("FAILED: no history")
terminal.end("\x04")

# An archive is said to be there, with its signature.
terminal = Terminal(sys.argv[2])
terminal.expect("The archive is model:\r\n  model(x: Tensor) -> Tensor\r\n  model.wrong(")
terminal.expect(">>> ")
terminal.ask("model(torch.zeros([3]))\n", "tensor([1., 1., 1.])")
terminal.end(":quit\n")
print("ok")
