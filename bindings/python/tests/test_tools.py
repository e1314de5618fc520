"""`python -m tsc`: the tools, which the package has in it."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import tsc
from support import TestCase, net_archive

HAS_TOOLS = hasattr(tsc._tsc, "_run_tool")
GRAPH = """graph(%x : Tensor):
  %0 : Tensor = aten::relu(%x)
  %1 : Tensor = aten::neg(%0)
  return (%x)
"""


def start(*arguments, given=None):
    return subprocess.run([sys.executable, "-m", "tsc", *arguments], input=given, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)


@unittest.skipUnless(HAS_TOOLS, "the package was built without the tools")
class Tools(TestCase):
    def test_versions(self):
        for tool in ("run", "opt", "translate", "lsp"):
            run = start(tool, "--version")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn(f"tsc-{tool} (tsc) {tsc.__version__}", run.stdout)

    def test_run(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "program.py"
            path.write_text("import torch\ndef f(x: torch.Tensor, n: int) -> torch.Tensor:\n    return x * n\n")
            run = start("run", str(path), "--args", "torch.ones(2), 3")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("3", run.stdout)
            path.write_text("def f(x: int) -> int:\n    return y\n")
            run = start("run", str(path), "--args", "1")
            self.assertNotEqual(run.returncode, 0)
            self.assertIn("undefined value", run.stderr)

    def test_opt(self):
        run = start("opt", "-passes=dce", "-print-after-all", "-opt-bisect-limit=10", given=GRAPH)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertNotIn("aten::relu", run.stdout)
        self.assertIn("IR after dce", run.stderr)
        self.assertEqual(start("opt", "-nothing", given=GRAPH).returncode, 2)

    def test_translate(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "net.pt"
            path.write_bytes(net_archive())
            run = start("translate", str(path), "--list")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("forward", run.stdout)

    def test_lsp(self):
        message = '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}'
        run = start("lsp", given=f"Content-Length: {len(message)}\r\n\r\n{message}")
        self.assertIn('"id":1', run.stdout.replace(" ", ""))
        self.assertIn("capabilities", run.stdout)

    def test_command_line(self):
        self.assertEqual(start("--version").stdout.strip(), f"tsc {tsc.__version__}")
        self.assertIn("python -m tsc run", start("--help").stdout)
        run = start("walk")
        self.assertEqual((run.returncode, run.stderr.strip()),
                         (1, "error: there is no tool 'walk': the tools are run, opt, translate, lsp"))
        self.assertEqual(start().returncode, 2)


if __name__ == "__main__":
    unittest.main()
