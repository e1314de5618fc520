"""Calls that torch itself makes of compiled code, where it takes part in each operator. Results are compared with those of
the same Python code, and of torch.jit."""

import unittest

try:
    import torch
except ImportError:
    torch = None

if torch is not None:
    from torch_runs import Traces, Casts, Derivatives, WithoutElements, ToTorch  # noqa: F401  the tests


@unittest.skipIf(torch is not None, "torch is there")
class WithoutTorch(unittest.TestCase):
    def test_torch_runs(self):
        self.skipTest("needs torch")


if __name__ == "__main__":
    unittest.main()
