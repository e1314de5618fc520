"""What the tests share."""

import unittest

import tsc

try:
    import numpy
except ImportError:  # the package needs none
    numpy = None

needs_numpy = unittest.skipIf(numpy is None, "needs NumPy")

NET = """
import torch
from torch import Tensor, nn

class Scale(nn.Module):
    def __init__(self, by: float):
        super().__init__()
        self.by = by
        self.register_buffer("calls", torch.zeros([], dtype=torch.int64))

    def forward(self, x: Tensor) -> Tensor:
        return x * self.by

    @torch.jit.export
    def set(self, by: float):
        self.by = by

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.second = nn.Linear(4, 2)
        self.scale = Scale(0.5)

    def forward(self, x: Tensor, times: int = 1) -> Tensor:
        for i in range(times):
            x = self.scale(x)
        return self.second(torch.relu(self.first(x)))

    @torch.jit.export
    def count(self, words: list[str]) -> dict[str, int]:
        counts: dict[str, int] = {}
        for word in words:
            counts[word] = counts.get(word, 0) + 1
        return counts

model = Net()
"""


def net_archive(**options):
    """Returns the bytes of an archive with the module Net, whose numbers are always the same."""
    program = tsc.load(NET.encode(), name="net.py", seed=7, **options)
    return program.module().save_to_buffer()


def compile_source(text, **options):
    return tsc.CompilationUnit(text, **options)


class TestCase(unittest.TestCase):
    def assertTensor(self, tensor, expected, dtype=None):
        """The tensor has these elements, as nested lists, and this dtype."""
        self.assertIsInstance(tensor, tsc.Tensor)
        self.assertEqual(tensor.tolist(), expected)
        if dtype is not None:
            self.assertIs(tensor.dtype, dtype)
