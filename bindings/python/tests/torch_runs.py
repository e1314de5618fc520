"""What test_torch_runs.py tests, where torch is."""

import gc
import io
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
from typing import Dict, List, NamedTuple

import torch
from torch import nn

from tsc import jit

warnings.simplefilter("ignore")


def autocast():
    return torch.autocast("cpu", dtype=torch.bfloat16)


def scaled(x, k: int = 2):
    if k > 1:
        x = x * k
    return x + 1


def multiplied(a, b):
    return a @ b


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)
        self.scale = 2.0

    def forward(self, x):
        if x.sum() > 0:
            return self.linear(x) * self.scale
        return self.linear(x)

    @jit.export
    def halved(self, x):
        return self.linear(x) / 2


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)
        self.conv = nn.Conv1d(3, 3, 1)
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return self.norm(self.conv(x))


class Interpreter(unittest.TestCase):
    def assertSame(self, one, other):
        self.assertEqual(one.dtype, other.dtype)
        self.assertTrue(torch.allclose(one, other, rtol=1e-6, atol=1e-7), f"{one}\n{other}")


def without_gradients(x):
    with torch.no_grad():
        y = x @ x
    return y


def forks(x):
    return torch.jit.wait(torch.jit.fork(multiplied, x, x)) + 1


class Pair(NamedTuple):
    first: torch.Tensor
    second: int


class Scale:
    def __init__(self, factor: int):
        self.factor = factor

    def apply(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.factor


def multiplied_thrice(x):
    return multiplied(multiplied(x, x), x)


class Twice(nn.Module):
    """Has one submodule under two names."""

    def __init__(self):
        super().__init__()
        self.one = nn.Linear(3, 3)
        self.other = self.one

    def forward(self, x):
        return self.other(self.one(x))


class Names(nn.Module):
    """Has names that compiled modules have in Python, too."""

    def __init__(self):
        super().__init__()
        self.original_name, self.code, self.graph = "mine", 2, [3.0]

    def forward(self, x):
        if self.original_name == "mine":
            return x * self.code * self.graph[0]
        return x * 100

    @jit.export
    def half(self, x):
        return x / 2


class Traces(Interpreter):
    @staticmethod
    def loaded(module):
        return jit.load(io.BytesIO(jit.script(module).save_to_buffer()))

    def test_functions(self):
        f = jit.script(scaled)
        traced = torch.jit.trace(lambda x: f(x, k=3) + f(x), torch.ones(3))
        x = torch.rand(3)
        self.assertSame(traced(x), scaled(x, 3) + scaled(x))

    def test_branches_stay(self):
        class Outer(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = jit.script(Layers())

            def forward(self, x):
                return self.inner(x) + self.inner.halved(x)

        outer = Outer()
        traced = torch.jit.trace(outer, torch.ones(2, 3))
        archive = io.BytesIO()
        torch.jit.save(traced, archive)
        read = torch.jit.load(io.BytesIO(archive.getvalue()))
        for x in (torch.ones(4, 3), -torch.ones(4, 3)):
            self.assertSame(traced(x), outer(x))
            self.assertSame(read(x), outer(x))
        with torch.no_grad():  # the trace has the parameters themselves
            outer.inner.linear.weight.mul_(3)
        self.assertSame(traced(torch.ones(4, 3)), outer(torch.ones(4, 3)))

    def test_archives_are_traced(self):
        loaded = jit.load(io.BytesIO(jit.script(Layers()).save_to_buffer()))
        traced = torch.jit.trace(loaded, torch.ones(2, 3))
        self.assertSame(traced(-torch.ones(2, 3)), loaded(-torch.ones(2, 3)))

    def test_state_is_refused(self):
        with self.assertRaisesRegex(jit.NotSupportedError, "torch.jit.trace takes part.*Counting.forward.*attribute 'calls'"):
            torch.jit.trace(jit.script(Counting()), torch.rand(2, 3, 4))

    def test_python_is_refused(self):
        @jit.ignore
        def secret(x):
            return x

        def calls(x):
            return secret(x)

        f = jit.script(calls)
        with self.assertRaisesRegex(jit.NotSupportedError, "torch has to run calls, and it cannot"):
            torch.jit.trace(lambda x: f(x), torch.ones(2))

    def test_objects_are_refused(self):
        scale = jit.script(Scale(2))
        with self.assertRaisesRegex(jit.NotSupportedError, "Scale.apply, and it cannot: it is a method of an object"):
            torch.jit.trace(lambda x: scale.apply(x), torch.ones(2))

        def makes(x):
            return Scale(3).apply(x)

        f = jit.script(makes)
        with self.assertRaisesRegex(jit.NotSupportedError, "it makes an object of the class"):
            torch.jit.trace(lambda x: f(x), torch.ones(2))

    def test_what_the_body_needs_stays(self):
        x = torch.rand(3, 3)
        for function in (forks, multiplied_thrice):
            f = jit.script(function)
            made = jit.to_torch(f)
            traced = torch.jit.trace(lambda x: f(x), x)
            archive = io.BytesIO()
            torch.jit.save(traced, archive)
            read = torch.jit.load(io.BytesIO(archive.getvalue()))
            expected = function(x)
            del f
            gc.collect()
            for one in (made, traced, read):
                self.assertSame(one(x), expected)

    def test_names_of_pythons(self):
        traced = torch.jit.trace(jit.script(Names()), torch.ones(2))
        self.assertSame(traced(torch.ones(3)), torch.full((3,), 6.0))

    def test_a_submodule_of_two_names(self):
        loaded = self.loaded(Twice())
        x = torch.rand(2, 3)
        traced = torch.jit.trace(loaded, x)
        self.assertSame(traced(x), loaded(x))

    def test_symbolic_traces(self):
        from torch.fx.experimental.proxy_tensor import make_fx
        f = jit.script(scaled)
        graph = make_fx(lambda x: f(x) * x)(torch.ones(3))
        x = torch.rand(3)
        self.assertSame(graph(x), scaled(x) * x)
        self.assertEqual([node.op for node in graph.graph.nodes].count("get_attr"), 0)

    @unittest.skipUnless(hasattr(torch, "export"), "needs torch.export")
    def test_exported_programs(self):
        class Outer(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = jit.script(nn.Linear(3, 2))

            def forward(self, x):
                return self.inner(x).relu()

        outer = Outer()
        program = torch.export.export(outer, (torch.ones(2, 3),))
        self.assertSame(program.module()(torch.full((2, 3), 0.5)), outer(torch.full((2, 3), 0.5)))


class Casts(Interpreter):
    def test_functions(self):
        a = torch.rand(3, 3)
        with autocast():
            self.assertSame(jit.script(multiplied)(a, a), a @ a)
        self.assertSame(jit.script(multiplied)(a, a), a @ a)

    def test_modules_keep_their_state(self):
        ours, theirs = jit.script(Counting()), torch.jit.script(Counting())
        theirs.load_state_dict(ours.state_dict())
        x = torch.randn(4, 3, 5)
        with autocast():
            for _ in range(2):
                result, expected = ours(x), theirs(x)
                self.assertSame(result, expected)
        result.float().sum().backward()
        expected.float().sum().backward()
        self.assertSame(ours.conv.weight.grad, theirs.conv.weight.grad)
        self.assertSame(ours.norm.running_var, theirs.norm.running_var)
        self.assertEqual((int(ours.norm.num_batches_tracked), ours.calls), (2, 2))
        ours(x)
        self.assertEqual((int(ours.norm.num_batches_tracked), ours.calls), (3, 3))

    def test_attributes_that_hold_tensors(self):
        class Remembers(nn.Module):
            seen: List[torch.Tensor]
            names: Dict[str, int]

            def __init__(self):
                super().__init__()
                self.seen, self.names, self.last = [], {"a": 1}, torch.zeros(1)

            def forward(self, x):
                self.seen.append(x)
                self.names["b"] = len(self.seen)
                self.last = x @ x
                return self.last

        net, x = jit.script(Remembers()), torch.ones(2, 2)
        with autocast():
            net(x), net(x)
        self.assertEqual((len(net.seen), net.names, net.last.dtype), (2, {"a": 1, "b": 2}, torch.bfloat16))
        net(x)
        self.assertEqual((len(net.seen), net.names, net.last.dtype), (3, {"a": 1, "b": 3}, torch.float32))

    def test_functions_of_every_kind(self):
        x = torch.rand(3, 3)
        with autocast():
            for function in (without_gradients, forks, multiplied_thrice):
                f = jit.script(function)
                self.assertSame(f(x), torch.jit.script(function)(x))

    def test_arguments(self):
        def defaults(x, t: torch.Tensor = torch.full((2,), 2.0), d: torch.device = torch.device("cpu"), *, k: int = 1):
            return (x @ x) * t.to(d) * k

        f, x = jit.script(defaults), torch.rand(2, 2)
        with autocast():
            self.assertSame(f(x, k=2), defaults(x, k=2))
            self.assertSame(f(x.numpy()), f(x))
            for wrong in (lambda: f(), lambda: f(x, x, torch.device("cpu"), 4, 5), lambda: f(x, z=1), lambda: f(x, x=x)):
                with self.assertRaises(RuntimeError):
                    wrong()

    def test_exceptions(self):
        def raises(x, n: int):
            if n == 0:
                raise ValueError("no")
            assert n > 1, "one"
            return [x][n]

        f, x = jit.script(raises), torch.ones(1)
        with autocast():
            for n in (0, 1):
                with self.assertRaises(jit.Error):
                    f(x, n)
            if "builtins.ValueError" in str(self.error_of(torch.jit.script(raises), x, 0)):
                with self.assertRaises(ValueError):
                    f(x, 0)
            with self.assertRaises(RuntimeError):
                f(x, 5)

    @staticmethod
    def error_of(function, *args):
        try:
            function(*args)
        except Exception as error:
            return error

    def test_objects(self):
        def gives(x) -> Pair:
            return Pair(x @ x, 2)

        def takes(x, scale: Scale):
            return scale.apply(x)

        f, g = jit.script(gives), jit.script(takes)
        with autocast():
            result = f(torch.ones(1, 1))
            self.assertIsInstance(result, Pair)
            self.assertEqual((result.first.dtype, result.second), (torch.bfloat16, 2))
            with self.assertRaisesRegex(jit.NotSupportedError, "it takes or gives objects of the class .*Scale"):
                g(torch.ones(1), Scale(2))

    def test_names_of_pythons(self):
        net, x = jit.script(Names()), torch.ones(2)
        with autocast():
            self.assertSame(net(x), net.forward(x))
            self.assertSame(net(x), torch.full((2,), 6.0))
            self.assertSame(net.half(x), torch.full((2,), 0.5))

    def test_a_submodule_of_two_names(self):
        loaded, x = Traces.loaded(Twice()), torch.rand(2, 3)
        expected = loaded(x)
        with autocast():
            self.assertTrue(torch.allclose(loaded(x).float(), expected, atol=0.1))

    def test_properties(self):
        class Has(nn.Module):
            def __init__(self):
                super().__init__()
                self.k = 2

            @property
            def twice(self) -> int:
                return self.k * 2

            @property
            def tensor(self) -> torch.Tensor:
                return torch.ones(2) * self.k

            def forward(self, x):
                return x * self.twice + self.tensor

        net = jit.script(Has())
        with autocast():
            self.assertEqual(net.twice, 4)
            self.assertSame(net(torch.ones(2)), torch.full((2,), 6.0))
            with self.assertRaisesRegex(jit.NotSupportedError, "the property Has.tensor.*archives have no properties"):
                _ = net.tensor

    def test_lists_that_may_be_one(self):
        class Lists(nn.Module):
            a: List[int]
            b: List[int]

            def __init__(self):
                super().__init__()
                self.a, self.b = [1], [1]

            def forward(self, x):
                self.b = self.a
                return x

        net = jit.script(Lists())
        with autocast(), self.assertRaisesRegex(jit.NotSupportedError, "assigns a list or dict to the attribute 'b'"):
            net(torch.ones(1))

    def test_functions_of_pythons(self):
        class Calls(nn.Module):
            @jit.ignore
            def outside(self, x) -> torch.Tensor:
                return x * 3

            def forward(self, x):
                return self.outside(x)

        net = jit.script(Calls())
        with autocast():
            self.assertSame(net.outside(torch.ones(1)), torch.full((1,), 3.0))
            with self.assertRaisesRegex(jit.NotSupportedError, "torch.autocast takes part"):
                net(torch.ones(1))

    def test_threads(self):
        class Reads(nn.Module):
            def __init__(self):
                super().__init__()
                self.t = torch.rand(3)
                self.linear = nn.Linear(3, 3)

            def forward(self, x):
                return self.linear(x) * self.t

        net, x, failures = jit.script(Reads()), torch.rand(2, 3), []
        with autocast(), torch.no_grad():
            expected = net(x)

        def work():
            try:
                with autocast(), torch.no_grad():
                    for _ in range(200):
                        if not torch.equal(net(x), expected):
                            failures.append("differs")
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_without_torch(self):
        text = """if True:
            import sys
            sys.modules["torch"] = None
            import tsc
            @tsc.jit.script
            def f(x: tsc.Tensor, n: int = 2):
                return x * n
            print(f(x=tsc.ones(1), n=3).item())"""
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write(text)
            file.flush()
            done = subprocess.run([sys.executable, file.name], stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(done.stdout, "3.0\n")

    def test_attributes_that_torch_cannot_have(self):
        class Holds(nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = Scale(2)

            def forward(self, x):
                return x * self.scale.factor

        net = jit.script(Holds())
        with autocast(), \
                self.assertRaisesRegex(jit.NotSupportedError, "torch.autocast takes part.*Holds.forward.*attribute 'scale'"):
            net(torch.ones(2))

    def test_methods_that_come_later(self):
        net, x = jit.script(Layers()), torch.ones(1, 3)
        with autocast():
            net(x)
            net.define("def third(self, x):\n    return self.linear(-x)\n")
            self.assertSame(net.third(x), net.linear(-x))

    def test_mode_of_training(self):
        ours, live = jit.script(Counting()), Counting()
        live.load_state_dict(ours.state_dict())
        ours.eval(), live.eval()
        x = torch.randn(4, 3, 5)
        with autocast():
            self.assertSame(ours(x), live(x))


class Derivatives(Interpreter):
    def test_tangents(self):
        import torch.autograd.forward_ad as forward
        f = jit.script(scaled)
        f(torch.ones(3))
        with forward.dual_level():
            tangent = forward.unpack_dual(f(forward.make_dual(torch.ones(3), torch.arange(3.0)))).tangent
        self.assertSame(tangent, 2 * torch.arange(3.0))

    @unittest.skipUnless(hasattr(torch, "func"), "needs torch.func")
    def test_transformations(self):
        from torch import func
        x, f, net = torch.rand(3), jit.script(scaled), jit.script(Layers())
        f(x), net(x[None])
        self.assertSame(func.grad(lambda x: (f(x) * x).sum())(x), 4 * x + 1)
        self.assertSame(func.jacrev(f)(x), 2 * torch.eye(3))
        self.assertSame(torch.vmap(f)(torch.ones(4, 3)), torch.full((4, 3), 3.0))

        def loss(parameters):
            return func.functional_call(net, parameters, (x[None],)).sum()

        parameters = dict(net.named_parameters())
        found = func.grad(loss)(parameters)
        loss(parameters).backward()
        self.assertSame(found["linear.weight"].detach(), net.linear.weight.grad)


class WithoutElements(Interpreter):
    def test_meta_tensors(self):
        result = jit.script(scaled)(torch.ones(2, 3, device="meta"))
        self.assertEqual((result.device.type, tuple(result.shape)), ("meta", (2, 3)))

    def test_attributes_without_elements(self):
        class Remembers(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("last", torch.zeros(2))
                self.calls = 0

            def forward(self, x):
                self.calls += 1
                self.last = x + 1
                return x

        net = jit.script(Remembers())
        with self.assertRaisesRegex(jit.NotSupportedError, "assigns the attribute 'last' what is computed with a tensor on"):
            net(torch.ones(2, device="meta"))
        self.assertEqual((net.calls, net.last.tolist()), (0, [0.0, 0.0]))
        net(torch.ones(2))
        self.assertEqual((net.calls, net.last.tolist()), (1, [2.0, 2.0]))

    def test_modes(self):
        from torch.utils._python_dispatch import TorchDispatchMode
        seen = []

        class Mode(TorchDispatchMode):
            def __torch_dispatch__(self, function, types, args=(), kwargs=None):
                seen.append(str(function))
                return function(*args, **(kwargs or {}))

        net = jit.script(Layers())
        with Mode():
            result = net(torch.ones(1, 3))
        self.assertTrue(any("addmm" in one for one in seen), seen)
        self.assertSame(result, net(torch.ones(1, 3)))


class ToTorch(Interpreter):
    def test_functions(self):
        made = jit.to_torch(jit.script(scaled))
        self.assertIsInstance(made, torch.jit.ScriptFunction)
        self.assertSame(made(torch.ones(3), 3), torch.full((3,), 4.0))

    def test_modules(self):
        ours = jit.script(Layers())
        made = jit.to_torch(ours)
        self.assertIsInstance(made, torch.jit.ScriptModule)
        self.assertSame(made(torch.ones(1, 3)), ours(torch.ones(1, 3)))
        self.assertSame(made.halved(torch.ones(1, 3)), ours.halved(torch.ones(1, 3)))

    def test_others(self):
        with self.assertRaisesRegex(TypeError, "to_torch takes what tsc.jit compiled, and not an object of type int"):
            jit.to_torch(3)

