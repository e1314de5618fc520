"""Memory that tensors share with NumPy, buffers and DLPack."""

import array
import gc
import hashlib
import importlib.util
import unittest
import weakref

import tsc
from support import TestCase, needs_numpy, numpy


@needs_numpy
class FromNumPy(TestCase):
    def test_shares_memory_both_ways(self):
        a = numpy.zeros((2, 3), numpy.float32)
        x = tsc.from_numpy(a)
        x[0, 0] = 5
        a[1, 2] = 7
        self.assertTensor(x, [[5.0, 0.0, 0.0], [0.0, 0.0, 7.0]])
        self.assertEqual(a[0, 0], 5)
        self.assertEqual(x.data_ptr(), a.ctypes.data)

    def test_dtypes(self):
        for name in ("uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex64",
                     "complex128", "bool"):
            a = numpy.array([0, 1], name)
            x = tsc.from_numpy(a)
            self.assertEqual(repr(x.dtype), f"torch.{name}")
            self.assertEqual(x.tolist(), a.tolist())
            self.assertEqual(x.numpy().dtype, a.dtype)

    def test_views_with_strides(self):
        a = numpy.arange(12, dtype=numpy.int64).reshape(3, 4)
        self.assertTensor(tsc.from_numpy(a[:, ::2]), a[:, ::2].tolist())
        self.assertTensor(tsc.from_numpy(a.T), a.T.tolist())
        self.assertTensor(tsc.from_numpy(numpy.broadcast_to(a[0], (2, 4))), [[0, 1, 2, 3]] * 2)
        self.assertTensor(tsc.from_numpy(numpy.array(3.5)), 3.5)
        self.assertEqual(tsc.from_numpy(numpy.zeros((0, 3))).shape, (0, 3))

    def test_the_tensor_keeps_the_array(self):
        class Tracked(numpy.ndarray):
            pass

        a = numpy.ones(4).view(Tracked)
        reference = weakref.ref(a)
        x = tsc.from_numpy(a)
        y = x[1:]
        del a, x
        gc.collect()
        self.assertIsNotNone(reference())
        self.assertTensor(y, [1.0, 1.0, 1.0])
        del y
        tsc.zeros(1)  # the next call lets go what was given up
        gc.collect()
        self.assertIsNone(reference())

    def test_read_only_arrays_are_copied_on_a_write(self):
        a = numpy.ones(2)
        a.flags.writeable = False
        x = tsc.from_numpy(a)
        x[0] = 5
        self.assertTensor(x, [5.0, 1.0])
        self.assertEqual(a.tolist(), [1.0, 1.0])

    def test_what_cannot_be_shared(self):
        a = numpy.arange(3.0)
        with self.assertRaisesRegex(ValueError, "At least one stride in the given numpy array is negative"):
            tsc.from_numpy(a[::-1])
        self.assertTensor(tsc.as_tensor(a[::-1]), [2.0, 1.0, 0.0])
        self.assertTensor(tsc.tensor(a[::-1]), [2.0, 1.0, 0.0])
        with self.assertRaisesRegex(TypeError, "can't convert np.ndarray of type numpy.object_?. The only supported"):
            tsc.from_numpy(numpy.array([None, "a"]))
        for dtype in ("uint16", "<U3", "datetime64[s]", ">f4"):
            with self.assertRaisesRegex(TypeError, "can't convert np.ndarray of type numpy"):
                tsc.from_numpy(numpy.zeros(2, dtype))
        uneven = numpy.zeros(2, [("a", "i1"), ("b", "i4")])["b"]
        with self.assertRaisesRegex(ValueError, "strides not a multiple of the element byte size"):
            tsc.from_numpy(uneven)
        self.assertTensor(tsc.as_tensor(uneven), [0, 0])
        with self.assertRaisesRegex(TypeError, r"expected np.ndarray \(got int\)"):
            tsc.from_numpy(3)

    def test_bools_that_are_none(self):
        a = numpy.array([0, 1, 7], numpy.uint8).view(bool)
        with self.assertRaisesRegex(RuntimeError, "neither 0 nor 1"):
            tsc.from_numpy(a)


@needs_numpy
class ToNumPy(TestCase):
    def test_shares_memory(self):
        x = tsc.zeros(2, 3)
        a = x.t().numpy()
        a[1, 0] = 4
        self.assertTensor(x, [[0.0, 4.0, 0.0], [0.0, 0.0, 0.0]])
        self.assertEqual(a.strides, (4, 12))

    def test_the_array_keeps_the_tensor(self):
        a = tsc.ones(1000).numpy()
        gc.collect()
        self.assertEqual(a.sum(), 1000)

    def test_array_protocol(self):
        x = tsc.tensor([1, 2])
        self.assertEqual(numpy.asarray(x).tolist(), [1, 2])
        self.assertEqual(numpy.array(x, dtype=numpy.float32).dtype, numpy.float32)
        self.assertEqual(numpy.add(x, numpy.array([1, 1])).tolist(), [2, 3])
        self.assertEqual(float(numpy.mean(tsc.tensor([1.0, 3.0]))), 2.0)

    def test_what_has_no_array(self):
        with self.assertRaisesRegex(RuntimeError, r"Can't call numpy\(\) on Tensor that requires grad"):
            tsc.tensor([1.0], requires_grad=True).numpy()
        self.assertEqual(tsc.tensor([1.0], requires_grad=True).numpy(force=True).tolist(), [1.0])
        with self.assertRaisesRegex(TypeError, "Got unsupported ScalarType BFloat16"):
            tsc.zeros(1, dtype=tsc.bfloat16).numpy()
        z = tsc.tensor([1 + 2j])
        with self.assertRaisesRegex(RuntimeError, "conjugate bit set"):
            z.conj().numpy()
        self.assertEqual(z.conj().resolve_conj().numpy().tolist(), [1 - 2j])

    def test_arithmetic_with_arrays(self):
        self.assertTensor(tsc.tensor([1.0]) + numpy.array([2.0], numpy.float32), [3.0])
        self.assertTensor(tsc.tensor([1.0]) * numpy.float32(2), [2.0])


class Buffers(TestCase):
    def test_memoryview(self):
        x = tsc.tensor([[1, 2], [3, 4]], dtype=tsc.int32)
        view = memoryview(x)
        self.assertEqual((view.shape, view.strides, view.format), ((2, 2), (8, 4), "i"))
        self.assertEqual(view.tolist(), [[1, 2], [3, 4]])
        self.assertEqual(bytes(x[0]), b"\x01\0\0\0\x02\0\0\0")
        with self.assertRaises(BufferError):
            hashlib.sha256(x.t())  # a plain buffer has its elements in order
        self.assertEqual(memoryview(x.t()).tolist(), [[1, 3], [2, 4]])

    def test_other_buffers(self):
        a = array.array("d", [1.5, 2.5])
        x = tsc.as_tensor(a)
        x[0] = 9
        self.assertEqual(a[0], 9.0)
        self.assertTensor(tsc.as_tensor(memoryview(a)[1:]), [2.5])

    def test_frombuffer(self):
        data = bytearray(b"\0\0\x80?\0\0\0@")
        x = tsc.frombuffer(data, dtype=tsc.float32)
        self.assertTensor(x, [1.0, 2.0])
        x[0] = 0
        self.assertEqual(data[:4], b"\0\0\0\0")
        self.assertTensor(tsc.frombuffer(data, dtype=tsc.float32, offset=4), [2.0])
        with self.assertRaisesRegex(ValueError, "no multiple of an element's 4"):
            tsc.frombuffer(b"abc", dtype=tsc.float32)

    def test_dtypes_without_a_buffer(self):
        with self.assertRaisesRegex(BufferError, "tensors of dtype torch.bfloat16 have no buffer"):
            memoryview(tsc.zeros(1, dtype=tsc.bfloat16))


class DLPack(TestCase):
    def test_capsules(self):
        x = tsc.tensor([[1.0, 2.0], [3.0, 4.0]]).t()
        for version in (None, (1, 0), (2, 3)):
            capsule = x.__dlpack__(max_version=version)
            self.assertIn("dltensor_versioned" if version else '"dltensor"', repr(capsule))
            y = tsc.from_dlpack(capsule)
            self.assertEqual(y.data_ptr(), x.data_ptr())
            self.assertEqual(y.stride(), (1, 2))
            self.assertTensor(y, [[1.0, 3.0], [2.0, 4.0]])
            with self.assertRaises(ValueError):
                tsc.from_dlpack(capsule)  # it was used
        self.assertEqual(x.__dlpack_device__(), (1, 0))

    def test_every_dtype(self):
        for dtype in (tsc.uint8, tsc.int8, tsc.int16, tsc.int32, tsc.int64, tsc.float16, tsc.bfloat16, tsc.float32,
                      tsc.float64, tsc.complex64, tsc.complex128, tsc.bool):
            x = tsc.ones(3, dtype=dtype)[1:]
            y = tsc.from_dlpack(x)
            self.assertIs(y.dtype, dtype)
            self.assertEqual(y.tolist(), x.tolist())

    def test_unused_capsules_release_the_tensor(self):
        x = tsc.zeros(2)
        capsule = x.__dlpack__()
        del x, capsule
        gc.collect()

    def test_copies_and_refusals(self):
        x = tsc.ones(2)
        self.assertNotEqual(tsc.from_dlpack(x.__dlpack__(copy=True)).data_ptr(), x.data_ptr())
        with self.assertRaisesRegex(BufferError, "Can't export tensors that require gradient"):
            tsc.tensor([1.0], requires_grad=True).__dlpack__()
        with self.assertRaisesRegex(BufferError, "have no stream"):
            x.__dlpack__(stream=1)
        with self.assertRaisesRegex(TypeError, "has no __dlpack__"):
            tsc.from_dlpack(3)

    @needs_numpy
    def test_with_numpy(self):
        a = numpy.arange(4.0)
        x = tsc.from_dlpack(a)
        x[0] = 8
        self.assertEqual(a[0], 8.0)
        b = numpy.from_dlpack(x)
        self.assertEqual(b.tolist(), [8.0, 1.0, 2.0, 3.0])
        a.flags.writeable = False
        if numpy.lib.NumpyVersion(numpy.__version__) < "2.1.0":
            return  # which exports no read-only array
        y = tsc.from_dlpack(a)
        y[1] = 100  # the tensor is copied first
        self.assertEqual(a[1], 1.0)


@unittest.skipUnless(importlib.util.find_spec("torch"), "needs torch")
class Torch(TestCase):
    def test_both_ways(self):
        import torch

        t = torch.arange(3.0)
        x = tsc.from_dlpack(t)
        x[0] = 5
        self.assertEqual(t[0].item(), 5.0)
        back = torch.from_dlpack(tsc.ones(2))
        self.assertEqual(back.tolist(), [1.0, 1.0])
        self.assertTensor(tsc.zeros(1).to(torch.float64), [0.0], tsc.float64)


if __name__ == "__main__":
    unittest.main()
