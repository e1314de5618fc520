"""tsc.jit.script: functions and classes of Python's, without torch."""

import dataclasses
import enum
import math
import unittest
from typing import Dict, List, NamedTuple, Optional, Tuple

import tsc
from support import TestCase
from tsc import jit

LIMIT = 3
WORDS = ["a", "b"]


def helper(x: tsc.Tensor, n: int = 2) -> tsc.Tensor:
    return x * n


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Point(NamedTuple):
    x: int
    y: float = 0.5


class Counter:
    def __init__(self, start: int):
        self.n = start

    def step(self) -> int:
        self.n += 1
        return self.n


@dataclasses.dataclass
class Box:
    low: int
    high: int = 10

    def size(self) -> int:
        return self.high - self.low


@jit.interface
class Stepper:
    def step(self) -> int:
        pass


class Late(RuntimeError):
    pass


@jit.ignore
def in_python(x: tsc.Tensor, words: List[str]) -> int:
    seen.append((x.tolist(), words))
    return len(words)


@jit.unused
def not_compiled(x: tsc.Tensor) -> tsc.Tensor:
    import nothing  # noqa: F401  there is no such module
    return x


seen = []


class Functions(TestCase):
    def test_calls(self):
        @jit.script
        def f(x: tsc.Tensor, n: int) -> tsc.Tensor:
            for i in range(n):
                x = x * 2 + i
            return x

        self.assertTensor(f(tsc.tensor([1, 2]), 2), [5, 9])
        self.assertTensor(f(tsc.tensor([1, 2]), n=1), [2, 4])

    def test_other_functions_and_globals(self):
        def f(x):
            return helper(x, LIMIT) + len(WORDS) + int(math.pi)

        self.assertTensor(jit.script(f)(tsc.tensor([1])), [8])

    def test_closures(self):
        factor = 5

        def inner(x: int) -> int:
            return x * factor

        def f(x: int) -> int:
            return inner(x) + factor

        self.assertEqual(jit.script(f)(2), 15)

    def test_annotations_by_names_of_the_function_around(self):
        from typing import Dict, List, Optional

        @jit.script
        def f(xs: List[int], more: Optional[List[float]], table: Dict[str, List[int]]) -> List[float]:
            made: List[float] = [float(x) for x in xs]
            return made if more is None else more

        self.assertEqual(f([1, 2], None, {"a": [1]}), [1.0, 2.0])
        self.assertEqual(f([1, 2], [0.5], {"a": [1]}), [0.5])

    def test_lambdas(self):
        twice = lambda x: x + x  # noqa: E731

        def f(x: int, y: tsc.Tensor) -> Tuple[int, tsc.Tensor]:
            return twice(x), twice(y)

        n, y = jit.script(f)(3, tsc.tensor([1.0]))
        self.assertEqual(n, 6)
        self.assertTensor(y, [2.0])

    def test_defaults_and_keywords(self):
        @jit.script
        def f(a: int, b: Optional[int] = None, *, c: float = 0.5) -> float:
            if b is None:
                b = 1
            return a + b + c

        self.assertEqual(f(1), 2.5)
        self.assertEqual(f(1, 2, c=1.0), 4.0)

    def test_containers(self):
        @jit.script
        def f(words: List[str]) -> Dict[str, int]:
            counts: Dict[str, int] = {}
            for word in words:
                counts[word] = counts.get(word, 0) + 1
            return counts

        self.assertEqual(f(["a", "b", "a"]), {"a": 2, "b": 1})

    def test_same_name_twice(self):
        def make(n):
            if n == 1:
                def f(x: int) -> int:
                    return x + 1
            else:
                def f(x: int) -> int:
                    return x + 2
            return jit.script(f)

        self.assertEqual((make(1)(0), make(2)(0)), (1, 2))

    def test_metadata(self):
        @jit.script
        def f(x: tsc.Tensor) -> tsc.Tensor:
            """Says what it does."""
            return x.relu()

        self.assertEqual(f.__doc__, "Says what it does.")
        self.assertEqual(f.name, "f")
        self.assertIn("aten::relu", str(f.graph))
        self.assertIn("def f(x: Tensor) -> Tensor", f.code)
        self.assertIs(jit.script(f), f)

    def test_compilation_unit(self):
        unit = jit.CompilationUnit("""
        def twice(x: int) -> int:
            return x * LIMIT

        def f(x: int) -> int:
            return twice(x) + 1
        """)
        self.assertEqual(unit.f(2), 7)

    def test_text_of_a_compilation_unit(self):
        for text, message in (
                ("for i, j in [2, 3], [5, 6]:\n        x += i", "List of iterables is not supported currently"),
                ("print(x, flush=True)", "print doesn't accept any keyword arguments"),
                ("*b, = (x, x)", "A Starred expression may only appear on the lhs"),
                ("def g():\n        break", "SyntaxError: 'break' outside loop")):
            with self.assertRaisesRegex(tsc.CompileError, message) as caught:
                jit.CompilationUnit(f"def f(x: int):\n    {text}\n")
            self.assertIn("<--- HERE", str(caught.exception))
        unit = jit.CompilationUnit("def f(x: int):\n    for i in ([2], [5]):\n        x += i[0]\n    return x\n")
        self.assertEqual(unit.f(1), 8)


class Classes(TestCase):
    def test_enums(self):
        @jit.script
        def f(c: Color) -> bool:
            return c == Color.RED

        self.assertTrue(f(Color.RED))
        self.assertFalse(f(Color.BLUE))

    def test_named_tuples(self):
        @jit.script
        def f(n: int) -> Point:
            return Point(n)

        self.assertEqual(tuple(f(3)), (3, 0.5))

    def test_classes(self):
        @jit.script
        def f(n: int) -> int:
            counter = Counter(n)
            counter.step()
            return counter.step()

        self.assertEqual(f(4), 6)

    def test_dataclasses(self):
        @jit.script
        def f(n: int) -> int:
            return Box(n).size()

        self.assertEqual(f(4), 6)

    def test_interfaces(self):
        @jit.script
        def advance(one: Stepper) -> int:
            return one.step()

        @jit.script
        def f(n: int) -> int:
            return advance(Counter(n))

        self.assertEqual(f(1), 2)

    def test_inheritance_is_refused(self):
        class Base:
            def __init__(self):
                self.n = 1

        class Derived(Base):
            pass

        with self.assertRaisesRegex(RuntimeError, "does not support inheritance"):
            jit.script(Derived)

    def test_exceptions(self):
        @jit.script
        def f(n: int) -> int:
            try:
                if n > 1:
                    raise Late("too late")
            except Late:
                return 1
            return 0

        self.assertEqual((f(1), f(2)), (0, 1))


class Marks(TestCase):
    def test_ignored_functions_run_in_python(self):
        seen.clear()

        @jit.script
        def f(x: tsc.Tensor) -> int:
            return in_python(x, ["a", "b"]) + 1

        self.assertEqual(f(tsc.tensor([1, 2])), 3)
        self.assertEqual(seen, [([1, 2], ["a", "b"])])

    def test_what_ignored_functions_raise(self):
        @jit.ignore
        def fails(n: int) -> int:
            raise ValueError("from Python")

        @jit.script
        def f(n: int) -> int:
            return fails(n)

        with self.assertRaisesRegex(RuntimeError, "from Python"):
            f(1)

    def test_unused_functions_raise(self):
        @jit.script
        def f(x: tsc.Tensor, really: bool) -> tsc.Tensor:
            if really:
                x = not_compiled(x)
            return x

        self.assertTensor(f(tsc.tensor([1]), False), [1])
        with self.assertRaises(RuntimeError):
            f(tsc.tensor([1]), True)


class Errors(TestCase):
    def test_places(self):
        def f(x: tsc.Tensor):
            return x + nothing  # noqa: F821

        with self.assertRaises(tsc.CompileError) as raised:
            jit.script(f)
        self.assertEqual(raised.exception.filename, __file__)
        self.assertEqual(raised.exception.lineno, f.__code__.co_firstlineno + 1)
        self.assertIn("undefined value nothing", str(raised.exception))

    def test_what_cannot_be_a_value(self):
        thing = object()

        def f(x: tsc.Tensor):
            return thing

        with self.assertRaisesRegex(RuntimeError, "python value of type 'object' cannot be used as a value"):
            jit.script(f)

    def test_builtins_without_meaning(self):
        def f(x: int):
            return open(x)

        with self.assertRaisesRegex(RuntimeError, "is currently not supported in Torchscript|undefined value"):
            jit.script(f)

    def test_no_source(self):
        made = {"__name__": "made"}
        exec("def f(x):\n    return x\n", made)
        with self.assertRaisesRegex(OSError, "Can't get source for"):
            jit.script(made["f"])


if __name__ == "__main__":
    unittest.main()
