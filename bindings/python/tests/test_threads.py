"""Threads that share modules, tensors and the package itself. `utils/check --sanitize=thread python` runs these under the
sanitizer of threads: what races there is a failed test, also where the numbers are right."""

import contextlib
import gc
import io
import itertools
import queue
import subprocess
import sys
import threading
import unittest

import tsc
from support import NET, TestCase, compile_source, needs_numpy, net_archive, numpy
from tsc import jit, nn, optim

THREADS = 4

STATEFUL = """
import torch
from torch import Tensor, nn

class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.total = torch.zeros([1])
        self.seen: list[int] = []
        self.register_buffer("last", torch.zeros([3]))

    def forward(self, x: Tensor) -> Tensor:
        for i in range(20):
            self.total = self.total + x
        self.seen.append(len(self.seen))
        self.last.add_(x)
        return self.total

    @torch.jit.export
    def read(self, x: Tensor) -> Tensor:
        return x * 2

model = Counter()
"""


def in_threads(*functions):
    """Calls each function in a thread of its own, all at the same moment, and returns what they gave. What one of them raises
    is raised here."""
    results, failures = [None] * len(functions), []
    barrier = threading.Barrier(len(functions))

    def work(index, function):
        try:
            barrier.wait()
            results[index] = function()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=item) for item in enumerate(functions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return results


def run_alone(code, *arguments):
    """Runs a program in a process of its own and returns what it printed."""
    run = subprocess.run([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    if run.returncode:
        raise AssertionError(f"ended with {run.returncode}: {run.stdout}")
    return run.stdout


class State(TestCase):
    def test_calls_that_write_run_alone_or_are_refused(self):
        model = tsc.load(STATEFUL.encode(), name="counter.py").module("model")

        def work():
            done = 0
            for _ in range(50):
                try:
                    model(tsc.ones(1))
                    done += 1
                except tsc.Error as error:
                    self.assertIn("is under way", str(error))
            return done

        done = sum(in_threads(*[work] * THREADS))
        self.assertGreater(done, 0)
        self.assertTensor(model.total, [20.0 * done])
        self.assertTensor(model.last, [float(done)] * 3)
        self.assertEqual(model.seen, list(range(done)))

    def test_forks_write_beside_each_other(self):
        made = tsc.load(STATEFUL.encode(), name="counter.py").module("model")
        program = tsc.load(made.save_to_buffer()).program

        def work(fork):
            model = fork.module()
            for _ in range(20):
                model(tsc.ones(1))
            return model.total.item()

        forks = [program.fork() for _ in range(THREADS)]
        self.assertEqual(in_threads(*[lambda fork=fork: work(fork) for fork in forks]), [400.0] * THREADS)

    def test_attributes_are_set_beside_calls(self):
        model = tsc.load(net_archive()).eval()
        x = tsc.ones(1, 3)
        possible = []
        for by in (0.5, 2.0):
            model.scale.by = by
            with tsc.no_grad():
                possible.append(model(x).tolist())

        def call():
            with tsc.no_grad():
                for _ in range(100):
                    self.assertIn(model(x).tolist(), possible)

        def write():
            for by in itertools.islice(itertools.cycle((0.5, 2.0)), 100):
                model.scale.by = by

        in_threads(call, call, write, write)

    def test_a_call_beside_one_that_writes_is_refused(self):
        """The first call prints, and is in the midst of its work as long as sys.stdout takes."""
        text = STATEFUL.replace("        for i in range(20):", "        print('works')\n        for i in range(20):")
        model = tsc.load(tsc.load(text.encode(), name="counter.py").module("model").save_to_buffer())
        self.assertIn("self.total", model.program.writes_state)
        told = []

        def meet():
            try:
                model(tsc.ones(1))
            except tsc.Error as error:
                told.append(str(error))

        class Meeting:
            def write(self, text):
                if not told:
                    in_threads(meet, meet)

        stdout, sys.stdout = sys.stdout, Meeting()
        try:
            model(tsc.ones(1))
        finally:
            sys.stdout = stdout
        self.assertEqual(len(told), 2)
        for one in told:
            self.assertIn("is under way, and this program writes its state, first in 'self.total", one)
        self.assertTensor(model.total, [20.0])

    def test_state_is_read_beside_a_call_that_prints(self):
        """The call wants the GIL to print, while who reads waits to hear what the call may write."""
        text = NET.replace("        for i in range(times):", "        print('works')\n        for i in range(times):")
        for _ in range(5):
            model = tsc.load(tsc.load(text.encode(), name="net.py", seed=7).module().save_to_buffer()).eval()

            def call():
                with tsc.no_grad():
                    for _ in range(20):
                        model(tsc.ones(1, 3))

            def read():
                for _ in range(20):
                    self.assertEqual(model.scale.by, 0.5)
                    self.assertEqual(len(model.state_dict()), 5)

            with contextlib.redirect_stdout(io.StringIO()):
                in_threads(call, call, read, read)

    def test_modules_are_switched_beside_calls_and_reads(self):
        model = tsc.load(net_archive())
        x, is_over = tsc.ones(1, 3), threading.Event()

        def until_over(work):
            def run():
                while not is_over.is_set():
                    work()
            return run

        def call():
            with tsc.no_grad():
                self.assertEqual(model(x).shape, (1, 2))

        def switch():
            for _ in range(50):
                model.train()
                model.eval()
                model.float()
                model.scale.by = 0.5
            is_over.set()

        in_threads(until_over(call), until_over(call), until_over(lambda: model.state_dict()), switch)

    def test_models_of_one_process_are_no_concern_of_each_other(self):
        class Counted(nn.Module):
            def __init__(self):
                super().__init__()
                self.norm = nn.BatchNorm1d(3)

            def forward(self, x):
                for i in range(10):
                    x = self.norm(x)
                return x

        def work(model):
            for _ in range(30):
                model(tsc.rand(5, 3))
            return model.norm.num_batches_tracked.item()

        models = [jit.script(Counted()) for _ in range(THREADS)]
        self.assertEqual(in_threads(*[lambda model=model: work(model) for model in models]), [300] * THREADS)

    def test_saved_and_copied_beside_calls(self):
        model = tsc.load(net_archive()).eval()
        x = tsc.ones(1, 3)
        with tsc.no_grad():
            expected = model(x).tolist()

        def call():
            with tsc.no_grad():
                for _ in range(100):
                    self.assertEqual(model(x).tolist(), expected)

        def save():
            for _ in range(5):
                with tsc.no_grad():
                    self.assertEqual(tsc.load(model.save_to_buffer()).eval()(x).tolist(), expected)
                self.assertEqual(len(model.state_dict()), 5)

        in_threads(call, call, save, save)


class Gradients(TestCase):
    def test_gradients_of_shared_parameters_are_summed(self):
        model = nn.Linear(3, 2)
        compiled = jit.script(model)

        def work():
            for _ in range(25):
                compiled(tsc.ones(4, 3)).sum().backward()

        in_threads(*[work] * THREADS)
        self.assertTensor(model.bias.grad, [4.0 * 25 * THREADS] * 2)
        self.assertTensor(model.weight.grad, [[4.0 * 25 * THREADS] * 3] * 2)

    def test_one_graph_of_gradients_is_left_by_many_results(self):
        x = tsc.ones(8, requires_grad=True)
        shared = (x * 2).exp()

        def work():
            for _ in range(20):
                gradient, = tsc.autograd.grad(shared.sum(), x, retain_graph=True)
                self.assertEqual(gradient.tolist(), (shared.detach() * 2).tolist())

        in_threads(*[work] * THREADS)

    def test_models_are_trained_side_by_side(self):
        def train():
            tsc.manual_seed(3)
            model = jit.script(nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1)))
            steps = optim.Adam(model.parameters(), lr=0.01)
            for _ in range(20):
                steps.zero_grad()
                loss = (model(tsc.ones(5, 4)) - 1).pow(2).mean()
                loss.backward()
                steps.step()
            return loss.item()

        expected = train()
        self.assertEqual(in_threads(*[train] * THREADS), [expected] * THREADS)


class Objects(TestCase):
    def test_tensors_are_freed_by_other_threads(self):
        handed = queue.Queue(16)

        def produce():
            for n in range(200):
                x = tsc.ones(50, requires_grad=True) * n
                handed.put((n, x, x[10:20], (x * 2).sum()))
            handed.put(None)

        def consume():
            total = 0.0
            while (item := handed.get()) is not None:
                n, x, part, doubled = item
                del x
                self.assertEqual(part.sum().item(), 10.0 * n)
                total += doubled.item()
            return total

        results = in_threads(produce, produce, consume, consume)
        self.assertEqual(sum(results[2:]), 2 * sum(100.0 * n for n in range(200)))

    @needs_numpy
    def test_memory_is_shared_with_arrays_of_other_threads(self):
        array = numpy.arange(1000, dtype=numpy.float32)

        def work():
            for _ in range(100):
                view = tsc.from_numpy(array)
                self.assertEqual(view[10:20].numpy().sum(), 145)
                self.assertEqual(numpy.from_dlpack(view + 1)[0], 1)

        in_threads(*[work] * THREADS)

    def test_one_list_and_one_dict_are_given_to_many_calls(self):
        unit = compile_source("def f(xs: list[Tensor], names: dict[str, Tensor], by: int):\n"
                              "    for x in names.values():\n        xs = xs + [x]\n    return [x * by for x in xs]\n")
        values, names = [tsc.ones(2)] * 3, {"a": tsc.ones(2), "b": tsc.zeros(2)}

        def work(by):
            for _ in range(50):
                self.assertEqual([x.tolist() for x in unit.f(values, names, by)], [[by, by]] * 4 + [[0, 0]])

        in_threads(*[lambda by=by: work(by) for by in range(THREADS)])

    def test_errors_belong_to_their_threads(self):
        unit = compile_source("def f(n: int):\n    assert n != n, 'thread ' + str(n)\n    return n\n")

        def work(n):
            for _ in range(50):
                with self.assertRaisesRegex(AssertionError, f"thread {n}$"):
                    unit.f(n)
                with self.assertRaisesRegex(SyntaxError, f"unknown_{n}"):
                    compile_source(f"def g(x):\n    return x + unknown_{n}\n")

        in_threads(*[lambda n=n: work(n) for n in range(THREADS)])

    def test_modules_and_programs_are_let_go_beside_calls(self):
        archive = net_archive()

        def work():
            for n in range(5):
                model = tsc.load(archive)
                result = model(tsc.ones(1, 3))
                parameters = list(model.parameters())
                del model
                result.sum().backward()
                self.assertTrue(all(p.grad is not None for p in parameters))
                if n % 2:
                    gc.collect()

        in_threads(*[work] * THREADS)


class Compilation(TestCase):
    def test_one_function_is_compiled_by_many_threads(self):
        for n in range(5):
            def f(x, by: int):
                return x * by + 1

            functions = in_threads(*[lambda f=f: jit.script(f)] * THREADS)
            for function in functions:
                self.assertTensor(function(tsc.ones(2), n), [n + 1.0] * 2)

    def test_first_calls_of_one_program_meet(self):
        text = "def f(x: Tensor, n: int):\n    for i in range(n):\n        x = (x * 2 + i).relu() - x\n    return x\n"
        expected = compile_source(text, optimization=0).f(tsc.ones(3), 4).tolist()
        for _ in range(5):
            unit = compile_source(text, compile="eager")
            self.assertEqual(in_threads(*[lambda: unit.f(tsc.ones(3), 4).tolist()] * THREADS), [expected] * THREADS)

    def test_graphs_are_read_by_many_threads(self):
        scripted = jit.script(nn.Sequential(nn.Linear(2, 2), nn.ReLU()))
        expected = str(scripted.inlined_graph)

        def work():
            for _ in range(20):
                graph = scripted.inlined_graph
                self.assertEqual(str(graph), expected)
                copy = graph.copy()
                jit.passes.run(copy, "inline,constprop,cse,dce")
                self.assertIn("aten::relu", [node.kind() for node in copy.nodes()])

        in_threads(*[work] * THREADS)

    def test_operators_are_found_by_many_threads_at_first(self):
        code = """
import threading, tsc
names = ["add", "mul", "relu", "cat", "linear", "conv2d", "lstm", "sort", "topk", "index_put"]
barrier, seen = threading.Barrier(4), []
def work():
    barrier.wait()
    seen.append([(n, str(getattr(tsc.ops.aten, n).schemas), getattr(tsc, n, None).__doc__) for n in names])
threads = [threading.Thread(target=work) for _ in range(4)]
[t.start() for t in threads]; [t.join() for t in threads]
assert len(seen) == 4 and all(s == seen[0] for s in seen), seen
print("found")
"""
        self.assertEqual(run_alone(code), "found\n")


class Package(unittest.TestCase):
    def test_it_is_imported_by_many_threads_at_first(self):
        code = """
import threading
barrier, seen = threading.Barrier(4), []
def work(module):
    barrier.wait()
    __import__(module)
    import tsc
    seen.append(tsc.ones(3).sum().item())
threads = [threading.Thread(target=work, args=(m,)) for m in ("tsc", "tsc.jit", "tsc.nn", "tsc.optim")]
[t.start() for t in threads]; [t.join() for t in threads]
print(seen)
"""
        self.assertEqual(run_alone(code), "[3.0, 3.0, 3.0, 3.0]\n")

    def test_sub_interpreters_are_refused(self):
        code = """
import sys
try:
    import _interpreters as interpreters  # since Python 3.13
except ImportError:
    import _xxsubinterpreters as interpreters
def run(text):
    try:
        failure = getattr(interpreters, "exec", interpreters.run_string)(interpreters.create(), text)
    except interpreters.RunFailedError as error:
        failure = error
    return str(getattr(failure, "formatted", failure))
text = f"import sys; sys.path[:] = {sys.path!r}; import tsc"
first = run(text)
import tsc
print(first, run(text), tsc.ones(2).sum().item(), sep="\\n")
"""
        first, second, main = run_alone(code).splitlines()
        for told in first, second:
            self.assertRegex(told, "ImportError.*(tsc cannot be imported in a sub-interpreter|does not support loading in subinterpreters)")
        self.assertEqual(main, "2.0")

    def test_the_interpreter_ends_while_threads_call(self):
        code = """
import threading, tsc
f = tsc.CompilationUnit("def f(n: int):\\n    t = 0\\n    for i in range(n):\\n        t += i % 7\\n    return t\\n").f
started = threading.Event()
def work():
    while True:
        started.set()
        f(1000000)
        tsc.ones(100).sum()
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
started.wait()
print("ends")
"""
        self.assertEqual(run_alone(code), "ends\n")


if __name__ == "__main__":
    unittest.main()
