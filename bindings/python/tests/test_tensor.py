"""Tensors by themselves: making them, what they are, printing, arithmetic."""

import copy
import gc
import pickle
import unittest
import weakref

import tsc
from support import TestCase


class Making(TestCase):
    def test_dtype_follows_the_numbers(self):
        self.assertTensor(tsc.tensor([1, 2]), [1, 2], tsc.int64)
        self.assertTensor(tsc.tensor([1, 2.5]), [1.0, 2.5], tsc.float32)
        self.assertTensor(tsc.tensor([True, False]), [True, False], tsc.bool)
        self.assertTensor(tsc.tensor([[1j]]), [[1j]], tsc.complex64)
        self.assertTensor(tsc.tensor(3), 3, tsc.int64)
        self.assertTensor(tsc.tensor([]), [], tsc.float32)
        self.assertEqual(tsc.tensor([[], []]).shape, (2, 0))

    def test_dtype_that_is_asked_for(self):
        self.assertTensor(tsc.tensor([1, 2], dtype=tsc.float64), [1.0, 2.0], tsc.float64)
        self.assertTensor(tsc.tensor([1.9], dtype=tsc.int32), [1], tsc.int32)
        self.assertTensor(tsc.tensor([0, 2], dtype=tsc.bool), [False, True], tsc.bool)

    def test_tensors_in_lists(self):
        self.assertTensor(tsc.tensor([tsc.tensor(1.5), 2]), [1.5, 2.0], tsc.float32)

    def test_copies(self):
        x = tsc.tensor([1.0])
        y = tsc.tensor(x)
        y[0] = 2
        self.assertTensor(x, [1.0])

    def test_what_is_no_tensor(self):
        with self.assertRaisesRegex(ValueError, r"expected sequence of length 2 at dim 1 \(got 1\)"):
            tsc.tensor([[1, 2], [3]])
        with self.assertRaisesRegex(ValueError, "too many dimensions 'str'"):
            tsc.tensor(["a"])
        with self.assertRaisesRegex(RuntimeError, "Could not infer dtype of object"):
            tsc.tensor(object())
        with self.assertRaisesRegex(TypeError, "not a sequence"):
            tsc.tensor([[1], 2])
        with self.assertRaisesRegex(RuntimeError, "Overflow when unpacking long"):
            tsc.tensor(2**70)

    def test_the_class_makes_float32(self):
        self.assertTensor(tsc.Tensor([1, 2]), [1.0, 2.0], tsc.float32)

    def test_functions_of_torch(self):
        self.assertTensor(tsc.zeros(2, 2), [[0.0, 0.0], [0.0, 0.0]])
        self.assertTensor(tsc.arange(3), [0, 1, 2], tsc.int64)
        self.assertTensor(tsc.full([2], 7.5), [7.5, 7.5])
        self.assertTensor(tsc.cat([tsc.ones(1), tsc.zeros(1)]), [1.0, 0.0])
        self.assertEqual(tsc.eye(2, dtype=tsc.float64).dtype, tsc.float64)

    def test_seeds(self):
        tsc.manual_seed(0)
        first = tsc.rand(3)
        tsc.manual_seed(0)
        self.assertTrue(tsc.equal(first, tsc.rand(3)))
        # The numbers that PyTorch draws for this seed.
        self.assertEqual(str(first), "tensor([0.4963, 0.7682, 0.0885])")


class Properties(TestCase):
    def test_geometry(self):
        x = tsc.zeros(2, 3, dtype=tsc.int16)
        self.assertEqual(x.shape, (2, 3))
        self.assertIsInstance(x.shape, tsc.Size)
        self.assertEqual(repr(x.shape), "torch.Size([2, 3])")
        self.assertEqual(x.shape.numel(), 6)
        self.assertEqual(x.size(), (2, 3))
        self.assertEqual(x.size(-1), 3)
        self.assertEqual(x.stride(), (3, 1))
        self.assertEqual(x.t().stride(dim=0), 1)
        self.assertEqual((x.dim(), x.ndim, x.numel(), x.element_size(), x.nbytes), (2, 2, 6, 2, 12))
        self.assertEqual(x[1].storage_offset(), 3)
        self.assertIs(x.dtype, tsc.int16)
        self.assertEqual(x.device, tsc.device("cpu"))
        self.assertIs(x.layout, tsc.strided)
        self.assertTrue(x.is_contiguous())
        self.assertFalse(x.t().is_contiguous())
        with self.assertRaisesRegex(IndexError, "Dimension out of range"):
            x.size(2)

    def test_transposes(self):
        x = tsc.tensor([[1, 2], [3, 4]])
        self.assertTensor(x.T, [[1, 3], [2, 4]])
        self.assertTensor(x.mT, [[1, 3], [2, 4]])
        self.assertTensor(tsc.tensor([1 + 2j]).imag, [2.0])

    def test_attributes_are_fixed(self):
        with self.assertRaises(AttributeError):
            tsc.zeros(1).shape = (2,)
        with self.assertRaises(AttributeError):
            tsc.zeros(1).nonsense

    def test_dtypes(self):
        self.assertEqual(repr(tsc.float32), "torch.float32")
        self.assertIs(tsc.float, tsc.float32)
        self.assertIs(tsc.long, tsc.int64)
        self.assertTrue(tsc.bfloat16.is_floating_point)
        self.assertEqual(tsc.complex128.itemsize, 16)
        self.assertIs(pickle.loads(pickle.dumps(tsc.int8)), tsc.int8)

    def test_devices(self):
        device = tsc.device("cuda:1")
        self.assertEqual((device.type, device.index), ("cuda", 1))
        self.assertEqual(device, tsc.device("cuda", 1))
        self.assertEqual(repr(device), "device(type='cuda', index=1)")
        self.assertEqual(hash(device), hash(tsc.device("cuda:1")))
        self.assertEqual(pickle.loads(pickle.dumps(device)), device)
        with self.assertRaisesRegex(RuntimeError, "'nowhere' is no name of a device"):
            tsc.device("nowhere")

    def test_weak_references_and_identity(self):
        x = tsc.zeros(1)
        reference = weakref.ref(x)
        self.assertIs(reference(), x)
        self.assertTrue(x.is_same(x))
        self.assertFalse(x.is_same(tsc.zeros(1)))
        self.assertEqual(len({x, x}), 1)
        del x
        gc.collect()
        self.assertIsNone(reference())

    def test_subclasses(self):
        class Mine(tsc.Tensor):
            pass

        x = Mine([1.0])
        self.assertIsInstance(x, tsc.Tensor)
        self.assertTensor(x + 1, [2.0])


class Printing(TestCase):
    def test_as_pytorch(self):
        self.assertEqual(repr(tsc.tensor([1.0, 2.5])), "tensor([1.0000, 2.5000])")
        self.assertEqual(str(tsc.tensor([1, 2], dtype=tsc.int32)), "tensor([1, 2], dtype=torch.int32)")
        self.assertEqual(repr(tsc.tensor([1.0], requires_grad=True)), "tensor([1.], requires_grad=True)")
        self.assertEqual(repr(tsc.zeros(2, 0)), "tensor([], size=(2, 0))")

    def test_format(self):
        self.assertEqual(f"{tsc.tensor(1.25):.1f}", "1.2")
        self.assertEqual(f"{tsc.tensor([1, 2])}", "tensor([1, 2])")


class Arithmetic(TestCase):
    def test_with_numbers_on_both_sides(self):
        x = tsc.tensor([1.0, 4.0])
        self.assertTensor(x + 1, [2.0, 5.0])
        self.assertTensor(1 + x, [2.0, 5.0])
        self.assertTensor(10 - x, [9.0, 6.0])
        self.assertTensor(2 / x, [2.0, 0.5])
        self.assertTensor(2**x, [2.0, 16.0])
        self.assertTensor(x**2, [1.0, 16.0])
        self.assertTensor(9 // x, [9.0, 2.0])
        self.assertTensor(x % 3, [1.0, 1.0])
        self.assertTensor(7 % x, [0.0, 3.0])
        self.assertTensor(-x, [-1.0, -4.0])
        self.assertTensor(abs(-x), [1.0, 4.0])
        self.assertTensor(x * True, [1.0, 4.0])

    def test_promotion(self):
        self.assertIs((tsc.tensor([1]) + 1.5).dtype, tsc.float32)
        self.assertIs((tsc.tensor([1], dtype=tsc.int8) + 1).dtype, tsc.int8)
        self.assertIs((tsc.tensor([1]) / 2).dtype, tsc.float32)

    def test_bits_and_logic(self):
        x = tsc.tensor([1, 6])
        self.assertTensor(x & 3, [1, 2])
        self.assertTensor(3 | x, [3, 7])
        self.assertTensor(x ^ x, [0, 0])
        self.assertTensor(~x, [-2, -7])
        self.assertTensor(x << 1, [2, 12])
        self.assertTensor(~tsc.tensor([True, False]), [False, True])

    def test_matrix_product(self):
        x = tsc.tensor([[1.0, 2.0], [3.0, 4.0]])
        self.assertTensor(x @ x, [[7.0, 10.0], [15.0, 22.0]])

    def test_in_place(self):
        x = tsc.tensor([1.0, 2.0])
        same = x
        x += 1
        x *= 2
        x -= 1
        x /= 3
        x **= 2
        self.assertIs(x, same)
        self.assertAlmostEqual(x[0].item(), 1.0, places=5)
        self.assertAlmostEqual(x[1].item(), (5 / 3) ** 2, places=5)

    def test_comparison(self):
        x = tsc.tensor([1, 2, 3])
        self.assertTensor(x < 2, [True, False, False])
        self.assertTensor(2 <= x, [False, True, True])
        self.assertTensor(x == x, [True, True, True])
        self.assertTensor(x != 2, [True, False, True])
        self.assertFalse(x == None)  # noqa: E711
        self.assertTrue(x != "a")
        with self.assertRaises(TypeError):
            x < "a"
        with self.assertRaises(TypeError):
            x + "a"

    def test_as_numbers(self):
        self.assertEqual(int(tsc.tensor(3.7)), 3)
        self.assertEqual(float(tsc.tensor([2])), 2.0)
        self.assertEqual(complex(tsc.tensor(1j)), 1j)
        self.assertEqual([10, 20, 30][tsc.tensor(1)], 20)
        self.assertEqual(tsc.tensor([True]).item(), True)
        with self.assertRaisesRegex(TypeError, "only integer tensors of a single element"):
            [1, 2][tsc.tensor(1.0)]
        with self.assertRaisesRegex(ValueError, "only one element tensors can be converted"):
            int(tsc.zeros(2))

    def test_truth(self):
        self.assertTrue(tsc.tensor(1))
        self.assertFalse(tsc.tensor([0.0]))
        with self.assertRaisesRegex(RuntimeError, "Boolean value of Tensor with more than one value is ambiguous"):
            bool(tsc.zeros(2))
        with self.assertRaisesRegex(RuntimeError, "Boolean value of Tensor with no values is ambiguous"):
            bool(tsc.zeros(0))

    def test_as_sequence(self):
        x = tsc.tensor([[1, 2], [3, 4]])
        self.assertEqual(len(x), 2)
        self.assertEqual([row.tolist() for row in x], [[1, 2], [3, 4]])
        self.assertIn(3, x)
        self.assertNotIn(5, x)
        a, b = x
        self.assertTensor(b, [3, 4])
        self.assertTensor(next(reversed(x).unbind().__iter__()), [3, 4])
        with self.assertRaisesRegex(TypeError, "iteration over a 0-d tensor"):
            iter(tsc.tensor(1))
        with self.assertRaisesRegex(TypeError, r"len\(\) of a 0-d tensor"):
            len(tsc.tensor(1))


class Copies(TestCase):
    def test_pickle(self):
        for x in (tsc.tensor([[1.5, 2.0]]), tsc.tensor([True]), tsc.zeros(0, 3), tsc.tensor([1.0]).bfloat16(),
                  tsc.arange(6).view(2, 3).t()):
            copied = pickle.loads(pickle.dumps(x))
            self.assertEqual(copied.tolist(), x.tolist())
            self.assertIs(copied.dtype, x.dtype)
            self.assertEqual(copied.shape, x.shape)
        self.assertTrue(pickle.loads(pickle.dumps(tsc.tensor([1.0], requires_grad=True))).requires_grad)

    def test_deepcopy(self):
        x = tsc.tensor([1.0], requires_grad=True)
        x.grad = tsc.tensor([5.0])
        y = copy.deepcopy([x, x])
        self.assertIs(y[0], y[1])
        self.assertTrue(y[0].requires_grad)
        self.assertTensor(y[0].grad, [5.0])
        with self.assertRaisesRegex(RuntimeError, "Only Tensors created explicitly by the user"):
            copy.deepcopy(x * 2)


if __name__ == "__main__":
    unittest.main()
