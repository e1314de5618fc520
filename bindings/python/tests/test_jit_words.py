"""What tsc.jit says and shows in PyTorch's words: errors with who called what, refusals, names in graphs."""

import enum
import unittest
import warnings
from typing import Any, Dict, List, Union

from support import TestCase

try:
    import torch
except ImportError:
    torch = None

if torch is not None:
    from tsc import jit

    @jit.interface
    class Doubling(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            pass

    class Doubles(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * 2

    class Counts(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> int:
            return x.numel()

    @jit.interface
    class HasSize:
        def size(self) -> int:
            pass

    @jit.script
    class Box:
        def __init__(self, n: int):
            self.n = n

        def size(self) -> int:
            return self.n

    @jit.script
    class Empty:
        def __init__(self):
            self.n = 1


def error_of(function):
    """Returns the text of what compiling a function or module raises."""
    try:
        jit.script(function)
    except Exception as error:
        return str(error)
    raise AssertionError(f"{function} compiles")


@unittest.skipIf(torch is None, "needs torch")
class Callers(TestCase):
    def test_an_error_shows_who_called(self):
        def inner(x):
            return "a" - 2

        def middle(x):
            return inner(x)

        def outer(x):
            return middle(x)

        for _ in range(2):  # nothing is left over from the first time
            text = error_of(outer)
            self.assertIn("'inner' is being compiled since it was called from 'middle'", text)
            self.assertIn("'middle' is being compiled since it was called from 'outer'", text)
            self.assertLess(text.index("def inner"), text.index("def middle"))
            self.assertLess(text.index("def middle"), text.index("def outer"))

    def test_of_a_function_with_annotations(self):
        def inner(x: int) -> float:
            return "a"

        def outer(x: int) -> float:
            return inner(x)

        text = error_of(outer)
        self.assertIn("Return value was annotated as having type float but is actually of type str", text)
        self.assertIn("            return inner(x)\n            ~~~~~~~~~~~~~~ <--- HERE", text)

    def test_of_a_function_that_a_module_holds(self):
        def inner(x):
            return not_there  # noqa: F821

        class Net(torch.nn.Module):
            def __init__(self, function):
                super().__init__()
                self.function = function

            def forward(self, x):
                return self.function(x)

        self.assertIn("the attribute 'function' of the Python module, but it failed to compile", error_of(Net(inner)))

    def test_an_error_of_ones_own_has_no_callers(self):
        def f(x):
            return "a" - 2

        self.assertNotIn("is being compiled", error_of(f))


@unittest.skipIf(torch is None, "needs torch")
class Refusals(TestCase):
    def test_annotations_of_attributes_stand_in_init(self):
        class Late:
            def __init__(self, x: int):
                self.x = x

            def set(self, y: int):
                if y > 0:
                    self.x: int = y

        with self.assertRaisesRegex(ValueError, "must be declared in __init__, not 'set': self.x"):
            jit.script(Late)

    def test_ignored_classes_have_no_objects(self):
        @jit.ignore
        class Left:
            pass

        def f():
            return Left()

        self.assertIn("Cannot instantiate class 'Left' in a script function", error_of(f))

    def test_mutable_defaults_of_methods(self):
        class Keeps:
            def __init__(self, all: List[int] = [1]):  # noqa: B006
                self.all = all

        with self.assertRaisesRegex(RuntimeError, "Mutable default parameters are not supported"):
            jit.script(Keeps)

    def test_enums_of_several_types(self):
        class Mixed(enum.Enum):
            A = 1
            B = "b"

        def f(x: Mixed):
            return x == x

        self.assertIn("Could not unify type list", error_of(f))

    def test_futures_say_of_what(self):
        def f():
            return torch.jit.annotate(List[torch.jit.Future], [])

        self.assertIn("Attempted to use Future without a contained type", error_of(f))

    def test_truth_is_a_number(self):
        class Odd:
            def __bool__(self):
                return (1, 2)

        def f():
            return 1 if Odd() else 2

        self.assertIn("expected a bool expression for condition", error_of(f))

    def test_tuples_are_indexed_by_ints(self):
        def f():
            pair, place = (1, 2), 0.5
            return pair[place]

        def g(x: Any):
            if isinstance(x, tuple):
                a, b = x
            return 1

        self.assertIn("tuple index must be an integer", error_of(f))
        self.assertIn("a, b = x\n                       ~ <--- HERE", error_of(g))

    def test_context_managers(self):
        @jit.script
        class Enters:
            def __enter__(self, n: int):
                pass

            def __exit__(self, a: Any, b: Any, c: Any):
                pass

        @jit.script
        class Exits:
            def __enter__(self):
                pass

            def __exit__(self, a: Any, b: int, c: Any):
                pass

        def f(x: Enters):
            with x:
                pass

        def g(x: Exits):
            with x:
                pass

        def h():
            with "text":
                pass

        self.assertIn("__enter__ must have only one argument and one return value", error_of(f))
        self.assertIn("argument 2 of __exit__ must have Any type", error_of(g))
        self.assertIn("must return an object", error_of(h))

    def test_lists_and_dicts_of_unions(self):
        def several():
            x: Union[List[str], List[int]] = [torch.ones(1), 1]
            return x

        def none():
            x: Union[int, torch.Tensor] = ["a"]
            return x

        def one():
            x: Union[int, Dict[str, int]] = {"a": "b"}
            return x

        self.assertIn("none of those types match the types of the given list elements", error_of(several))
        self.assertIn("Expected an Union type annotation with an inner List type", error_of(none))
        self.assertIn("Type annotation was inferred to be `Dict[str, int]`, but the type of values given by the dict literal "
                      "is str", error_of(one))

    def test_get_item_of_tensors(self):
        def f(x, n: int):
            return x.__getitem__(torch.tensor([1, 0])), x.__getitem__(n)

        def g(x):
            return x.__getitem__()

        x = torch.rand(2, 3)
        picked, row = jit.script(f)(x, 1)
        self.assertTrue(torch.equal(picked, x[[1, 0]]) and torch.equal(row, x[1]))
        self.assertIn("expected exactly 1 argument", error_of(g))


@unittest.skipIf(torch is None, "needs torch")
class Modules(TestCase):
    def test_chosen_modules_have_the_interface(self):
        def net(module):
            class Net(torch.nn.Module):
                def __init__(self):
                    super().__init__()
                    self.all = torch.nn.ModuleList([Doubles(), module])

                def forward(self, x: torch.Tensor, n: int) -> torch.Tensor:
                    chosen: Doubling = self.all[n]
                    return chosen.forward(x)

            return Net()

        self.assertEqual(jit.script(net(Doubles()))(torch.ones(1), 1).tolist(), [2])
        self.assertIn("Attribute 1 is not of annotated type", error_of(net(Counts())))

    def test_attributes_that_have_no_type(self):
        class Net(torch.nn.Module):
            __jit_ignored_attributes__ = ["left"]

            def __init__(self):
                super().__init__()
                self.kind = object
                self.layers = [torch.nn.ReLU()]
                self.left = torch.nn.ReLU()

            def forward(self, x):
                return x

            @jit.ignore
            def in_python(self, x: torch.Tensor) -> torch.Tensor:
                return self.left(x)

        class Kind(Net):
            def forward(self, x):
                return self.kind

        class Layers(Net):
            def forward(self, x):
                return len(self.layers)

        class Left(Net):
            def forward(self, x):
                return self.left(x)

        self.assertEqual(jit.script(Net()).in_python(-torch.ones(1)).tolist(), [0])
        self.assertIn("failed to convert Python type", error_of(Kind()))
        self.assertIn("Could not infer type of list element: Cannot infer concrete type of torch.nn.Module", error_of(Layers()))
        self.assertIn("attribute was ignored during compilation", error_of(Left()))

    def test_objects_and_interfaces(self):
        class Net(torch.nn.Module):
            box: HasSize

            def __init__(self, box):
                super().__init__()
                self.box = box

            def forward(self):
                return self.box.size()

        class Plain:
            pass

        self.assertEqual(jit.script(Net(Box(3)))(), 3)
        self.assertIn("is not compatible with interface", error_of(Net(Empty())))
        self.assertIn("the value is not a TorchScript compatible type", error_of(Net(Plain())))

    def test_modules_of_functions_are_left_to_python(self):
        layer = torch.nn.Linear(2, 2)

        @jit.script
        def f(x):
            return layer(x) + 1

        x = torch.rand(1, 2)
        self.assertTrue(torch.equal(f(x), layer(x) + 1))
        self.assertIn("python_value", str(f.graph))
        self.assertIn("^python_value()(x)", f.code)


@unittest.skipIf(torch is None, "needs torch")
class Texts(TestCase):
    def test_formatting(self):
        def f(x: str) -> str:
            return "%d in a text" % x

        def g(x: str) -> str:
            return "%s and %s" % x

        def h(x: str) -> str:
            return "%8.2e" % x

        for function, words in ((f, "%d requires a number for formatting, but got String"),
                                (g, "Too few arguments for format string"),
                                (h, "%e requires a number for formatting, but got String")):
            with self.assertRaises(TypeError) as caught:
                jit.script(function)("a")
            self.assertIn(words, str(caught.exception))
            self.assertNotIn(words, caught.exception.summary)

    def test_classes_of_tensors(self):
        def f(x: torch.LongTensor) -> torch.LongTensor:
            return x

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            jit.script(f)
        self.assertIn("TorchScript will treat type annotations of Tensor", str(caught[0]))

    def test_names_of_values(self):
        def f(x, n: int, unread: int):
            a = x + n
            for i in range(n):
                a = a + i
            x = a * 2
            x = x * 3
            return x

        text = jit.script(f).graph.str(False)
        self.assertIn("graph(%x.1 : Tensor,\n      %n.1 : int,\n      %unread : int):", text)
        for piece in ("%a.1 : Tensor = aten::add(%x.1", "%a : Tensor = prim::Loop", "%x.5 : Tensor = aten::mul(%a,",
                      "%x.9 : Tensor = aten::mul(%x.5"):
            self.assertIn(piece, text)

    def test_overloads(self):
        @torch.jit._overload
        def scaled(x: float) -> float:  # noqa: F811
            pass

        @torch.jit._overload
        def scaled(x: int, by: int) -> int:  # noqa: F811
            pass

        def scaled(x, by: int = 2, more: int = 3):  # noqa: F811
            return x * by + more

        def f():
            return scaled(1.5), scaled(1, 4)

        self.assertEqual(jit.script(f)(), (6.0, 7))

        given = scaled

        @torch.jit._overload
        def scaled(x: torch.Tensor) -> torch.Tensor:  # noqa: F811
            pass

        def g():
            return given(torch.ones(1))

        self.assertEqual(jit.script(g)().item(), 5)

        @torch.jit._overload
        def other(x: int = 1) -> int:  # noqa: F811
            pass

        def other(x=2):  # noqa: F811
            return x

        def h():
            return other(1)

        with self.assertRaisesRegex(Exception, "must equal to the default parameter on the implementation"):
            jit.script(h)

    def test_arguments_that_are_no_objects(self):
        def f(x: Box) -> int:
            return x.size()

        with self.assertRaisesRegex(RuntimeError, "object was missing attribute n"):
            jit.script(f)(torch.ones(1))

    def test_forked_functions_are_shown(self):
        def inner(x):
            return torch.relu(x) if x.dim() == 2 else torch.neg(x)

        def f(x):
            return torch.jit._wait(torch.jit._fork(inner, x))

        self.assertRegex(str(jit.script(f).graph), r"(?s)with prim::fork_0 = .*prim::If")

    def test_pictures_of_aliases(self):
        def f(x):
            y = x[0]
            return y.relu_() + 1

        aliases = jit.script(f).graph.alias_db()
        self.assertIn("May be seen outside (WILDCARD): %x", str(aliases))
        self.assertIn('digraph alias_db {', aliases.to_graphviz_str())
        self.assertIn('-> "WILDCARD"', aliases.to_graphviz_str())

    def test_variance_is_taken_apart(self):
        def f(x):
            return torch.var(x, unbiased=True)

        graph = jit.script(f).graph.copy()
        jit.passes.run_decompositions(graph)
        self.assertNotIn("aten::var", str(graph))
        for x in (torch.rand(5, dtype=torch.double), torch.rand(5, dtype=torch.cdouble)):
            self.assertAlmostEqual(jit.create_function_from_graph("g", graph)(x).item(), torch.var(x).item(), 12)


if __name__ == "__main__":
    unittest.main()
