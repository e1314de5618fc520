"""Calls of compiled code with torch's tensors that C++ makes alone: they do what Python's code would do, and leave to that
what they cannot."""

import contextlib
import gc
import sys
import threading
import unittest
from typing import Dict, List, NamedTuple

from support import TestCase
from torch_calls import assert_keeps_memory, in_cpp, left_to_python, torch

if torch is not None:
    from tsc import jit

    class Pair(NamedTuple):
        first: torch.Tensor
        second: torch.Tensor

    class Counts(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("last", torch.zeros(2))
            self.register_buffer("calls", torch.zeros(1))

        def forward(self, x):
            self.last = x * 2
            self.calls += 1
            return x

    class Keeps(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("kept", torch.zeros(2))

        def forward(self, x, fails: bool):
            self.kept = x
            assert not fails, "it fails"
            return x + 1

    class Scale(torch.nn.Module):
        def __init__(self, by: float):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.full((2,), by))

        def forward(self, x):
            return x * self.weight

    class Outer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = Scale(2.0)

        def forward(self, x):
            return self.inner(x)

    class GivesWeight(Scale):
        def forward(self, x):
            return self.weight

    class Sees(torch.Tensor):
        """Notes what is done with its tensors."""
        seen = []

        @classmethod
        def __torch_function__(cls, function, types, args=(), kwargs=None):
            cls.seen.append(getattr(function, "__name__", ""))
            return super().__torch_function__(function, types, args, kwargs or {})

    def same(x):
        return x

    def plus(x, n: int):
        return x + n

    def back(xs: List[torch.Tensor]):
        return xs


@unittest.skipIf(torch is None, "needs torch")
class Functions(TestCase):
    def test_usual_calls_run_no_python(self):
        @jit.script
        def f(x, n: int, by: float, flag: bool, text: str, other: torch.Tensor):
            y = x * by + n + other
            return (y if flag else x), [y, x], n, by, flag, text

        x = torch.ones(2)
        f(x, 1, 2.0, True, "a", torch.ones(2))
        with in_cpp(f):
            y, both, *rest = f(x, 1, 2.0, True, "a", torch.ones(2))
            z = f(x, 1, 2.0, False, text="b", other=torch.ones(2))[0]
        self.assertTrue(torch.equal(y, torch.full((2,), 4.0)))
        self.assertTrue(torch.equal(both[0], y))
        self.assertIs(both[1], x)
        self.assertEqual(rest, [1, 2.0, True, "a"])
        self.assertIs(z, x)

    def test_values(self):
        f = jit.script(plus)
        f(torch.ones(1), 1)
        with in_cpp(f):
            for x in (torch.arange(6).reshape(2, 3), torch.rand(3, 4).t(), torch.rand(4, 4)[1:, ::2], torch.tensor(2.0),
                      torch.ones(0, 3), torch.ones(2, dtype=torch.bfloat16), torch.ones(2).half(), torch.zeros(1, 1, 5),
                      torch.ones(2, dtype=torch.uint8), torch.rand(2, 3)[:, :1], torch.rand(3).expand(2, 3)):
                result = f(x, 2)
                self.assertEqual(result.dtype, x.dtype)
                self.assertEqual(result.device, x.device)
                self.assertTrue(torch.equal(result, x + 2))
                self.assertEqual((result.requires_grad, result.is_leaf), (False, True))

    def test_bools(self):
        @jit.script
        def f(x):
            return x > 1, x.to(torch.bool)

        f(torch.ones(2))
        with in_cpp(f):
            large, there = f(torch.tensor([0, 2]))
        self.assertEqual((large.dtype, large.tolist(), there.tolist()), (torch.bool, [False, True], [False, True]))

    def test_identity(self):
        @jit.script
        def f(x, y):
            return x, (y, [x])

        @jit.script
        def reshaped(x):
            return x.t_()

        @jit.script
        def view(x):
            return x[0], x.view(-1)

        x, y = torch.rand(2, 3), torch.nn.Parameter(torch.rand(2), requires_grad=False)
        f(x, y), view(x)
        with in_cpp(f):
            a, (b, (c,)) = f(x, y)
            self.assertIs(a, x)
            self.assertIs(b, y)
            self.assertIs(c, x)
            one, two = f(x, x)[0], f(x, x)[1][0]
            self.assertIs(one, two)
            row, flat = view(x)
            flat[0] = 7
        self.assertEqual(x[0, 0], 7)
        self.assertEqual(row[0], 7)
        turned = reshaped(x)
        self.assertEqual((tuple(turned.shape), tuple(x.shape)), ((3, 2), (2, 3)))

    def test_writes_are_seen(self):
        @jit.script
        def f(x, y):
            x.add_(1)
            return x + y

        x = torch.zeros(2)
        f(x, x)
        with in_cpp(f):
            result = f(x, x)
        self.assertEqual((x.tolist(), result.tolist()), ([2, 2], [4, 4]))

    def test_other_results(self):
        @jit.script
        def table(x) -> Dict[str, torch.Tensor]:
            return {"x": x, "y": x + 1}

        @jit.script
        def pair(x):
            return Pair(x, x + 1)

        @jit.script
        def nothing(x):
            return None

        @jit.script
        def where(x):
            return x.device, x.dtype

        x = torch.ones(2)
        for f in (table, pair, nothing, where):
            f(x)
        with in_cpp(table):
            self.assertIs(table(x)["x"], x)
            self.assertEqual(table(x)["y"].tolist(), [2, 2])
            self.assertIs(pair(x).first, x)
            self.assertIsInstance(pair(x).second, torch.Tensor)
            self.assertIsNone(nothing(x))
            self.assertEqual(where(x)[0], torch.device("cpu"))

    def test_default_dtype(self):
        @jit.script
        def f(x):
            return torch.ones(2), x / 2

        whole = torch.ones(2, dtype=torch.int64)
        f(whole)
        with in_cpp(f):
            self.assertEqual([one.dtype for one in f(whole)], [torch.float32] * 2)
            torch.set_default_dtype(torch.double)
            try:
                self.assertEqual([one.dtype for one in f(whole)], [torch.float64] * 2)
            finally:
                torch.set_default_dtype(torch.float)
            self.assertEqual([one.dtype for one in f(whole)], [torch.float32] * 2)

    def test_random_numbers(self):
        @jit.script
        def f(x):
            return torch.rand_like(x)

        x = torch.ones(3)
        f(x)
        torch.manual_seed(3)
        made = f(x), torch.rand(3), f(x)
        torch.manual_seed(3)
        for one in made:
            self.assertTrue(torch.equal(one, torch.rand(3)))

    def test_errors(self):
        @jit.script
        def f(x, fails: bool):
            assert not fails, "it fails"
            return x

        x = torch.ones(2)
        f(x, False)
        before = sys.getrefcount(x)
        with in_cpp(f):
            with self.assertRaisesRegex(Exception, "it fails"):
                f(x, True)
            with self.assertRaisesRegex(Exception, "(?s)fails"):
                f(x)
            self.assertIs(f(x, False), x)
        self.assertEqual(sys.getrefcount(x), before)


@unittest.skipIf(torch is None, "needs torch")
class LeftToPython(TestCase):
    def assertLeftToPython(self, called, *args):
        with left_to_python(called) as made:
            result = called(*args)
        self.assertEqual(len(made), 1, "the call was not left to Python")
        return result

    def test_subclasses(self):
        f = jit.script(plus)
        x = torch.ones(2).as_subclass(Sees)
        f(torch.ones(2), 1)
        Sees.seen.clear()
        self.assertEqual(self.assertLeftToPython(f, x, 1).tolist(), [2, 2])
        self.assertIn("detach", Sees.seen)

    def test_modes(self):
        from torch.overrides import TorchFunctionMode
        seen = []

        class Mode(TorchFunctionMode):
            def __torch_function__(self, function, types, args=(), kwargs=None):
                seen.append(getattr(function, "__name__", ""))
                return function(*args, **(kwargs or {}))

        f = jit.script(plus)
        f(torch.ones(2), 1)
        with Mode():
            self.assertLeftToPython(f, torch.ones(2), 1)
        self.assertIn("detach", seen)
        with in_cpp(f):
            f(torch.ones(2), 1)

    def test_dispatch_modes(self):
        from torch.utils._python_dispatch import TorchDispatchMode
        seen = []

        class Mode(TorchDispatchMode):
            def __torch_dispatch__(self, function, types, args=(), kwargs=None):
                seen.append(str(function))
                return function(*args, **(kwargs or {}))

        f = jit.script(plus)
        x = torch.ones(2)
        f(x, 1)
        with Mode():
            self.assertLeftToPython(f, x, 1)
        self.assertTrue(any("add" in one for one in seen), seen)

    def test_lazy_tensors(self):
        f = jit.script(plus)
        x = torch.tensor([1 + 2j, 3 - 4j])
        for one in (x.conj(), x.conj().imag, torch._neg_view(torch.rand(3)), x):
            self.assertTrue(torch.equal(self.assertLeftToPython(f, one, 1), one + 1), one)

    def test_what_compiled_code_cannot_have(self):
        f = jit.script(plus)
        f(torch.ones(2), 1)
        with self.assertRaisesRegex(TypeError, "cannot take this tensor"):
            f(torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.quint8), 1)

    def test_sparse_tensors(self):
        f = jit.script(same)
        f(torch.ones(2))
        x = torch.eye(3).to_sparse()
        self.assertTrue(torch.equal(self.assertLeftToPython(f, x).to_dense(), torch.eye(3)))

    def test_tensors_without_memory(self):
        f = jit.script(plus)
        f(torch.ones(2), 1)
        zeros = torch._efficientzerotensor(3)
        with left_to_python(f) as made, contextlib.suppress(RuntimeError):
            f(zeros, 1)
        self.assertEqual(len(made), 1)

    def test_traces_of_torch(self):
        import warnings
        f = jit.script(plus)
        f(torch.ones(2), 1)
        with left_to_python(f) as made, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.jit.trace(lambda x: f(x, 1) * 2, (torch.ones(2),), check_trace=False)
        self.assertEqual(len(made), 1)

    def test_lists_of_others(self):
        import numpy
        f = jit.script(back)
        x = torch.rand(2)
        f([x])
        Sees.seen.clear()
        self.assertTrue(torch.equal(self.assertLeftToPython(f, [x, torch.ones(2).as_subclass(Sees)])[1], torch.ones(2)))
        self.assertIn("detach", Sees.seen)
        lazy = torch._neg_view(x)
        self.assertTrue(torch.equal(self.assertLeftToPython(f, [x, lazy])[1], lazy))
        given = self.assertLeftToPython(f, [x, numpy.ones(2, numpy.float32)])
        self.assertIs(given[0], x)
        self.assertEqual(given[1].tolist(), [1, 1])

    def test_named_tuples(self):
        @jit.script
        def f(pair: Pair):
            return pair.first

        x = torch.ones(2)
        f(Pair(x, x))
        self.assertIs(self.assertLeftToPython(f, Pair(x, x)), x)

    def test_lists_that_hold_themselves(self):
        f = jit.script(back)
        f([torch.ones(2)])
        loop = [torch.ones(2)]
        loop += [loop, loop]
        with left_to_python(f) as made, self.assertRaises(RecursionError):
            f(loop)
        self.assertEqual(len(made), 1)

    def test_functions_of_pythons(self):
        """One that resizes a tensor, which Python's code does not allow while compiled code has it."""
        class Resizes(torch.nn.Module):
            def forward(self, x):
                self.resize(x)
                return x + 1

            @jit.ignore
            def resize(self, x: torch.Tensor) -> None:
                with contextlib.suppress(RuntimeError):
                    x.resize_(100000)

        module = jit.script(Resizes())
        for _ in range(2):
            module(torch.ones(2))

    def test_tsc_tensors(self):
        import tsc
        f = jit.script(plus)
        self.assertIsInstance(f(tsc.ones(2), 1), tsc.Tensor)
        with in_cpp(f):
            self.assertIsInstance(f(tsc.ones(2), 1), tsc.Tensor)

        @jit.script
        def make(n: int):
            return torch.ones(n)

        self.assertIsInstance(make(2), tsc.Tensor)
        jit.use_torch(torch)
        try:
            with in_cpp(make):
                self.assertIsInstance(make(2), torch.Tensor)
        finally:
            jit.use_torch(None)


@unittest.skipIf(torch is None, "needs torch")
class Memory(TestCase):
    def test_nothing_is_kept(self):
        f = jit.script(plus)
        x = torch.ones(2)
        f(x, 1)
        before = sys.getrefcount(x)
        with in_cpp(f):
            for _ in range(100):
                f(x, 1)
        self.assertEqual(sys.getrefcount(x), before)
        x = torch.ones(2)
        f(x, 1)
        x.resize_(1000).fill_(3)  # compiled code has it no longer
        self.assertEqual(f(x, 1)[999], 4)

    def test_views_keep_memory(self):
        @jit.script
        def view(x):
            return x[1:]

        view(torch.ones(2))
        with in_cpp(view):
            assert_keeps_memory(self, view)

    def test_what_modules_keep(self):
        for fails in (False, True):
            module = jit.script(Keeps())
            module(torch.ones(2), False)
            x = torch.arange(100000.0)
            with in_cpp(module), contextlib.suppress(Exception):
                module(x, fails)
            with self.assertRaises(RuntimeError):
                x.resize_(10000000)

    def test_moved_tensors(self):
        """What the code has moved elsewhere is not torch's any more."""
        @jit.script
        def f(x):
            x.resize_(1000)
            x.fill_(1)
            return x

        f(torch.ones(2))
        with in_cpp(f):
            x = torch.zeros(2)
            self.assertEqual(f(x).shape, (1000,))
            self.assertEqual(x.shape, (2,))

    def test_threads(self):
        f = jit.script(plus)
        f(torch.ones(1), 1)
        wrong = []

        def work(number):
            for i in range(200):
                if f(torch.full((3,), float(i)), number).tolist() != [i + number] * 3:
                    wrong.append((number, i))

        with in_cpp(f):
            threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
            for one in threads:
                one.start()
            for one in threads:
                one.join()
        self.assertEqual(wrong, [])


@unittest.skipIf(torch is None, "needs torch")
class Modules(TestCase):
    def test_usual_calls_run_no_python(self):
        linear = torch.nn.Linear(3, 4)
        module = jit.script(linear)
        x = torch.rand(2, 3)
        module(x)
        with in_cpp(module):
            torch.testing.assert_close(module(x), linear(x))
            with torch.no_grad():
                result = module(x)
        self.assertFalse(result.requires_grad)

    def test_gradients(self):
        linear = torch.nn.Linear(3, 4)
        module = jit.script(linear)
        x = torch.rand(2, 3, requires_grad=True)
        module(x)
        with in_cpp(module):
            found = torch.autograd.grad(module(x).sum(), [x, *module.parameters()])
        for a, b in zip(found, torch.autograd.grad(linear(x).sum(), [x, *linear.parameters()])):
            torch.testing.assert_close(a, b)
        linear.requires_grad_(False)
        with in_cpp(module):
            self.assertTrue(module(x).requires_grad)
            self.assertFalse(module(x.detach()).requires_grad)
        linear.requires_grad_()
        with in_cpp(module):
            self.assertTrue(module(x.detach()).requires_grad)

    def test_training(self):
        torch.manual_seed(0)
        original = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
        import copy
        module = jit.script(copy.deepcopy(original))
        x = torch.rand(5, 3)
        module(x)
        for one in (module, original):
            optimizer = torch.optim.SGD(one.parameters(), lr=0.1)
            with in_cpp(one) if one is module else contextlib.nullcontext():
                for _ in range(5):
                    optimizer.zero_grad()
                    one(x).pow(2).sum().backward()
                    optimizer.step()
        for a, b in zip(module.parameters(), original.parameters()):
            torch.testing.assert_close(a, b)

    def test_gradients_of_functions(self):
        @jit.script
        def f(x, y):
            return x * y, [y * y], x + 1

        x, y = torch.ones(2), torch.full((2,), 3.0, requires_grad=True)
        f(x, y)
        with in_cpp(f):
            product, (square,), plain = f(x, y)
            self.assertEqual((product.requires_grad, square.requires_grad, plain.requires_grad), (True, True, False))
            (product + square).sum().backward()
            with torch.no_grad():
                self.assertFalse(f(x, y)[0].requires_grad)
        self.assertEqual(y.grad.tolist(), [7, 7])

    def test_leaves_that_compiled_code_makes(self):
        @jit.script
        def f(x):
            return torch.ones(2, requires_grad=True)

        f(torch.ones(2))
        with in_cpp(f):
            leaf = f(torch.ones(2))
        self.assertTrue(leaf.requires_grad and leaf.is_leaf)

    def test_parameters_that_come_back(self):
        module = jit.script(GivesWeight(2.0))
        x = torch.ones(2)
        module(x)
        with in_cpp(module):
            self.assertIs(module(x), module.weight)
            with torch.no_grad():
                self.assertIs(module(x), module.weight)

    def test_replaced_parameters(self):
        module = jit.script(Scale(2.0))
        x = torch.ones(2)
        module(x)
        with in_cpp(module), torch.no_grad():
            module.weight = torch.nn.Parameter(torch.full((2,), 3.0))
            self.assertEqual(module(x).tolist(), [3, 3])
            module.weight.data = torch.full((2,), 4.0)
            self.assertEqual(module(x).tolist(), [4, 4])
            module.weight.mul_(2)
            self.assertEqual(module(x).tolist(), [8, 8])
            module.double()
            self.assertEqual(module(x.double()).dtype, torch.double)
            module.weight.requires_grad_(False)
        with in_cpp(module):
            self.assertFalse(module(x).requires_grad)

    def test_turned_parameters(self):
        module = torch.nn.Linear(2, 2, bias=False)
        module = jit.script(module)
        x = torch.eye(2)
        module(x)
        with in_cpp(module), torch.no_grad():
            module.weight.data = module.weight.data.t()  # the same memory and sizes
            torch.testing.assert_close(module(x), x @ module.weight.t())

    def test_buffers_that_code_assigns(self):
        module = jit.script(Counts())
        x = torch.ones(2)
        module(x)
        calls = module.calls
        with in_cpp(module):
            for i in range(3):
                module(x * i + x)
                self.assertEqual(module.last.tolist(), [2 * i + 2] * 2)
                self.assertIs(module._buffers["last"], module.last)
        self.assertIs(module.calls, calls)
        self.assertEqual(calls.item(), 4)

    def test_hooks(self):
        module = jit.script(Scale(2.0))
        x = torch.ones(2)
        module(x)
        seen = []
        handle = module.register_forward_hook(lambda *given: seen.append(1))
        module(x)
        handle.remove()
        before = module.register_forward_pre_hook(lambda module, given: seen.append(2))
        module(x)
        before.remove()
        with in_cpp(module):
            module(x)
        self.assertEqual(seen, [1, 2])

    def test_replaced_modules(self):
        module, other = jit.script(Outer()), jit.script(Outer())
        x = torch.ones(2)
        module(x)
        with torch.no_grad():
            other.inner.weight.fill_(5)
            module.inner = other.inner
            self.assertEqual(module(x).tolist(), [5, 5])
            other.inner.weight = torch.nn.Parameter(torch.full((2,), 6.0))
            self.assertEqual(module(x).tolist(), [6, 6])

    def test_modules_go_away(self):
        import weakref
        module = jit.script(Outer())
        module(torch.ones(2))
        module(torch.ones(2)).sum().backward()
        module.register_forward_hook(lambda *_: module)  # it holds itself
        weight, whole = weakref.ref(module.inner.weight), weakref.ref(module)
        jit.script(plus)(torch.ones(1), 1)  # the last call is known
        del module
        gc.collect()
        self.assertIsNone(whole())
        self.assertIsNone(weight())

    def test_last_executed_graph(self):
        f, module = jit.script(plus), jit.script(Scale(2.0))
        for _ in range(2):
            f(torch.ones(2), 1)
            self.assertIn("aten::add", str(jit.last_executed_optimized_graph()))
            module(torch.ones(2))
            self.assertIn("aten::mul", str(jit.last_executed_optimized_graph()))

    def test_loaded_modules(self):
        import io
        module = jit.script(Outer())
        loaded = jit.load(io.BytesIO(module.save_to_buffer()))
        x = torch.ones(2)
        loaded(x)
        with in_cpp(loaded):
            self.assertEqual(loaded(x).tolist(), [2, 2])
            loaded.inner.weight.data.fill_(3)
            self.assertEqual(loaded(x).tolist(), [3, 3])

    def test_traced_modules(self):
        module = torch.nn.Linear(3, 4)
        traced = jit.trace(module, torch.rand(2, 3))
        x = torch.rand(5, 3)
        traced(x)
        with in_cpp(traced):
            torch.testing.assert_close(traced(x), module(x))


if __name__ == "__main__":
    unittest.main()
