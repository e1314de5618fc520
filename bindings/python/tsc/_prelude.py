"""Runs texts of tsc's library, which are TorchScript and Python at once, by CPython.

The texts are those of lib/Frontend/Prelude, which compiled programs see as torch.nn, torch.optim and so on. Here they see
tsc in torch's place.
"""

import ast
import pathlib

FOLDER = pathlib.Path(__file__).with_name("_prelude_texts")


class _OfTsc(ast.NodeTransformer):
    """Turns imports of torch into imports of tsc, and takes out definitions that CPython's side has in another form."""

    def __init__(self, dropped):
        self.dropped = dropped

    def visit_Import(self, node):
        made = []
        for alias in node.names:
            if alias.name.split(".")[0] != "torch":
                made.append(ast.Import([alias]))
            elif alias.name == "torch":
                made.append(ast.Import([ast.alias("tsc", alias.asname or "torch")]))
            else:
                package, _, name = alias.name.rpartition(".")
                made.append(ast.ImportFrom("tsc" + package[5:], [ast.alias(name, alias.asname)], 0))
        return [ast.copy_location(one, node) for one in made]

    def visit_ImportFrom(self, node):
        if node.module == "torch" or node.module.startswith("torch."):
            node.module = "tsc" + node.module[5:]
        return node

    def visit_ClassDef(self, node):
        node.decorator_list = [one for one in node.decorator_list if ast.unparse(one) != "torch.jit.interface"]
        return None if node.name in self.dropped else node

    def visit_FunctionDef(self, node):
        return None if node.name in self.dropped else node


def files(folder):
    """Returns the texts of a folder, which see each other's names, with the one that others stand on first."""
    found = sorted(path.relative_to(FOLDER).as_posix() for path in (FOLDER / folder).glob("*.py"))
    first = [f"{folder}/module.py", f"{folder}/common.py"]
    return [name for name in first if name in found] + [name for name in found if name not in first]


def run(names, into, dropped=(), only=None):
    """Runs texts in one dictionary of globals: all definitions but those `dropped`, or `only` some."""
    for name in names:
        path = FOLDER / name
        tree = ast.parse(path.read_text(), str(path))
        if only is not None:
            tree.body = [one for one in tree.body if isinstance(one, (ast.Import, ast.ImportFrom))
                         or getattr(one, "name", None) in only]
        _OfTsc(frozenset(dropped)).visit(tree)
        exec(compile(ast.fix_missing_locations(tree), str(path), "exec"), into)
