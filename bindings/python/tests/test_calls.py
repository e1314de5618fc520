"""Calls and the interpreter around them: threads, signals, memory."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import tsc
from support import TestCase, compile_source, needs_numpy, net_archive, numpy

ENDLESS = "def f():\n    n = 0\n    while True:\n        n += 1\n    return n\n"


class Threads(TestCase):
    def test_other_threads_run_meanwhile(self):
        f = compile_source("def f(n: int):\n    t = 0\n    for i in range(n):\n        t += i % 7\n    return t\n",
                           optimization=0).f
        f(10)
        counted = 0
        done = threading.Event()

        def call():
            f(3_000_000)
            done.set()

        thread = threading.Thread(target=call)
        thread.start()
        while not done.is_set():
            counted += 1
        thread.join()
        self.assertGreater(counted, 1000)

    def test_many_threads_call_one_module(self):
        module = tsc.load(net_archive()).eval()
        x = tsc.ones(1, 3)
        with tsc.no_grad():
            expected = module(x)
        wrong = []

        def call():
            with tsc.no_grad():
                for _ in range(200):
                    if not tsc.equal(module(x), expected):
                        wrong.append(1)

        threads = [threading.Thread(target=call) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_grad_mode_and_seeds_belong_to_threads(self):
        seen = []

        def call():
            seen.append(tsc.is_grad_enabled())
            tsc.manual_seed(3)

        with tsc.no_grad():
            tsc.manual_seed(1)
            thread = threading.Thread(target=call)
            thread.start()
            thread.join()
        self.assertEqual(seen, [True])
        self.assertEqual(tsc.initial_seed(), 1)


@unittest.skipUnless(hasattr(signal, "setitimer"), "needs timers")
class Signals(TestCase):
    def interrupted_after(self, seconds, call):
        signal.setitimer(signal.ITIMER_REAL, seconds)
        start = time.monotonic()
        try:
            call()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.took = time.monotonic() - start

    def setUp(self):
        class Stop(Exception):
            pass

        def stop(*_):
            raise Stop

        self.Stop = Stop
        self.before = signal.signal(signal.SIGALRM, stop)

    def tearDown(self):
        signal.signal(signal.SIGALRM, self.before)

    def test_a_handler_ends_a_call(self):
        f = compile_source(ENDLESS).f
        with self.assertRaises(self.Stop):
            self.interrupted_after(0.2, f)
        self.assertLess(self.took, 5)
        self.assertEqual(compile_source("def g():\n    return 1\n").g(), 1)

    def test_a_handler_that_returns_lets_the_call_go_on(self):
        handled = []
        signal.signal(signal.SIGALRM, lambda *_: handled.append(1))
        f = compile_source("def f(n: int):\n    t = 0\n    for i in range(n):\n        t += i % 3\n    return t\n",
                           optimization=0, quotas=tsc.Quotas(steps=10**12)).f
        result = []
        self.interrupted_after(0.1, lambda: result.append(f(200_000_001)))
        self.assertEqual(result, [200_000_001])
        self.assertEqual(handled, [1])

    def test_long_operators_are_whole(self):
        x = tsc.full([1 << 22], 3.0)
        for _ in range(30):  # some of these go on for longer than the watch waits
            self.assertEqual(tsc.relu(x).sum().item(), 3.0 * (1 << 22))

    def test_ctrl_c(self):
        # A process that a shell began in the background ignores the signal, unless it says otherwise.
        script = "import signal, tsc\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n" \
                 f"f = tsc.CompilationUnit({ENDLESS!r}).f\nprint('ready', flush=True)\n" \
                 "try:\n    f()\nexcept KeyboardInterrupt:\n    print('stopped')\n"
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True,
                                   env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
        self.assertEqual(process.stdout.readline(), "ready\n")
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        try:
            out, _ = process.communicate(timeout=30)
        finally:
            process.kill()
        self.assertEqual(out, "stopped\n")
        self.assertEqual(process.returncode, 0)


class Memory(TestCase):
    def resident(self):
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    @unittest.skipUnless(os.path.exists("/proc/self/statm"), "needs /proc")
    def test_calls_leave_nothing(self):
        module = tsc.load(net_archive()).eval()
        x = tsc.ones(1, 3)
        words = ["a", "b"]

        def calls(count):
            with tsc.no_grad():
                for _ in range(count):
                    module(x)
                    module.count(words)
                    x[0, 1:] + 1
            gc.collect()

        calls(2000)
        before = self.resident()
        calls(20000)
        self.assertLess(self.resident() - before, 4 << 20)

    def test_references(self):
        module = tsc.load(net_archive())
        x = tsc.ones(1, 3)
        word = "a word that nobody else has"
        words = [word]
        module.count(words), module(x), x + 1, x.tolist(), x[0], repr(x)
        gc.collect()
        counts = [sys.getrefcount(o) for o in (x, word, words, None, tsc.float32, module)]
        for _ in range(100):
            module.count(words), module(x), x + 1, x.tolist(), x[0], repr(x), x.dtype
            try:
                module.count([object()])
            except TypeError:
                pass
            try:
                x[5]
            except IndexError:
                pass
        gc.collect()
        after = [sys.getrefcount(o) for o in (x, word, words, None, tsc.float32, module)]
        for a, b in zip(counts, after):
            self.assertLess(abs(a - b), 20)

    @needs_numpy
    def test_arrays_are_given_back(self):
        module = tsc.load(net_archive()).eval()
        a = numpy.ones((1, 3), numpy.float32)
        with tsc.no_grad():
            for _ in range(100):
                module(a)
        a.resize((2, 3), refcheck=False)  # fails while a buffer is out
        self.assertEqual(a.shape, (2, 3))


class Starting(TestCase):
    def run_python(self, script):
        return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})

    def test_numpy_is_not_imported(self):
        done = self.run_python("import sys, tsc; tsc.ones(2) + 1; print('numpy' in sys.modules)")
        self.assertEqual((done.stdout, done.stderr), ("False\n", ""))

    def test_ending_with_tensors_alive(self):
        done = self.run_python("import tsc, threading\nx = tsc.ones(3, requires_grad=True)\ny = (x * 2).sum()\n"
                               "u = tsc.CompilationUnit('def f(x: Tensor):\\n    return x + 1\\n')\nz = u.f(x)\n")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_fork(self):
        done = self.run_python("import os, tsc\nf = tsc.CompilationUnit('def f(x: int):\\n    return x + 1\\n').f\n"
                               "f(1)\npid = os.fork()\nif pid == 0:\n    print(f(2), flush=True)\n    os._exit(0)\n"
                               "os.waitpid(pid, 0)\n")
        self.assertEqual((done.stdout, done.returncode), ("3\n", 0))


if __name__ == "__main__":
    unittest.main()
