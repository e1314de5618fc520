"""tsc.ray.Predictor, with batches of NumPy and Arrow. utils/check_cluster.py runs map_batches on a cluster of Ray's."""

import unittest

import tsc
import tsc.ray
from support import NET, TestCase, needs_numpy, numpy

try:
    import pyarrow
except ImportError:
    pyarrow = None

PAIR = """
import torch
from torch import Tensor, nn
from typing import *

class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(2.))

    def forward(self, a: Tensor, b: Tensor, k: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
        if k is not None:
            a = a + k
        return a * self.scale, a - b

    @torch.jit.export
    def named(self, x: Tensor) -> Dict[str, Tensor]:
        return {"twice": 2 * x, "sum": x.sum(-1)}

    @torch.jit.export
    def total(self, x: Tensor) -> Tensor:
        return x.sum()

model = Pair()
"""
COUNTER = """
import torch
from torch import nn, Tensor

class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        return x + self.calls

model = Counter()
"""


def archive(text):
    return tsc.load(text.encode(), name="module.py").module().save_to_buffer()


@needs_numpy
class NumPyBatches(TestCase):
    def setUp(self):
        self.a = numpy.arange(6, dtype=numpy.float32).reshape(3, 2)
        self.b = numpy.ones((3, 2), numpy.float32)
        self.ids = numpy.array(["p", "q", "r"], object)

    def test_columns_are_arguments_by_name(self):
        predict = tsc.ray.Predictor(archive(PAIR))
        result = predict({"id": self.ids, "b": self.b, "a": self.a})
        self.assertEqual(list(result), ["id", "output_0", "output_1"])
        self.assertIs(result["id"], self.ids)
        numpy.testing.assert_array_equal(result["output_0"], 2 * self.a)
        numpy.testing.assert_array_equal(result["output_1"], self.a - self.b)

    def test_names_that_are_given(self):
        predict = tsc.ray.Predictor(archive(PAIR), inputs={"a": "x", "b": "y", "k": "y"}, outputs=["s", "d"], keep=["x"])
        result = predict({"x": self.a, "y": self.b})
        self.assertEqual(list(result), ["x", "s", "d"])
        numpy.testing.assert_array_equal(result["s"], 2 * (self.a + 1))
        predict = tsc.ray.Predictor(archive(PAIR), inputs=["x", "y"])
        numpy.testing.assert_array_equal(predict({"y": self.b, "x": self.a})["output_1"], self.a - self.b)

    def test_methods_and_dicts(self):
        result = tsc.ray.Predictor(archive(PAIR), method="named")({"whatever": self.a})
        numpy.testing.assert_array_equal(result["twice"], 2 * self.a)
        numpy.testing.assert_array_equal(result["sum"], self.a.sum(-1))

    def test_modules_and_options(self):
        module = tsc.load(archive(NET))
        x = numpy.ones((4, 3), numpy.float32)
        with tsc.no_grad():
            expected = module(x).numpy()
        batch = {"x": x}
        numpy.testing.assert_array_equal(tsc.ray.Predictor(module)(batch)["output"], expected)
        loaded = tsc.ray.Predictor(module.save_to_buffer(), threads=2, quotas=tsc.Quotas(steps=10**6))
        numpy.testing.assert_array_equal(loaded(batch)["output"], expected)
        with self.assertRaisesRegex(tsc.CompileError, "'aten::linear' is not allowed"):
            tsc.ray.Predictor(module.save_to_buffer(), deny_operators="aten::linear")

    def test_arrays_are_shared(self):
        source = "import torch\nclass M(torch.nn.Module):\n    def forward(self, x):\n        return x.view(-1, 1)\nm = M()\n"
        x = numpy.arange(4.0)
        predict = tsc.ray.Predictor(archive(source))
        self.assertTrue(numpy.shares_memory(predict({"x": x})["output"], x))
        x.flags.writeable = False  # as Ray's arrays are: an array that can be written to is a copy
        numpy.testing.assert_array_equal(predict({"x": x})["output"], x.reshape(-1, 1))

    def test_refusals(self):
        predict = tsc.ray.Predictor(archive(PAIR))
        for batch, pattern in (({"a": self.a, "c": self.b}, "no column is the argument 'b'"),
                               ({"a": self.a, "b": self.ids}, "column 'b' has elements of type object")):
            with self.assertRaisesRegex((ValueError, TypeError), pattern):
                predict(batch)
        with self.assertRaisesRegex(KeyError, "there is no column 'z': the batch has a, b"):
            tsc.ray.Predictor(archive(PAIR), inputs=["a", "z"])({"a": self.a, "b": self.b})
        with self.assertRaisesRegex(ValueError, r"of a batch of 3 rows has the shape \[\]"):
            tsc.ray.Predictor(archive(PAIR), method="total")({"x": self.a})
        with self.assertRaisesRegex(ValueError, "has 1 names, and the program gives 2 results"):
            tsc.ray.Predictor(archive(PAIR), outputs="only")({"a": self.a, "b": self.b})
        with self.assertRaisesRegex(ValueError, "column 'output_0' would be kept"):
            predict({"a": self.a, "b": self.b, "output_0": self.a})
        with self.assertRaisesRegex(ValueError, "(?s)the program writes state.*self.calls"):
            tsc.ray.Predictor(archive(COUNTER))
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'thread'"):
            tsc.ray.Predictor(archive(PAIR), thread=1)


@needs_numpy
@unittest.skipIf(pyarrow is None, "needs pyarrow")
class ArrowBatches(TestCase):
    def test_tables(self):
        a = numpy.arange(6, dtype=numpy.float32).reshape(3, 2)
        fixed = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(a.ravel()), 2)
        table = pyarrow.table({"id": ["p", "q", "r"], "a": pyarrow.FixedShapeTensorArray.from_numpy_ndarray(a), "b": fixed})
        result = tsc.ray.Predictor(archive(PAIR))(table)
        self.assertEqual(result.column_names, ["id", "output_0", "output_1"])
        self.assertEqual(result.column("id").to_pylist(), ["p", "q", "r"])
        numpy.testing.assert_array_equal(result.column("output_0").combine_chunks().to_numpy_ndarray(), 2 * a)
        numpy.testing.assert_array_equal(result.column("output_1").combine_chunks().to_numpy_ndarray(), 0 * a)
        sums = tsc.ray.Predictor(archive(PAIR), method="named", inputs="b")(table.slice(1))
        self.assertEqual(sums.column("sum").to_pylist(), [5.0, 9.0])

    def test_memory_is_shared(self):
        source = "import torch\nclass M(torch.nn.Module):\n    def forward(self, x):\n        return x.view(-1, 1)\nm = M()\n"
        column = pyarrow.array(numpy.arange(5.0))
        predict = tsc.ray.Predictor(archive(source))
        columns = tsc.ray._ArrowColumns(pyarrow.table({"x": column}))
        self.assertEqual(columns["x"].ctypes.data, column.buffers()[1].address)
        self.assertEqual(predict(pyarrow.table({"x": column})).column("output").to_pylist(), [[i] for i in range(5)])

    def test_rows_without_values(self):
        with self.assertRaisesRegex(ValueError, "column 'x' has 1 rows without a value"):
            tsc.ray.Predictor(archive(PAIR), method="named")(pyarrow.table({"x": pyarrow.array([1.0, None])}))


if __name__ == "__main__":
    unittest.main()
