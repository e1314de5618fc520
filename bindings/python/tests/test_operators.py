"""Operators as functions, methods and objects."""

import inspect
import unittest

import tsc
from support import TestCase, needs_numpy, numpy


class Operators(TestCase):
    def test_three_ways(self):
        x = tsc.tensor([-1.0, 2.0])
        self.assertTensor(tsc.relu(x), [0.0, 2.0])
        self.assertTensor(x.relu(), [0.0, 2.0])
        self.assertTensor(tsc.ops.aten.relu(x), [0.0, 2.0])

    def test_overloads(self):
        x = tsc.tensor([1.0])
        self.assertTensor(tsc.ops.aten.add(x, x, alpha=3), [4.0])
        self.assertTensor(tsc.ops.aten.add.Tensor(x, x), [2.0])
        self.assertTensor(tsc.ops.aten.relu.default(x), [1.0])
        self.assertIn("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
                      tsc.ops.aten.add.schemas)
        with self.assertRaisesRegex(AttributeError, "operator 'aten::add' has no overload 'Nothing'"):
            tsc.ops.aten.add.Nothing
        with self.assertRaisesRegex(AttributeError, "there is no operator 'aten::nothing'"):
            tsc.ops.aten.nothing

    def test_arguments(self):
        x = tsc.arange(6).view(2, 3)
        self.assertTensor(x.sum(), 15)
        self.assertTensor(x.sum(0), [3, 5, 7])
        self.assertTensor(x.sum(dim=1, keepdim=True), [[3], [12]])
        self.assertTensor(x.sum(dim=(0, 1), dtype=tsc.float32), 15.0, tsc.float32)
        self.assertTensor(x.permute(1, 0), [[0, 3], [1, 4], [2, 5]])
        self.assertTensor(x.permute((1, 0)), [[0, 3], [1, 4], [2, 5]])
        self.assertTensor(x.view(-1)[:2], [0, 1])
        self.assertTensor(x.to(tsc.float64)[0], [0.0, 1.0, 2.0], tsc.float64)
        self.assertTensor(x.float().clamp(max=2)[1], [2.0, 2.0, 2.0])
        self.assertTensor(x.contiguous(memory_format=tsc.contiguous_format)[0], [0, 1, 2])

    def test_several_results_have_names(self):
        result = tsc.tensor([[1.0, 5.0], [7.0, 2.0]]).max(1)
        self.assertTensor(result.values, [5.0, 7.0])
        self.assertTensor(result[1], [1, 0])
        values, indices = result
        self.assertEqual(type(result).__name__, "max")
        self.assertEqual(repr(result), "torch.return_types.max(\nvalues=tensor([5., 7.]),\nindices=tensor([1, 0]))")
        self.assertEqual(len(tsc.tensor([1, 2, 3]).split(2)), 2)
        self.assertEqual([part.tolist() for part in tsc.arange(4).chunk(2)], [[0, 1], [2, 3]])

    def test_numbers_as_results(self):
        self.assertEqual(tsc.ops.aten.size(tsc.zeros(2, 3)), [2, 3])
        self.assertIs(tsc.ops.aten.is_floating_point(tsc.zeros(1)), True)
        self.assertIs(tsc.equal(tsc.zeros(1), tsc.zeros(1)), True)

    def test_documentation(self):
        self.assertEqual(tsc.relu.__name__, "relu")
        self.assertIn("aten::relu(Tensor self) -> Tensor", tsc.relu.__doc__)
        self.assertEqual(repr(tsc.Tensor.relu), "<operator 'aten::relu'>")
        self.assertIn("relu", dir(tsc))
        self.assertIn("relu", dir(tsc.zeros(1)))

    def test_errors(self):
        with self.assertRaisesRegex(RuntimeError, r"no overload of 'aten::relu' takes \(str\)"):
            tsc.relu("a")
        with self.assertRaisesRegex(RuntimeError, "has no argument 'nothing'"):
            tsc.relu(tsc.zeros(1), nothing=1)
        with self.assertRaisesRegex(RuntimeError, "The size of tensor a"):
            tsc.zeros(2) + tsc.zeros(3)
        with self.assertRaisesRegex(AttributeError, "module 'tsc' has no attribute 'nothing'"):
            tsc.nothing
        with self.assertRaisesRegex(TypeError, "functions of Python are not values"):
            tsc.relu(lambda: 1)
        with self.assertRaisesRegex(IndexError, "Dimension out of range"):
            tsc.zeros(2).sum(3)

    @needs_numpy
    def test_arrays_as_arguments(self):
        a = numpy.array([-1.0, 1.0], numpy.float32)
        self.assertTensor(tsc.relu(a), [0.0, 1.0])
        self.assertTensor(tsc.relu(a[::-1]), [1.0, 0.0])
        self.assertTensor(tsc.zeros(2, 2).sum(numpy.int64(0)), [0.0, 0.0])


class Gradients(TestCase):
    def test_backward(self):
        x = tsc.tensor([1.0, 2.0, 3.0], requires_grad=True)
        y = (x * x * x).sum()
        self.assertTrue(y.requires_grad)
        self.assertFalse(y.is_leaf)
        self.assertEqual(y.grad_fn, "<SumBackward0>")
        y.backward()
        self.assertTensor(x.grad, [3.0, 12.0, 27.0])
        (x * 2).sum().backward()
        self.assertTensor(x.grad, [5.0, 14.0, 29.0])
        x.grad = None
        self.assertIsNone(x.grad)

    def test_second_order(self):
        x = tsc.tensor([1.0, 2.0], requires_grad=True)
        (g,) = tsc.autograd.grad((x**3).sum(), x, create_graph=True)
        (h,) = tsc.autograd.grad(g.sum(), [x])
        self.assertTensor(h, [6.0, 12.0])

    def test_weights_and_inputs(self):
        x = tsc.tensor([1.0, 2.0], requires_grad=True)
        w = tsc.tensor([3.0, 4.0], requires_grad=True)
        (x * w).backward(tsc.tensor([1.0, 10.0]), inputs=[w])
        self.assertIsNone(x.grad)
        self.assertTensor(w.grad, [1.0, 20.0])

    def test_grad_modes(self):
        x = tsc.tensor([1.0], requires_grad=True)
        with tsc.no_grad():
            self.assertFalse((x * 2).requires_grad)
            with tsc.enable_grad():
                self.assertTrue((x * 2).requires_grad)
        self.assertTrue(tsc.is_grad_enabled())

        @tsc.no_grad()
        def f():
            return tsc.is_grad_enabled()

        @tsc.no_grad
        def g():
            return tsc.is_grad_enabled()

        self.assertFalse(f() or g())
        with tsc.set_grad_enabled(False):
            self.assertFalse(tsc.is_grad_enabled())

    def test_views_and_writes(self):
        x = tsc.zeros(3)
        w = tsc.tensor(2.0, requires_grad=True)
        x[1] = w * 3
        self.assertTrue(x.requires_grad)
        x.sum().backward()
        self.assertTensor(w.grad, 3.0)

    def test_indexing_is_recorded(self):
        x = tsc.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
        (x[0, 1] * 5 + x[x > 3].sum()).backward()
        self.assertTensor(x.grad, [[0.0, 5.0], [0.0, 1.0]])

    def test_retained_gradients(self):
        x = tsc.tensor([1.0], requires_grad=True)
        y = x * 2
        y.retain_grad()
        (y * 3).backward()
        self.assertTensor(y.grad, [3.0])

    def test_errors(self):
        x = tsc.tensor([1.0], requires_grad=True)
        with self.assertRaisesRegex(RuntimeError, "only Tensors of floating point dtype can require gradients"):
            tsc.tensor([1], requires_grad=True)
        with self.assertRaisesRegex(RuntimeError, "does not require grad and does not have a grad_fn"):
            tsc.zeros(1).backward()
        with self.assertRaisesRegex(RuntimeError, "grad can be implicitly created only for scalar outputs"):
            (tsc.zeros(2) * x).backward()
        with self.assertRaisesRegex(RuntimeError, "a leaf Variable that requires grad is being used in an in-place"):
            x += 1
        y = (x * x).sum()
        y.backward()
        with self.assertRaisesRegex(RuntimeError, "a second time"):
            y.backward()
        with self.assertRaisesRegex(RuntimeError, "you can only change requires_grad flags of leaf variables"):
            (x * 2).requires_grad = False
        with self.assertRaisesRegex(RuntimeError, "different size"):
            x.grad = tsc.zeros(2)

    def test_training(self):
        tsc.manual_seed(0)
        w = tsc.zeros(2, requires_grad=True)
        data = tsc.randn(64, 2)
        target = data @ tsc.tensor([1.5, -2.0])
        for _ in range(100):
            loss = ((data @ w - target) ** 2).mean()
            (g,) = tsc.autograd.grad(loss, w)
            with tsc.no_grad():
                w -= 0.1 * g
        self.assertAlmostEqual(w[0].item(), 1.5, places=3)
        self.assertAlmostEqual(w[1].item(), -2.0, places=3)

    def test_signatures(self):
        self.assertEqual(str(inspect.signature(tsc.ops.aten.add.Tensor)),
                         "(self: 'Tensor', other: 'Tensor', *, alpha: 'Scalar' = 1) -> 'Tensor'")
        self.assertEqual(str(inspect.signature(tsc.relu)), "(self: 'Tensor') -> 'Tensor'")
        found = 0
        for name in tsc._tsc._operator_names("aten"):
            try:
                self.assertIsInstance(inspect.signature(tsc._tsc._find_operator("aten::" + name)), inspect.Signature)
                found += 1
            except ValueError as error:
                self.assertIn("no signature found", str(error))
        self.assertGreater(found, 1000)


if __name__ == "__main__":
    unittest.main()
