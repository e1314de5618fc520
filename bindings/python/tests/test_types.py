"""What type checkers say of programs that use the package, by its stubs."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import tsc
from support import TestCase

try:
    import mypy
except ImportError:
    mypy = None

RIGHT = """
import tsc
from tsc import nn, optim

class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.last = nn.Linear(3, 1, bias=False)

    def forward(self, x: tsc.Tensor) -> tsc.Tensor:
        return nn.functional.relu(self.last(x))

net = Net().eval()
optimizer = optim.SGD(net.parameters(), lr=0.1)
loss: tsc.Tensor = nn.functional.mse_loss(net(tsc.ones(2, 3)), tsc.zeros(2, 1))
loss.backward()
optimizer.step()
values, places = tsc.max(tsc.ones(2, 3), 1)
weight: nn.Parameter = net.get_parameter("last.weight")
state: dict[str, tsc.Tensor] = net.state_dict()
model = tsc.load("model.pt", threads=2)
reveal_type(net)
reveal_type(values)
reveal_type(nn.utils.clip_grad_norm_(net.parameters(), 1.0))
"""
WRONG = """
import tsc
from tsc import nn

nn.functional.relu("x")
nn.Linear(3)
tsc.tensor([1.], device=3)
"""


@unittest.skipIf(mypy is None or not pathlib.Path(tsc.__file__).with_suffix(".pyi").exists(), "needs mypy and stubs")
class Types(TestCase):
    def check(self, text):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program.py"
            program.write_text(text)
            run = subprocess.run(
                [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--hide-error-context", "--no-error-summary",
                 "--cache-dir", folder, program], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                env={**os.environ, "MYPYPATH": str(pathlib.Path(tsc.__file__).parent.parent)})
        return [line.split("program.py:", 1)[-1] for line in run.stdout.splitlines()]

    def test_right(self):
        self.assertEqual(self.check(RIGHT), ['22: note: Revealed type is "program.Net"', '23: note: Revealed type is "tsc.Tensor"',
                                             '24: note: Revealed type is "tsc.Tensor"'])

    def test_wrong(self):
        lines = self.check(WRONG)
        self.assertEqual([line.split(":")[0] for line in lines if "error" in line], ["5", "6", "7"], lines)


if __name__ == "__main__":
    unittest.main()
