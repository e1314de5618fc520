"""Runs texts of tsc's library, which are TorchScript and Python at once, by CPython.

The texts are those of lib/Frontend/Prelude, which compiled programs see as torch.nn, torch.optim and so on. Here they see
tsc in torch's place.
"""

import ast
import pathlib

FOLDER = pathlib.Path(__file__).with_name("_prelude_texts")


def _imports_of_tsc(node):
    """Returns an import with tsc in the place of torch, as one or several statements."""
    if isinstance(node, ast.ImportFrom):
        if node.module.split(".")[0] == "torch":
            node.module = "tsc" + node.module[5:]
        return [node]
    made = []
    for alias in node.names:
        package, _, name = alias.name.rpartition(".")
        if alias.name == "torch":
            made.append(ast.Import([ast.alias("tsc", alias.asname or "torch")]))
        elif package.split(".")[0] == "torch":
            made.append(ast.ImportFrom("tsc" + package[5:], [ast.alias(name, alias.asname)], 0))
        else:
            made.append(ast.Import([alias]))
    return [ast.fix_missing_locations(ast.copy_location(one, node)) for one in made]


def _adapt(node, dropped, only):
    """Returns what stands for a statement of a text: imports are of tsc, and definitions that CPython's side has in another
    form are left out."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return _imports_of_tsc(node)
    name = getattr(node, "name", None)
    if name in dropped or only is not None and name not in only:
        return []
    if isinstance(node, ast.ClassDef):  # what marks an interface says nothing to Python
        node.decorator_list = [one for one in node.decorator_list if getattr(one, "attr", None) != "interface"]
    return [node]


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
        tree.body = [made for node in tree.body for made in _adapt(node, dropped, only)]
        exec(compile(tree, str(path), "exec"), into)
