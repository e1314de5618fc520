"""x[…] as PyTorch reads it."""

import unittest

import tsc
from support import TestCase, needs_numpy, numpy


class Reading(TestCase):
    def setUp(self):
        self.x = tsc.arange(24).view(2, 3, 4)

    def test_numbers(self):
        self.assertTensor(self.x[1, 2, 3], 23)
        self.assertTensor(self.x[-1, 0], [12, 13, 14, 15])
        self.assertTensor(self.x[tsc.tensor(1), 0, 0], 12)

    def test_slices(self):
        self.assertTensor(self.x[0, 1:, ::2], [[4, 6], [8, 10]])
        self.assertTensor(self.x[0, 0, -2:], [2, 3])
        self.assertEqual(self.x[:0].shape, (0, 3, 4))
        self.assertEqual(self.x[5:].shape, (0, 3, 4))

    def test_ellipsis_and_none(self):
        self.assertEqual(self.x[..., 0].shape, (2, 3))
        self.assertEqual(self.x[0, ..., None].shape, (3, 4, 1))
        self.assertEqual(self.x[None].shape, (1, 2, 3, 4))
        self.assertEqual(self.x[...].shape, (2, 3, 4))
        self.assertFalse(self.x[...].is_same(self.x))

    def test_views_share_memory(self):
        row = self.x[1, 1]
        row[0] = 99
        self.assertEqual(self.x[1, 1, 0].item(), 99)

    def test_bools(self):
        self.assertEqual(self.x[True].shape, (1, 2, 3, 4))
        self.assertEqual(self.x[False].shape, (0, 2, 3, 4))

    def test_masks(self):
        y = tsc.tensor([[1, 2], [3, 4]])
        self.assertTensor(y[y > 2], [3, 4])
        self.assertTensor(y[tsc.tensor([False, True])], [[3, 4]])
        self.assertTensor(self.x[tsc.tensor([[True, False, False], [False, False, True]])],
                          [[0, 1, 2, 3], [20, 21, 22, 23]])
        self.assertTensor(self.x[tsc.tensor([[True, False, False], [False, False, True]]), 1:3], [[1, 2], [21, 22]])

    def test_index_tensors(self):
        y = tsc.arange(5) * 10
        self.assertTensor(y[tsc.tensor([4, 0])], [40, 0])
        self.assertTensor(y[[1, 2]], [10, 20])
        self.assertTensor(self.x[tsc.tensor([0, 1]), tsc.tensor([2, 0])], [[8, 9, 10, 11], [12, 13, 14, 15]])
        self.assertEqual(self.x[:, tsc.tensor([0, 0, 1])].shape, (2, 3, 4))
        self.assertEqual(self.x[0, :, tsc.tensor([[1, 2]])].shape, (3, 1, 2))

    @needs_numpy
    def test_index_arrays(self):
        self.assertTensor(tsc.arange(5)[numpy.array([3, 1])], [3, 1])
        self.assertTensor(tsc.arange(3)[numpy.array([True, False, True])], [0, 2])
        self.assertTensor(tsc.arange(3)[numpy.int64(2)], 2)

    def test_errors(self):
        with self.assertRaisesRegex(IndexError, "index 2 is out of bounds for dimension 0 with size 2"):
            self.x[2]
        with self.assertRaisesRegex(IndexError, "index 9 is out of bounds for dimension 1 with size 3"):
            self.x[:, 9]
        with self.assertRaisesRegex(IndexError, "too many indices for tensor of dimension 3"):
            self.x[0, 0, 0, 0]
        with self.assertRaisesRegex(ValueError, "step must be greater than zero"):
            self.x[::-1]
        with self.assertRaisesRegex(IndexError, "invalid index of a 0-dim tensor"):
            tsc.tensor(1)[0]
        with self.assertRaisesRegex(TypeError, "only integers, slices"):
            self.x["a"]
        with self.assertRaisesRegex(TypeError, "only integers, slices"):
            self.x[1.5]


class Writing(TestCase):
    def test_numbers_and_tensors(self):
        x = tsc.zeros(2, 3)
        x[0, 1] = 5
        x[1] = tsc.tensor([1.0, 2.0, 3.0])
        x[:, 2] = tsc.tensor([[7.0, 8.0]])
        self.assertTensor(x, [[0.0, 5.0, 7.0], [1.0, 2.0, 8.0]])

    def test_masks_and_indices(self):
        x = tsc.arange(6).view(2, 3)
        x[x > 3] = 0
        self.assertTensor(x, [[0, 1, 2], [3, 0, 0]])
        x[tsc.tensor([0, 1]), tsc.tensor([0, 1])] = tsc.tensor([8, 9])
        self.assertTensor(x, [[8, 1, 2], [3, 9, 0]])
        x[[0]] = 4
        self.assertTensor(x[0], [4, 4, 4])

    def test_lists(self):
        x = tsc.zeros(3)
        x[1:] = [1, 2]
        self.assertTensor(x, [0.0, 1.0, 2.0])

    def test_all(self):
        x = tsc.zeros(2)
        x[...] = 3
        self.assertTensor(x, [3.0, 3.0])
        x[:] = tsc.tensor([1, 2])
        self.assertTensor(x, [1.0, 2.0])

    def test_errors(self):
        with self.assertRaises(RuntimeError):
            tsc.zeros(2)[:] = tsc.zeros(3)
        with self.assertRaisesRegex(TypeError, "does not support deleting items"):
            del tsc.zeros(2)[0]


if __name__ == "__main__":
    unittest.main()
