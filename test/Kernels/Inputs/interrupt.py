"""Calls functions of a program at the prompt, and presses Ctrl-C once they print "begins".

usage: interrupt.py TSC_RUN PROGRAM NAME...
"""
import os
import pty
import select
import signal
import sys
import time

GIVE_UP = 30  # seconds, in which none of the functions would come to its end

tool, program, *names = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    os.environ.update(TERM="dumb")
    os.execvp(tool, [tool, "-i", program])
shown = ""


def expect(wanted):
    """Waits for a text, and drops it with what was shown before it."""
    global shown
    while wanted not in shown:
        if not select.select([terminal], [], [], GIVE_UP)[0]:
            os.kill(pid, signal.SIGKILL)
            sys.exit(f"FAILED: {wanted!r} did not come after {shown!r}")
        shown += os.read(terminal, 4096).decode("utf-8", "replace")
    shown = shown[shown.index(wanted) + len(wanted):]


expect(">>> ")
for name in names:
    os.write(terminal, f"{name}()\n".encode())
    expect("\nbegins\r\n")
    time.sleep(0.2)  # the matrix is copied first
    os.kill(pid, signal.SIGINT)
    expect("interrupted")
    expect(">>> ")
    os.write(terminal, b"6 * 7\n")  # and the next line is read
    expect("\n42\r\n")
    expect(">>> ")
os.write(terminal, b":quit\n")
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.exit(f"FAILED: it ended with {status}" if status else 0)
