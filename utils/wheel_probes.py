"""What utils/check_wheel.py asks of an installed package, each in a process of its own.

usage: wheel_probes.py NAME [ARGUMENT...]

Prints what was measured in one line, and exits with 1 where that is not right.
"""
import gc
import importlib
import os
import sys
import threading
import time

PROGRAM = b"""
def identity(x: Tensor):
    return x

def policy(x: Tensor, n: int) -> Tensor:
    for i in range(n):
        x = (x * 2 + i).relu().exp().clamp(0., 10.)
    return x

def wrong(n: int):
    raise ValueError("n is " + str(n))
"""
MODULE = b"""
import torch
from torch import Tensor, nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 16)
        self.last = nn.Linear(16, 2)

    def forward(self, x: Tensor) -> Tensor:
        return self.last(torch.relu(self.first(x)))

model = Net()
"""


def check(is_right, text):
    print(text)
    sys.exit(0 if is_right else 1)


def resident():
    """The MiB of this process that are in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def probe_import(limit):
    """The processor time that `import tsc` takes in a process that has imported nothing else, as the least of several."""
    import subprocess

    code = "import time; start = time.process_time(); import tsc; print((time.process_time() - start) * 1000)"
    times = [float(subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True).stdout) for _ in range(9)]
    check(min(times) <= float(limit), f"import tsc takes {min(times):.1f} ms")


def probe_calls(count):
    """Calls in great number leave no memory behind."""
    import tsc

    program = tsc.load(PROGRAM, name="p.py")
    model = tsc.load(MODULE, name="m.py").module("model").eval()
    identity, policy, wrong = program.identity, program.policy, program.wrong
    x = tsc.ones(1, 3)

    def call(n):
        with tsc.no_grad():
            for _ in range(n):
                identity(x)
                model(x)
                policy(x, 1)
        for _ in range(n // 100):
            try:
                wrong(1)
            except ValueError:
                pass
        gc.collect()

    call(int(count) // 20)
    before = resident()
    started = time.monotonic()
    call(int(count) // 3)
    grown = resident() - before
    check(grown < 4, f"{count} calls in {time.monotonic() - started:.1f} s: {grown:+.2f} MiB")


def probe_references():
    """Nothing that Python counts is left behind."""
    import tsc

    def once():
        program = tsc.load(PROGRAM, name="p.py")
        model = tsc.load(MODULE, name="m.py", seed=1).module("model")
        x = tsc.ones(2, 3, requires_grad=True)
        model(x).sum().backward()
        try:
            program.wrong(1)
        except ValueError:
            pass
        try:
            tsc.CompilationUnit("def f(x):\n    return y\n")
        except SyntaxError:
            pass
        unit = tsc.CompilationUnit("def f(x: Dict[str, List[int]]):\n    return x\n")
        unit.f({"a": [1, 2]})
        x.grad, x.numpy() if "numpy" in sys.modules else None, repr(x), x[0, 1:], x.tolist()

    # What Python keeps for later, of messages of exceptions for one, grows for some hundred turns and stays.
    for _ in range(600):
        once()
    gc.collect()
    before, objects = sys.getallocatedblocks(), len(gc.get_objects())
    count = 60
    for _ in range(count):
        once()
    gc.collect()
    blocks, more = sys.getallocatedblocks() - before, len(gc.get_objects()) - objects
    check(blocks < count and more < count, f"{count} programs: {blocks:+} blocks, {more:+} objects")


def probe_threads(count):
    """Threads that call one module at once get what one gets."""
    import tsc

    model = tsc.load(MODULE, name="m.py", seed=1).module("model").eval()
    inputs = [tsc.ones(4, 3) * n for n in range(8)]
    with tsc.no_grad():
        expected = [model(x).tolist() for x in inputs]
    wrong = []

    def work(n):
        with tsc.no_grad():
            for i in range(int(count)):
                if model(inputs[(n + i) % 8]).tolist() != expected[(n + i) % 8]:
                    wrong.append(n)

    threads = [threading.Thread(target=work, args=[n]) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(not wrong, f"8 threads, {count} calls each: {len(wrong)} wrong results")


def probe_loading():
    """Another thread of Python runs on while a program is loaded and compiled."""
    import tsc

    text = b"".join(b"def f%d(x: Tensor) -> Tensor:\n" % i + b"".join(
        b"    x = (x + %d).relu() * x.sigmoid()\n" % j for j in range(60)) + b"    return x\n\n" for i in range(60))
    counted, longest, is_over = [0], [0.0], threading.Event()

    def count():
        last = time.monotonic()
        while not is_over.is_set():
            counted[0] += 1
            now = time.monotonic()
            longest[0] = max(longest[0], now - last)
            last = now

    thread = threading.Thread(target=count)
    thread.start()
    started = time.monotonic()
    program = tsc.load(text, name="long.py")
    program.compile_all()
    seconds = time.monotonic() - started
    is_over.set()
    thread.join()
    check(counted[0] > 1000 and longest[0] < max(seconds / 2, 0.05),
          f"loading for {seconds:.2f} s: another thread counted to {counted[0]}, and waited {longest[0] * 1000:.0f} ms at most")


def probe_order(*modules):
    """Imports modules in this order, and lets each of them compute."""
    made = {name: importlib.import_module(name) for name in modules}
    tsc = made["tsc"]
    unit = tsc.CompilationUnit("def f(x: Tensor):\n    return (x * 2 + 1).relu().exp()\n", compile="eager")
    for _ in range(3):
        assert abs(unit.f(tsc.zeros(3)).sum().item() - 3 * 2.718281828) < 1e-4
    if "torch" in made:
        torch = made["torch"]
        assert torch.mm(torch.ones(2, 2), torch.ones(2, 2)).sum() == 8
        assert (tsc.from_dlpack(torch.ones(3)) * 2).sum().item() == 6
    if "numba" in made:
        twice = made["numba"].njit(lambda x: 2 * x)
        assert twice(21) == 42
    if "onnxruntime" in made:
        assert made["onnxruntime"].get_available_providers()
    try:
        tsc.CompilationUnit("def f(x):\n    return y\n")
        check(False, "an error was not raised")
    except tsc.CompileError:
        check(True, " ".join(modules))


if __name__ == "__main__":
    globals()["probe_" + sys.argv[1]](*sys.argv[2:])
