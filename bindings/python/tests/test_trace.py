"""Traces of functions over tsc's own tensors."""

import unittest
import warnings

import tsc
from support import TestCase
from tsc import jit


def kinds(graph):
    """Returns the kinds of a graph's nodes, without constants."""
    return [node.kind() for node in graph.nodes() if node.kind() != "prim::Constant"]


class TestTrace(TestCase):
    def assert_same(self, one, other):
        self.assertTrue(tsc.equal(one, other), f"{one} is not {other}")

    def test_operators(self):
        def f(x, y):
            z = tsc.relu(x) * y + 2
            return z.sum(1), tsc.cat([x, z])

        traced = tsc.trace(f, (tsc.rand(2, 3), tsc.rand(3)))
        self.assertEqual(kinds(traced.graph)[:3], ["aten::relu", "aten::mul", "aten::add"])
        self.assertEqual([one.debugName() for one in traced.graph.inputs()], ["x", "y"])
        x, y = tsc.rand(4, 3), tsc.rand(3)
        for one, other in zip(traced(x, y), f(x, y)):
            self.assert_same(one, other)

    def test_control_flow_is_gone(self):
        def f(x, steps=3):
            for i in range(steps):
                x = x * 2 if i % 2 else x + 1
            return x

        traced = tsc.trace(f, tsc.rand(2))
        self.assertEqual(kinds(traced.graph), ["aten::add", "aten::mul", "aten::add"])

    def test_sizes_are_computed(self):
        def f(x):
            zero = tsc.zeros(x.shape[0], 1, dtype=tsc.float64).sum()
            return x.view(x.shape[1] * 2, x.size(0), 2) + zero

        traced = tsc.trace(f, tsc.rand(5, 2, 4))
        x = tsc.rand(4, 8, 4)
        self.assert_same(traced(x), f(x))

    def test_slices_by_sizes(self):
        def f(x):
            return x[:x.shape[0] - 1, 1]

        traced = tsc.trace(f, tsc.rand(4, 3))
        x = tsc.rand(6, 2)
        self.assert_same(traced(x), f(x))

    def test_containers(self):
        def f(pair, table):
            return {"sum": pair[0] + table["a"]}["sum"], [pair[1], pair[0]][0]

        example = ((tsc.rand(2), tsc.rand(2)), {"a": tsc.rand(2)})
        traced = tsc.trace(f, example)
        for one, other in zip(traced(*example), f(*example)):
            self.assert_same(one, other)

    def test_writes(self):
        def f(x):
            x.add_(1)
            x[0] = 7
            return x * 2

        traced = tsc.trace(f, tsc.rand(3), check_trace=False)
        x = tsc.zeros(4)
        self.assert_same(traced(x), tsc.tensor([14.0, 2.0, 2.0, 2.0]))
        self.assert_same(x, tsc.tensor([7.0, 1.0, 1.0, 1.0]))

    def test_gradients(self):
        traced = tsc.trace(lambda x: (x * x).sum(), tsc.rand(2))
        x = tsc.tensor([1.0, 2.0], requires_grad=True)
        traced(x).backward()
        self.assert_same(x.grad, tsc.tensor([2.0, 4.0]))

    def test_compiled_functions_keep_control_flow(self):
        @jit.script
        def larger(x):
            if bool(x.sum() > 1):
                return x * 2
            return x

        traced = tsc.trace(lambda x: larger(x) + 1, tsc.ones(3))
        self.assertIn("prim::CallFunction", kinds(traced.graph))
        self.assert_same(traced(tsc.zeros(2)), tsc.ones(2))

    def test_sum_of_the_diagonal(self):
        self.assert_same(tsc.trace(tsc.eye(3)), tsc.tensor(3.0))

    def test_jit_trace_takes_own_tensors(self):
        traced = jit.trace(lambda x: x + 1, tsc.zeros(2))
        self.assert_same(traced(tsc.ones(1)), tsc.tensor([2.0]))

    def test_is_tracing(self):
        seen = []

        def f(x):
            seen.append(jit.is_tracing())
            return x + 1

        tsc.trace(f, tsc.zeros(1), check_trace=False)
        self.assertEqual(seen, [True])
        self.assertFalse(jit.is_tracing())

    def refuse(self, text, function, *inputs, error=RuntimeError):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with self.assertRaisesRegex(error, text):
                tsc.trace(function, inputs)
        self.assertFalse(jit.is_tracing())

    def test_numbers_of_tensors_are_refused(self):
        for read in (bool, float, int, lambda x: x.item(), lambda x: x.tolist(), memoryview):
            with self.subTest(read=read):
                self.refuse("reads an element of a tensor that the trace computes", lambda x: (read(x.sum()), x)[1],
                            tsc.rand(2))
        constant = tsc.ones(1)
        traced = tsc.trace(lambda x: x * float(constant), tsc.rand(2))  # no tensor of the trace
        self.assert_same(traced(tsc.ones(2)), tsc.ones(2))

    def test_what_else_is_refused(self):
        def fails(x):
            raise KeyError("mine")

        self.refuse("mine", fails, tsc.rand(1), error=KeyError)
        self.refuse("a number or a text", lambda x: 3, tsc.rand(1))
        self.refuse("can't be nested", lambda x: tsc.trace(lambda y: y, x), tsc.rand(1))
        weight = tsc.rand(1).requires_grad_()
        self.refuse("requires a gradient", lambda x: x * weight, tsc.rand(1))

    def test_check_finds_sizes_in_branches(self):
        def f(x):
            return x + 1 if x.shape[0] > 2 else x * 2

        self.refuse("one row more", f, tsc.rand(2), error=jit.TracingCheckError)

    def test_warnings(self):
        x = tsc.rand(2)
        with self.assertWarnsRegex(jit.TracerWarning, "an earlier input"):
            tsc.trace(lambda a, b: a + b, (x, x), check_trace=False)


if __name__ == "__main__":
    unittest.main()
