"""Traces of functions and live modules of torch's."""

import collections
import io
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

try:
    import torch
except ImportError:
    torch = None
else:
    from tsc import jit


def kinds(graph):
    """Returns the kinds of a graph's nodes, without constants."""
    return [node.kind() for node in graph.nodes() if node.kind() != "prim::Constant"]


@unittest.skipIf(torch is None, "needs torch")
class TraceCase(unittest.TestCase):
    def setUp(self):
        jit.use_torch(torch)
        torch.manual_seed(1)

    def assert_close(self, one, other):
        torch.testing.assert_close(one, other)


class TestFunctions(TraceCase):
    def test_graphs_have_the_types_of_the_example(self):
        def f(x, y):
            return (x + y).type_as(x)

        traced = jit.trace(f, (torch.rand(2, 3), torch.rand(3)))
        kind = "Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)"
        self.assertEqual([one.type().str() for one in traced.graph.inputs()],
                         [kind, "Float(3, strides=[1], requires_grad=0, device=cpu)"])
        self.assertTrue(next(traced.graph.outputs()).type().str().startswith("Float(2, 3"))
        other = jit.create_function_from_graph("other", traced.graph)
        self.assertEqual(other(torch.rand(4, 5).double(), torch.rand(5)).shape, (4, 5))
        self.assertEqual(traced(torch.rand(4, 5).double(), torch.rand(5)).dtype, torch.double)

    def test_the_first_call_of_a_process(self):
        text = """if True:
            import torch
            from tsc import jit
            @jit.script
            def f(x):
                return x + 1
            print([node.kind() for node in jit.trace(lambda x: f(x), torch.ones(1)).graph.nodes()])"""
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write(text)
            file.flush()
            done = subprocess.run([sys.executable, file.name], stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(done.stdout, "['prim::Constant', 'prim::CallFunction']\n")

    def test_operators(self):
        def f(x, y):
            return torch.sigmoid(torch.tanh(x * (x + y)))

        traced = jit.trace(f, (torch.rand(3), torch.rand(3)))
        self.assertEqual(kinds(traced.graph), ["aten::add", "aten::mul", "aten::tanh", "aten::sigmoid"])
        x, y = torch.rand(2, 3), torch.rand(3)
        self.assert_close(traced(x, y), f(x, y))
        self.assert_close(traced(y=y, x=x), f(x, y))

    def test_gradients(self):
        def f(x):
            return (x * x).sum()

        x = torch.rand(3, requires_grad=True)
        jit.trace(f, torch.rand(3))(x).backward()
        self.assert_close(x.grad, 2 * x.detach())

    def test_sizes_are_computed(self):
        def f(x):
            return x.view(x.shape[1] * 2, x.size(0), 2) + torch.zeros(x.size(0), 2).sum() + x.numel() // 4

        traced = jit.trace(f, torch.randn(5, 2, 4))
        x = torch.randn(4, 8, 4)
        self.assert_close(traced(x), f(x))

    def test_arithmetic_on_sizes(self):
        def f(x):
            n = x.size(0)
            return x * (n / 2) + 3 / (n + x) - n % 3 + -n + (n - 1) // 2 + n * 0.5

        traced = jit.trace(f, torch.rand(4, 2))
        x = torch.rand(7, 2)
        self.assert_close(traced(x), f(x))

    def test_operators_on_sizes(self):
        def f(x):
            half = torch.div(x.size(1), 2, rounding_mode="trunc")
            return x.view(x.size(0), half, x.size(1) // half).sum(2), half

        traced = jit.trace(f, torch.rand(2, 4))
        for columns in (4, 10):
            x = torch.rand(3, columns)
            for one, expected in zip(traced(x), f(x)):
                self.assertTrue(torch.equal(one, torch.as_tensor(expected)))

    def test_roundings_of_sizes(self):
        def f(x):  # as authors write it for torch.jit.trace, whose sizes are tensors
            return x.new_zeros(x.size(0), torch.ceil(x.size(1) / 2).to(torch.int64))

        traced = jit.trace(f, torch.rand(2, 5), check_trace=False)
        self.assertEqual(traced(torch.rand(3, 9)).shape, (3, 5))

    def test_dropout_in_place(self):
        def f(x):
            return torch.nn.functional.dropout(x * 2, 0.5, True, inplace=True)

        traced = jit.trace(f, torch.rand(3, 4), check_trace=False)
        x = torch.rand(5, 4)
        torch.manual_seed(7)
        expected = f(x)
        torch.manual_seed(7)
        self.assert_close(traced(x), expected)

    @unittest.skipUnless(hasattr(torch, "_grouped_mm"), "needs a current torch")
    def test_products_of_groups(self):
        def f(a, b, ends):
            return torch._grouped_mm(a, b, ends)

        ends = torch.tensor([1, 5, 8], dtype=torch.int32)
        for a, b in (((8, 4), (3, 4, 8)), ((4, 8), (8, 4)), ((3, 4, 8), (8, 8))):
            a, b = torch.rand(a, requires_grad=True), torch.rand(b, requires_grad=True)
            traced = jit.trace(f, (a, b, ends), check_trace=False)
            for groups in (ends, torch.tensor([2, 2, 8], dtype=torch.int32)):
                self.assert_close(traced(a, b, groups), f(a, b, groups))
                given, expected = (torch.autograd.grad(g(a, b, groups).square().sum(), (a, b)) for g in (traced, f))
                self.assert_close(given, expected)

    def test_size_of_one_value_in_two_places(self):
        def f(x):  # the 2 is a 2, and the size is a size
            return x.repeat(2, x.size(0))

        traced = jit.trace(f, torch.rand(2, 2))
        x = torch.rand(3, 1)
        self.assert_close(traced(x), f(x))

    def test_slices_by_sizes(self):
        def f(x):
            return x[:x.size(0) - 1, 1:x.size(1), None], x[..., x.size(2) - 1], x[0:5, 0]

        traced = jit.trace(f, torch.rand(5, 4, 3))
        x = torch.rand(7, 6, 5)
        for one, other in zip(traced(x), f(x)):
            self.assert_close(one, other)

    def test_slices_by_tensors(self):
        def f(x, n):
            return x[:n] * 2, x.topk(n, dim=0)[0]

        traced = jit.trace(f, (torch.rand(5, 2), torch.tensor(3)))
        x, n = torch.rand(6, 2), torch.tensor(2)
        for one, other in zip(traced(x, n), f(x, n)):
            self.assert_close(one, other)

    def test_writes(self):
        def f(x, y):
            x[:, 2] = y + 1
            x[0] = 3
            x.view(-1).mul_(2)
            return x

        traced = jit.trace(f, (torch.rand(3, 4), torch.rand(3)))
        x, y = torch.rand(5, 6), torch.rand(5)
        given = x.clone()
        self.assert_close(traced(given, y), f(x.clone(), y))
        self.assert_close(given, f(x.clone(), y))  # the argument was written, as by the function

    def test_writes_to_constants(self):
        def f(x):
            y = torch.tensor([1.0, 2.0])
            y += x
            return y * 2

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            traced = jit.trace(f, torch.rand(2))
        x = torch.rand(2)
        self.assert_close(traced(x), f(x))
        self.assert_close(traced(x), f(x))  # another run begins with the same numbers

    def test_masks(self):
        def f(x):
            x = x.clone()
            x[x > 0.5] = 0
            return x[x[:, 0] > 0.2]

        traced = jit.trace(f, torch.rand(4, 3))
        x = torch.rand(6, 3)
        self.assert_close(traced(x), f(x))

    def test_containers(self):
        Point = collections.namedtuple("Point", "x y")

        def f(p, d, l):
            return p.x + p.y, (d["a"] * l[0][1],)

        example = (Point(torch.rand(2), torch.rand(2)), {"a": torch.rand(2), "b": torch.rand(2)},
                   [(torch.rand(2), torch.rand(2))])
        traced = jit.trace(f, example)
        first, (second,) = traced(*example)
        self.assert_close(first, f(*example)[0])
        self.assert_close(second, f(*example)[1][0])

    def test_same_tensor_twice(self):
        x = torch.rand(2)
        traced = jit.trace(lambda a, b: a - b, (x, x))
        self.assert_close(traced(torch.ones(2), torch.zeros(2)), torch.ones(2))

    def test_keyword_inputs(self):
        def f(x, y, z):
            return x - 2 * y + 3 * z

        values = {"y": torch.rand(2), "z": torch.rand(2), "x": torch.rand(2)}
        traced = jit.trace(f, example_kwarg_inputs=values)
        self.assert_close(traced(**values), f(**values))
        self.assertEqual([one.debugName() for one in traced.graph.inputs()], ["x", "y", "z"])

    def test_default_dtype(self):
        torch.set_default_dtype(torch.double)
        try:
            traced = jit.trace(lambda x: torch.zeros(x.size(0)), torch.rand(2))
            self.assertEqual(traced(torch.rand(3)).dtype, torch.double)
        finally:
            torch.set_default_dtype(torch.float)

    def test_constants_are_shared(self):
        constant = torch.ones(2)
        traced = jit.trace(lambda x: x + constant, torch.rand(2))
        self.assert_close(traced(torch.zeros(2)), constant)

    def test_save(self):
        traced = jit.trace(lambda x: x * 2, torch.rand(2))
        buffer = io.BytesIO()
        traced.save(buffer)
        buffer.seek(0)
        self.assert_close(jit.load(buffer)(torch.ones(3)), torch.full((3,), 2.0))

    def test_names_of_variables(self):
        def f(bar):
            foo = bar + 3
            return foo * foo

        self.assertRegex(str(jit.trace(f, torch.rand(2)).graph), r"%foo : Float\(.*\) = aten::add")

    def test_lines(self):
        traced = jit.trace(lambda x: x * 2, torch.rand(2))
        node = next(node for node in traced.graph.nodes() if node.kind() == "aten::mul")
        self.assertIn("test_trace_torch.py", node.sourceRange())

    def test_operator_that_is_made_of_others(self):
        def f(x):  # `heaviside` and its like are known; this one PyTorch makes of others
            return torch.special.expit(x) + torch.msort(x)

        traced = jit.trace(f, torch.rand(4))
        x = torch.rand(5)
        self.assert_close(traced(x), f(x))

    def test_tracing_ends_after_an_error(self):
        def f(x):
            raise KeyError("mine")

        with self.assertRaises(KeyError):
            jit.trace(f, torch.rand(2))
        self.assertFalse(jit.is_tracing())
        self.assertFalse(torch.jit.is_tracing())
        self.assertEqual(torch.rand(2)[0:1].shape, (1,))
        self.assertTrue(torch.is_grad_enabled())


class TestCompiledCode(TraceCase):
    def test_scripted_functions_keep_control_flow(self):
        @jit.script
        def twice_if_large(x):
            if bool(x.sum() > 1):
                return x * 2
            return x

        traced = jit.trace(lambda x: twice_if_large(x) + 1, torch.ones(3))
        self.assertIn("prim::CallFunction", kinds(traced.graph))
        self.assert_close(traced(torch.full((2,), 0.1)), torch.full((2,), 1.1))
        self.assert_close(traced(torch.ones(2)), torch.full((2,), 3.0))

    def test_script_if_tracing(self):
        @jit.script_if_tracing
        def repeated(x):
            for _ in range(int(x[0])):
                x = x + 1
            return x

        with warnings.catch_warnings():
            warnings.simplefilter("error")
            traced = jit.trace(lambda x: repeated(x) * 1, torch.ones(1))
        self.assert_close(traced(torch.full((1,), 3.0)), torch.full((1,), 6.0))

    def test_is_tracing(self):
        seen = []

        def f(x):
            seen.append((jit.is_tracing(), torch.jit.is_tracing()))
            return x * 2

        jit.trace(f, torch.rand(2), check_trace=False)
        self.assertEqual(seen, [(True, True)])
        self.assertFalse(jit.is_tracing())

    def test_scripted_modules(self):
        class Loop(torch.nn.Module):
            def forward(self, x, n: int = 2):
                for _ in range(n):
                    x = x + 1
                return x

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.loop = jit.script(Loop())

            def forward(self, x):
                return self.loop(x) * 2

        traced = jit.trace(Net(), torch.zeros(1))
        self.assertIn("prim::CallMethod", kinds(traced.graph))
        self.assert_close(traced(torch.ones(1)), torch.full((1,), 6.0))

    def test_strange_scripted_module(self):
        class Identity(torch.nn.Module):
            def forward(self, x):
                return x

        other = jit.script(Identity())
        with self.assertRaisesRegex(RuntimeError, "not part of the active trace"):
            jit.trace(lambda x: other(x), torch.rand(1))

    def test_traced_code_in_compiled_code(self):
        traced = jit.trace(lambda x: x * 3, torch.rand(2))

        @jit.script
        def f(x):
            return traced(x) + 1

        self.assert_close(f(torch.ones(2)), torch.full((2,), 4.0))

    def test_forks(self):
        def f(x):
            future = jit.fork(lambda y: (y.neg(), y + 1), x)
            one, other = jit.wait(future)
            return one * other

        traced = jit.trace(f, torch.rand(2))
        self.assertIn("prim::fork", kinds(traced.graph))
        x = torch.rand(3)
        self.assert_close(traced(x), f(x))

    def test_what_a_fork_leaks(self):
        leaked = []

        def f(x):
            jit.wait(jit.fork(lambda y: leaked.append(y + 1) or y, x))
            return leaked[-1]

        with self.assertRaisesRegex(RuntimeError, "did not have observable data dependence"):
            jit.trace(f, torch.rand(2))


class TestModules(TraceCase):
    def net(self):
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.linear = torch.nn.Linear(3, 4)
                self.layers = torch.nn.Sequential(torch.nn.Conv1d(1, 2, 2), torch.nn.BatchNorm1d(2), torch.nn.ReLU())
                self.lstm = torch.nn.LSTM(3, 4, 2)

            def forward(self, x):
                return self.layers(self.linear(x)[:, None]) + self.linear(x).sum() + self.lstm(x[None])[0].mean()

            def weighted(self, x):
                return self.linear.weight @ x

        return Net().eval()

    def test_submodules_have_methods(self):
        net = self.net()
        traced = jit.trace(net, torch.rand(2, 3))
        x = torch.rand(5, 3)
        self.assert_close(traced(x), net(x))
        self.assertIn("prim::CallMethod", kinds(traced.graph))
        self.assertIn("aten::lstm", kinds(traced.lstm.forward.graph))
        self.assertIn("self.linear", traced.code)
        with self.assertRaisesRegex(RuntimeError, "Trace submodules cannot be called"):
            traced.linear(x)

    def test_parameters_are_shared(self):
        net = self.net()
        traced = jit.trace(net, torch.rand(2, 3))
        self.assertEqual(list(traced.state_dict()), list(net.state_dict()))
        optimizer = torch.optim.SGD(traced.parameters(), lr=0.1)
        x = torch.rand(2, 3)
        traced(x).sum().backward()
        optimizer.step()
        self.assert_close(traced(x), net(x))
        net.linear.weight.data.zero_()
        self.assert_close(traced(x), net(x))

    def test_archives(self):
        net = self.net()
        traced = jit.trace(net, torch.rand(2, 3))
        buffer = io.BytesIO()
        traced.save(buffer)
        x = torch.rand(4, 3)
        self.assert_close(jit.load(io.BytesIO(buffer.getvalue()))(x), net(x))
        self.assert_close(torch.jit.load(io.BytesIO(buffer.getvalue()))(x), net(x))

    def test_several_methods(self):
        net = self.net()
        traced = jit.trace_module(net, {"forward": torch.rand(2, 3), "weighted": torch.rand(3, 1)})
        x = torch.rand(3, 2)
        self.assert_close(traced.weighted(x), net.weighted(x))

    def test_bound_forward(self):
        net = torch.nn.Linear(2, 2)
        x = torch.rand(1, 2)
        self.assert_close(jit.trace(net.forward, x)(x), net(x))
        with self.assertRaisesRegex(AttributeError, "Please use trace_module"):
            jit.trace(self.net().weighted, x)

    def test_parameter_as_input(self):
        class Adds(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.x = torch.nn.Parameter(torch.rand(3))

            def forward(self, y):
                return self.x + y

        net = Adds()
        traced = jit.trace(net, net.x)
        y = torch.rand(3)
        self.assert_close(traced(y), net.x + y)

    def test_hooks(self):
        net = torch.nn.Sequential(torch.nn.Linear(2, 2))
        net[0].register_forward_hook(lambda module, inputs, result: result * 2)
        x = torch.rand(1, 2)
        self.assert_close(jit.trace(net, x)(x), net(x))
        net.register_full_backward_hook(lambda *arguments: None)
        with self.assertRaisesRegex(ValueError, "backward hooks assigned"):
            jit.trace(net, x)

    def test_exported_methods(self):
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.step = 2

            @torch.jit.export
            def increased(self, x):
                if bool(x.sum() > 0):
                    x = x + self.step
                return x

            def forward(self, x):
                return (lambda a: a + 1)(x)

        traced = jit.trace(Net(), torch.zeros(1))
        self.assert_close(traced.increased(torch.ones(1)), torch.full((1,), 3.0))
        self.assert_close(traced.increased(-torch.ones(1)), -torch.ones(1))

    def test_traced_in_compiled(self):
        class Holder(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = jit.trace(torch.nn.Linear(2, 2), torch.rand(1, 2))

            def forward(self, x):
                return self.inner(x) + 1

        holder = Holder()
        x = torch.rand(3, 2)
        self.assert_close(jit.script(holder)(x), holder(x))

    def test_graphs_alone(self):
        net = torch.nn.Linear(3, 2)
        x = torch.rand(4, 3)
        graph, result, inputs = jit._get_trace_graph(net, x, return_inputs=True)
        self.assert_close(result, net(x))
        self.assertEqual(kinds(graph), ["aten::linear"])
        self.assertEqual([tuple(one.shape) for one in inputs], [(4, 3), (2, 3), (2,)])
        self.assertEqual(len(list(graph.inputs())), 3)

    def test_scripted_module_is_given_back(self):
        scripted = jit.script(torch.nn.Linear(2, 2))
        with self.assertWarnsRegex(UserWarning, "already a ScriptModule"):
            self.assertIs(jit.trace(scripted, torch.rand(1, 2)), scripted)


class TestWarnings(TraceCase):
    def messages(self, function, *inputs, **options):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            jit.trace(function, inputs, check_trace=False, **options)
        for one in caught:
            self.assertTrue(issubclass(one.category, jit.TracerWarning))
            self.assertTrue(issubclass(one.category, torch.jit.TracerWarning))
            self.assertEqual(one.filename, __file__)
        return [str(one.message) for one in caught]

    def test_numbers_from_tensors(self):
        def f(x):
            int(x)
            if x:
                pass
            float(x)
            x.tolist()
            x.numpy()
            for _ in torch.ones(2, 2):
                pass
            len(x)
            x.item()
            torch.tensor(1.0)
            return x + 1

        expected = ["a Python integer", "a Python boolean", "a Python float", "a Python list", "a NumPy array",
                    "Iterating over", "Using len", "a Python number", "torch.tensor results are registered as constants"]
        for text, message in zip(expected, self.messages(f, torch.tensor([1])), strict=True):
            self.assertIn(text, message)

    def test_decisions_by_sizes(self):
        def f(x):
            if x.size(0) > 2:
                x = x + 1
            return x.view(x.size(0), -1)

        message, = self.messages(f, torch.rand(2, 2))
        self.assertIn("a Python boolean", message)
        with self.assertRaisesRegex(jit.TracingCheckError, "Graphs differed"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                jit.trace(f, torch.rand(2, 2), check_inputs=[torch.rand(3, 2)])

    def test_writes_that_others_see(self):
        def f(x):
            x.view(-1).add_(1)
            return x

        self.assertEqual(self.messages(f, torch.rand(2, 2)), [])
        message, = self.messages(f, torch.rand(2, 2), _force_outplace=True)
        self.assertIn("live references to the data region being modified when tracing in-place operator add_", message)

    def test_results(self):
        def listed(x):
            return [x, x + 1]

        message, = self.messages(listed, torch.rand(1))
        self.assertIn("Encountering a list at the output of the tracer", message)
        self.assertEqual(self.messages(listed, torch.rand(1), strict=False), [])


class TestErrors(TraceCase):
    def refuse(self, text, function, *inputs, error=RuntimeError, **options):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with self.assertRaisesRegex(error, text):
                jit.trace(function, inputs, **options)

    def test_inputs(self):
        self.refuse("Type 'Tuple\\[Tensor, int\\]' cannot be traced", lambda x, n: x * n, torch.rand(1), 2)
        self.refuse("List trace inputs must have elements", lambda x: x, [])
        self.refuse("consistent element type", lambda x: x, [torch.rand(1), (torch.rand(1),)])
        self.refuse("must have entries", lambda x: x, {})
        self.refuse("Tracer cannot infer type of", lambda x: x, object())

    def test_results(self):
        only = "Only tensors, lists, tuples of tensors, or dictionary of tensors can be output from traced functions"
        self.refuse(only, lambda x: [1, 2], torch.rand(1))
        self.refuse(only, lambda x: "text", torch.rand(1))
        self.refuse("didn't return any values", lambda x: None, torch.rand(1))
        self.refuse("Encountering a dict at the output", lambda x: {"a": x}, torch.rand(1))
        self.refuse("cannot be understood by the tracer", lambda x: {"a": (x, 1)}, torch.rand(1), strict=False)
        traced = jit.trace(lambda x: {"a": x, "b": (x, x + 1)}["b"], torch.rand(1), strict=False)
        self.assertEqual(len(traced(torch.rand(1))), 2)

    def test_nested(self):
        def f(x):
            jit.trace(lambda y: y, x)
            return x

        self.refuse("Tracing can't be nested", f, torch.rand(1))

    def test_constants_with_gradients(self):
        weight = torch.rand(1, requires_grad=True)
        self.refuse("Cannot insert a Tensor that requires grad as a constant", lambda x: x * weight, torch.rand(1))

    def test_other_graphs(self):
        def f(x):
            for _ in range(x.size(0)):
                x = torch.neg(x)
            return x

        self.refuse("Graphs differed across invocations!", f, torch.rand(3, 4), check_inputs=[torch.rand(4, 4)],
                    error=jit.TracingCheckError)
        self.assertTrue(issubclass(jit.TracingCheckError, torch.jit.TracingCheckError))

    def test_other_constants(self):
        def f(x):
            return x + torch.tensor(x[0].item())

        self.refuse("Tensor-valued Constant nodes differed", f, torch.rand(2), check_inputs=[torch.rand(2)],
                    error=jit.TracingCheckError)

    def test_random_numbers(self):
        with self.assertWarnsRegex(jit.TracerWarning, "Trace had nondeterministic nodes"):
            jit.trace(lambda x: torch.dropout(x, 0.5, True), torch.rand(30))
        with self.assertWarnsRegex(jit.TracerWarning, "Output nr 1. of the traced function does not match"):
            jit.trace(lambda x: torch.dropout(x, 0.5, True), torch.rand(30))

    def test_modules_that_hold_themselves(self):
        class Holds(torch.nn.Module):
            def forward(self, x):
                return x

        module = Holds()
        module.inner = Holds()
        module.inner.outer = module
        self.refuse("Holds holds one that holds it, as 'outer'", module, torch.rand(1), error=ValueError)


class TestThreads(TraceCase):
    def test_traces_that_end_in_the_order_of_their_beginning(self):
        first_runs, second_runs, first_is_over = threading.Event(), threading.Event(), threading.Event()
        before = torch.is_grad_enabled, torch.nn.Module.__call__, torch.Tensor.__getitem__
        traced = {}

        def first(x):
            first_runs.set()
            second_runs.wait(10)
            return x[0] * 2

        def second(x):
            second_runs.set()
            first_is_over.wait(10)
            return torch.relu(x[1:]) + x.shape[0]

        def run_first():
            traced["first"] = jit.trace(first, torch.rand(3), check_trace=False)
            first_is_over.set()

        def run_second():
            first_runs.wait(10)
            traced["second"] = jit.trace(second, torch.rand(3), check_trace=False)

        threads = [threading.Thread(target=one) for one in (run_first, run_second)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        x = torch.rand(5)
        self.assert_close(traced["first"](x), x[0] * 2)
        self.assert_close(traced["second"](x), torch.relu(x[1:]) + 5)
        self.assertEqual(before, (torch.is_grad_enabled, torch.nn.Module.__call__, torch.Tensor.__getitem__))


if __name__ == "__main__":
    unittest.main()
