"""What notebooks show, and the magic %%torchscript."""

import pathlib
import unittest
import xml.etree.ElementTree

import tsc
from support import TestCase, net_archive

try:
    import nbclient
    import nbformat
except ImportError:
    nbclient = None

NOTEBOOKS = pathlib.Path(__file__).resolve().parents[3] / "docs/notebooks"


class Shown(TestCase):
    def parsed(self, value):
        """What an object shows, as one element. Pictures and entities are XML's."""
        return xml.etree.ElementTree.fromstring(f"<div>{value._repr_html_()}</div>")

    def test_tensors(self):
        shown = self.parsed(tsc.tensor([[1.5, 2.0], [3.0, -4.25]], requires_grad=True))
        self.assertEqual([cell.text for cell in shown.iter("td")], ["1.5", "2", "3", "-4.25"])
        self.assertEqual(shown.find("small").text, "shape (2, 2); float32; requires gradients")
        shown = self.parsed(tsc.arange(100))
        self.assertEqual([cell.text for cell in shown.iter("td")],
                         ["0", "1", "2", "3", "4", "5", "\u2026", "94", "95", "96", "97", "98", "99"])
        self.assertEqual(len(list(self.parsed(tsc.zeros(50, 50)).iter("td"))), 13 * 13)
        self.assertIn("tensor(", self.parsed(tsc.zeros(2, 2, 2)).find("pre").text)
        self.assertIn("tensor([])", self.parsed(tsc.zeros(0)).find("pre").text)

    def test_modules(self):
        for module in (tsc.load(net_archive()), tsc.nn.Sequential(tsc.nn.Linear(3, 4), tsc.nn.Linear(4, 2))):
            text = "".join(self.parsed(module).itertext())
            self.assertIn("26 parameters", text)
            self.assertIn("float32[4, 3]", text)
            self.assertIn("Linear", text)

    def test_programs(self):
        program = tsc.load(b"def twice(x: int) -> int:\n    return 2 * x\n", name="a<b.py")
        text = "".join(self.parsed(program).itertext())
        self.assertIn("a<b.py", text)
        self.assertIn("twice(x: 'int') -> 'int'", text)

    def test_graphs(self):
        @tsc.jit.script
        def f(x: tsc.Tensor) -> tsc.Tensor:
            return tsc.relu(x) + 1

        shown = self.parsed(f.graph)
        self.assertTrue(any(element.tag.endswith("svg") for element in shown.iter()))
        self.assertIn("aten::relu", shown.find("details/pre").text)


class Shell:
    """What the magic uses of IPython's."""

    execution_count = 3

    def __init__(self):
        self.names, self.magics = {}, {}

    def push(self, names):
        self.names.update(names)

    def register_magic_function(self, function, magic_kind, magic_name):
        self.magics[magic_kind, magic_name] = function


class Magic(TestCase):
    def setUp(self):
        self.shell = Shell()
        tsc.load_ipython_extension(self.shell)
        self.run_cell = self.shell.magics["cell", "torchscript"]

    def test_functions_become_names(self):
        self.run_cell("unit threads=2", "def twice(x: int) -> int:\n    return 2 * x\n\ndef four(x: int) -> int:\n    return twice(twice(x))\n")
        self.assertEqual(self.shell.names["four"](3), 12)
        self.assertEqual(self.shell.names["unit"].twice(3), 6)

    def test_errors(self):
        with self.assertRaises(tsc.CompileError) as caught:
            self.run_cell("", "def f(x: int) -> int:\n    return y\n")
        self.assertEqual((caught.exception.filename, caught.exception.lineno), ("<torchscript cell 3>.py", 2))
        with self.assertRaisesRegex(ValueError, "takes a name and options"):
            self.run_cell("a b", "def f(x: int) -> int:\n    return x\n")
        with self.assertRaises(TypeError):
            self.run_cell("nothing=3", "def f(x: int) -> int:\n    return x\n")


@unittest.skipIf(nbclient is None, "needs nbclient and ipykernel")
class Notebooks(TestCase):
    """The notebooks of the documentation, in a kernel of Jupyter's. An error in a cell is raised here."""

    def test_first_steps(self):
        notebook = nbformat.read(NOTEBOOKS / "first-steps.ipynb", as_version=4)
        nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
        shown = [output.data for cell in notebook.cells for output in cell.get("outputs", ())
                 if output.output_type in ("execute_result", "display_data")]
        pages = "".join(data.get("text/html", "") for data in shown)
        for text in ("<table>", "<svg", "81 parameters", "<b>Net</b>"):
            self.assertIn(text, pages)

    def test_all_notebooks_are_tested_and_without_outputs(self):
        import json
        self.assertEqual([path.name for path in NOTEBOOKS.glob("*.ipynb")], ["first-steps.ipynb"])
        cells = json.loads((NOTEBOOKS / "first-steps.ipynb").read_text())["cells"]
        self.assertFalse([cell for cell in cells if cell.get("outputs")])


if __name__ == "__main__":
    unittest.main()
