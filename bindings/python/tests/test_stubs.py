"""The type stubs, where the package has them, name what the package has."""

import ast
import pathlib
import unittest

import tsc
from support import TestCase

STUBS = pathlib.Path(tsc.__file__).with_name("__init__.pyi")


@unittest.skipUnless(STUBS.exists(), "the package was built without type stubs")
class Stubs(TestCase):
    def setUp(self):
        self.tree = ast.parse(STUBS.read_text())

    def names(self, body):
        for statement in body:
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                yield statement.name
            elif isinstance(statement, ast.AnnAssign):
                yield statement.target.id
            elif isinstance(statement, ast.Assign):
                yield statement.targets[0].id
            elif isinstance(statement, ast.ImportFrom):
                yield from (alias.asname or alias.name for alias in statement.names)

    def test_names_of_the_package(self):
        # A submodule that a program imports by its name, tsc.ray, is an attribute from then on.
        public = {name for name in vars(tsc) if not name.startswith("_") and name != "ray"}
        self.assertEqual(public - set(self.names(self.tree.body)), set())

    def test_names_of_classes(self):
        for statement in self.tree.body:
            if not isinstance(statement, ast.ClassDef) or statement.name.startswith("_"):
                continue
            cls = getattr(tsc, statement.name)
            declared = set(self.names(statement.body))
            public = {name for name in vars(cls) if not name.startswith("_")}
            self.assertEqual(public - declared, set(), statement.name)

    def test_every_operator_is_there(self):
        functions = set(self.names(self.tree.body))
        for name in ("relu", "add", "cat", "zeros", "linear", "conv2d", "matmul"):
            self.assertIn(name, functions)


if __name__ == "__main__":
    unittest.main()
