"""Runs PyTorch's JIT tests in forked processes and writes one JSON line for each: {"test", "status", "seconds", "reason"}.

    runner.py TESTS RESULTS [--jobs N] [--timeout S] [--only REGEX] [--substitute]

TESTS is PyTorch's folder `test`. The module is imported once; workers are forked from it and run the tests of a class
in order. A worker that dies, or is still in one test after the timeout, costs that test only: another one takes up the
rest of the class. With --substitute, tsc takes the place of torch.jit before the tests are imported.

check_torch_jit.py calls this with a Python that has PyTorch and the tests' packages; it needs nothing else.
"""
import argparse
import collections
import json
import os
import re
import select
import signal
import sys
import time
import unittest

STATUSES = ("passed", "failed", "skipped", "timeout", "crashed")


class Reporter(unittest.TestResult):
    """Writes what became of each test to a pipe, as it happens."""

    def __init__(self, pipe):
        super().__init__()
        self.pipe = pipe
        self.outcome = None
        self.began = 0.0

    def send(self, **message):
        os.write(self.pipe, (json.dumps(message) + "\n").encode())

    def startTest(self, test):
        super().startTest(test)
        self.outcome = ("passed", "")
        self.began = time.monotonic()
        self.send(start=name_of(test))

    def stopTest(self, test):
        super().stopTest(test)
        status, reason = self.outcome
        self.send(test=name_of(test), status=status, seconds=round(time.monotonic() - self.began, 3), reason=reason)

    def addError(self, test, error):
        self.outcome = ("failed", first_line(error[0], error[1]))
        if not isinstance(test, unittest.TestCase):  # setUpClass failed: none of its tests will start
            self.send(lost=self.outcome[1])

    addFailure = addError

    def addSubTest(self, test, subtest, error):
        if error:
            self.outcome = ("failed", first_line(error[0], error[1]))

    def addSkip(self, test, reason):
        self.outcome = ("skipped", reason.strip().split("\n")[0])

    def addExpectedFailure(self, test, error):
        self.outcome = ("passed", "")

    def addUnexpectedSuccess(self, test):
        self.outcome = ("failed", "passed, where the test expects a failure")


def first_line(kind, error):
    """Returns the class of an exception and the first line of its text that says something. Where that only says that a
    call failed, the last line says why."""
    lines = [line.strip() for line in str(error).split("\n") if line.strip()]
    said = lines[0] if lines else ""
    if said.startswith("The following operation failed"):
        said = lines[-1]
    return f"{kind.__name__}: {said}"[:300]


def name_of(test):
    return f"{type(test).__name__}::{test._testMethodName}"


def collect(module, only):
    """Returns the tests of a module by class, in the order in which unittest runs them."""
    classes = collections.OrderedDict()

    def walk(suite):
        for test in suite:
            if isinstance(test, unittest.TestSuite):
                walk(test)
            elif not only or re.search(only, name_of(test)):
                classes.setdefault(type(test).__name__, []).append(test)

    walk(unittest.defaultTestLoader.loadTestsFromModule(module))
    return classes


class Worker:
    """A forked process that runs some tests of one class."""

    def __init__(self, tests, quiet):
        self.tests = tests
        self.done = 0
        self.current = None
        self.since = time.monotonic()
        self.text = b""
        self.pipe, end = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            os.close(self.pipe)
            os.setpgid(0, 0)  # so that a test's own children end with it
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            unittest.TestSuite(tests).run(Reporter(end))
            os._exit(0)
        os.close(end)

    def fileno(self):
        return self.pipe

    def read(self):
        """Returns the messages that have come, or None when the process has ended."""
        text = os.read(self.pipe, 65536)
        if not text:
            return None
        *lines, self.text = (self.text + text).split(b"\n")
        return [json.loads(line) for line in lines]

    def end(self):
        try:
            os.killpg(self.process, signal.SIGKILL)
        except OSError:
            pass
        _, status = os.waitpid(self.process, 0)
        os.close(self.pipe)
        return status


class Run:
    """All tests of a run: what waits, what runs, and the file of results."""

    def __init__(self, classes, results, jobs, timeout, together=60):
        self.waiting = [tests[i:i + together] for tests in classes.values() for i in range(0, len(tests), together)]
        self.waiting.sort(key=len)  # the longest, which are last, begin first
        self.results, self.jobs, self.timeout = results, jobs, timeout
        self.quiet = os.open(os.devnull, os.O_WRONLY)
        self.workers = []

    def write(self, test, status, reason="", seconds=0.0):
        self.results.write(json.dumps({"test": test, "status": status, "seconds": seconds, "reason": reason}) + "\n")
        self.results.flush()

    def take(self, worker, message):
        if "start" in message:
            worker.current = message["start"]
        elif "test" in message:
            self.write(message["test"], message["status"], message["reason"], message["seconds"])
            worker.done += 1
            worker.current = None
        elif "lost" in message:
            for test in worker.tests[worker.done:]:
                self.write(name_of(test), "failed", message["lost"])
            worker.done = len(worker.tests)
        worker.since = time.monotonic()

    def drop(self, worker, status):
        """Ends a worker. Where it has tests left, the current one bears `status`, and the others wait again."""
        self.workers.remove(worker)
        code = worker.end()
        if worker.done < len(worker.tests):
            reason = f"over {self.timeout} s" if status == "timeout" else f"process ended with status {code}"
            self.write(name_of(worker.tests[worker.done]), status, reason, round(time.monotonic() - worker.since, 3))
            if rest := worker.tests[worker.done + 1:]:
                self.waiting.append(rest)

    def run(self):
        while self.waiting or self.workers:
            while self.waiting and len(self.workers) < self.jobs:
                self.workers.append(Worker(self.waiting.pop(), self.quiet))
            ready, _, _ = select.select(self.workers, [], [], 1.0)
            for worker in ready:
                messages = worker.read()
                if messages is None:
                    self.drop(worker, "crashed")
                    continue
                for message in messages:
                    self.take(worker, message)
            for worker in [w for w in self.workers if time.monotonic() - w.since > self.timeout]:
                self.drop(worker, "timeout")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tests")
    parser.add_argument("results")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--only", default="")
    parser.add_argument("--substitute", action="store_true")
    options = parser.parse_args()
    sys.argv = ["test_jit.py"]  # torch's own tests read the command line when they are imported
    results = open(options.results, "a")
    here = os.path.dirname(os.path.abspath(__file__))
    os.chdir(options.tests)
    sys.path[0] = os.getcwd()
    import torch
    torch.set_num_threads(1)  # what a pool of threads holds does not survive a fork
    imported = None
    if options.substitute:
        sys.path.append(here)
        import substitute
        imported = substitute.install(torch)
    import test_jit
    if imported:
        imported()
    # The tests forget all classes when they end, by a function of torch._C. tsc has none: each test has its process.
    together = 1 if options.substitute else 60
    Run(collect(test_jit, options.only), results, options.jobs, options.timeout, together).run()


if __name__ == "__main__":
    main()
