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


class Failure(Exception):
    pass


class Terminal:
    def __init__(self):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(HOME=home, XDG_STATE_HOME=home, TERM="dumb")
            os.execv(sys.argv[1], [sys.argv[1], "-i"])
        self.text = ""

    def waits_for(self, wanted, seconds):
        end = time.time() + seconds
        while wanted not in self.text:
            if not select.select([self.fd], [], [], max(0, end - time.time()))[0]:
                return False
            try:
                read = os.read(self.fd, 4096).decode("utf-8", "replace")
            except OSError:
                read = ""
            if not read:
                raise Failure(f"FAILED: it ended without {wanted!r}: {self.text!r}")
            self.text += read
        self.text = self.text[self.text.index(wanted) + len(wanted):]
        return True

    def expect(self, wanted):
        if not self.waits_for(wanted, 30):
            raise Failure(f"FAILED: no {wanted!r} in {self.text!r}")

    def type(self, keys):
        os.write(self.fd, keys.encode())

    def ask(self, keys, wanted, interrupts=False):
        """Types keys until they are answered: a terminal loses what is typed while a line begins."""
        for _ in range(6):
            self.type(keys)
            if interrupts:
                time.sleep(2)
                os.kill(self.pid, signal.SIGINT)
            if self.waits_for(wanted, 10) and self.waits_for(">>> ", 10):
                return
        raise Failure(f"FAILED: no {wanted!r} in {self.text!r}")

    def end(self, keys):
        for _ in range(4):
            self.type(keys)
            for _ in range(50):
                pid, status = os.waitpid(self.pid, os.WNOHANG)
                if pid:
                    return os.waitstatus_to_exitcode(status)
                if select.select([self.fd], [], [], 0.1)[0]:  # or a full terminal would hold it up
                    try:
                        os.read(self.fd, 4096)
                    except OSError:
                        time.sleep(0.1)
        os.kill(self.pid, signal.SIGKILL)
        raise Failure(f"FAILED: it did not end: {self.text!r}")


def session():
    terminal = Terminal()
    terminal.expect(">>> ")
    terminal.ask("value = 1234\n", "1234")
    terminal.ask("value + 1\n", "1235")

    # Something that runs ends with Ctrl-C, and what there was stays.
    terminal.ask("while True: value += 1\n\n", "interrupted", interrupts=True)
    terminal.ask("value\n", "1234")

    # So does a line that is being typed.
    terminal.type("def f(:\n")
    terminal.expect("... ")
    for _ in range(6):
        time.sleep(0.5)  # the prompt is shown before the line is read
        os.kill(terminal.pid, signal.SIGINT)
        if terminal.waits_for(">>> ", 5):
            break
    terminal.ask("2 * 21\n", "42")

    if os.path.exists("/usr/lib/x86_64-linux-gnu/libedit.so.2"):
        terminal.ask("torch.softm\t(torch.zeros([1]), 0)\n", "tensor([1.])")
        terminal.ask("val\t + 66\n", "1300")
    status = terminal.end(":quit\n")
    if status != 0:
        raise Failure(f"FAILED: it ended with {status}")

    terminal = Terminal()
    terminal.expect(">>> ")
    if os.path.exists("/usr/lib/x86_64-linux-gnu/libedit.so.2"):
        with open(os.path.join(home, "tsc_history")) as file:
            if "2 * 21" not in file.read().replace("\\040", " "):
                raise Failure("FAILED: no history")
    if terminal.end("\x15\x04") != 0:
        raise Failure("FAILED: the end of the input")


# Keys are lost where they meet a change of the terminal's mode, as on any terminal: a session that such keys spoiled is
# held again.
for attempt in range(4):
    try:
        session()
        print("ok")
        break
    except Failure as failure:
        print(failure, file=sys.stderr)
else:
    sys.exit("FAILED four times")
