"""Objects of users' classes that go to compiled code and back, and the words of errors."""

import dataclasses
import enum
import math
import unittest
from typing import Dict, List, NamedTuple, Optional, Tuple, Union

import tsc
from tsc import jit


class Counter:
    def __init__(self, start: int):
        self.number = start
        self.names: List[str] = []

    def add(self, by: int) -> int:
        self.number += by
        return self.number

    @property
    def doubled(self) -> int:
        return self.number * 2

    def __len__(self) -> int:
        return self.number


class ByLogarithm:
    def __init__(self, scale: float = math.log(1000.0 / 125)):
        self.scale = scale

    def times(self, x: int, digits: int = 2 * 3) -> float:
        return self.scale * x


class Pair:
    def __init__(self, left: Counter, right: Counter):
        self.left = left
        self.right = right


@dataclasses.dataclass
class Point:
    x: float
    y: float


@dataclasses.dataclass(order=True)
class Measured:
    number: int
    result: Optional[float] = None


@dataclasses.dataclass
class Scaled:
    x: float
    power: dataclasses.InitVar[int] = 2

    def __post_init__(self, power: int):
        self.x = self.x**power


class Entry(NamedTuple):
    key: str
    value: int


class Color(enum.Enum):
    RED = 1
    GREEN = 2


def advanced(counter: Counter, by: int) -> Counter:
    counter.add(by)
    counter.names.append("advanced")
    return counter


def swapped(pair: Pair) -> Pair:
    return Pair(pair.right, pair.left)


class Objects(unittest.TestCase):
    def test_goes_in_and_out(self):
        given = Counter(3)
        result = jit.script(advanced)(given, 4)
        self.assertIsInstance(result, Counter)
        self.assertEqual((result.number, result.names), (7, ["advanced"]))
        self.assertEqual((given.number, given.names), (3, []))  # compiled code had a copy

    def test_objects_within_objects(self):
        result = jit.script(swapped)(Pair(Counter(1), Counter(2)))
        self.assertEqual((result.left.number, result.right.number), (2, 1))

    def test_objects_in_containers(self):
        def total(all: List[Counter], by_name: Dict[str, Counter]) -> int:
            sum = 0
            for one in all:
                sum += one.number
            return sum + by_name["a"].number

        self.assertEqual(jit.script(total)([Counter(1), Counter(2)], {"a": Counter(4)}), 7)

    def test_dataclasses(self):
        def mirrored(point: Point) -> Point:
            return Point(point.y, point.x)

        self.assertEqual(jit.script(mirrored)(Point(1.0, 2.0)), Point(2.0, 1.0))

    def test_comparisons_of_what_may_be_none(self):
        def compared(a: Optional[float], b: Optional[float]) -> Tuple[bool, bool, bool]:
            first, second = Measured(1, a), Measured(1, b)
            return first == second, first < second, first <= second

        f = jit.script(compared)
        for a, b in ((1.0, 2.0), (2.0, 1.0), (1.0, 1.0), (None, None)):
            self.assertEqual(f(a, b), compared(a, b))
        with self.assertRaisesRegex(TypeError, "Cannot compare Measured with None"):
            f(1.0, None)

    def test_arguments_for_post_init_alone(self):
        def scaled(x: float) -> float:
            return Scaled(x).x + Scaled(x, 3).x

        self.assertEqual(jit.script(scaled)(2.0), scaled(2.0))

    def test_shared_object(self):
        shared = jit.script(Counter(1))
        jit.script(advanced)(shared, 5)
        self.assertEqual((shared.number, shared.doubled, len(shared)), (6, 12, 6))
        self.assertEqual(shared.add(1), 7)
        shared.number = 2
        self.assertEqual(shared.doubled, 4)
        with self.assertRaises(AttributeError):
            shared.missing

    def test_object_without_an_attribute(self):
        given = Counter(1)
        del given.number
        with self.assertRaisesRegex(RuntimeError, "object was missing attribute number"):
            jit.script(advanced)(given, 1)

    def test_class_names_itself(self):
        def first(count: int) -> int:
            @jit.script
            class Node:
                def __init__(self, count: int):
                    self.count = count

                def merged(self, others: List["Node"]) -> "Node":
                    return Node(self.count + len(others))

            @jit.script
            def merge(node: Node) -> int:
                return node.merged([node, node]).count

            return merge(Node(count))

        self.assertEqual(first(3), 5)

    def test_defaults_that_python_computed(self):
        def scaled(x: int) -> float:
            return ByLogarithm().times(x)

        self.assertEqual(jit.script(scaled)(3), 3 * math.log(8.0))

    def test_methods_compile_with_their_class(self):
        with self.assertRaisesRegex(jit.FrontendError.__base__, "has no attribute 'blargh'"):
            @jit.script
            class Wrong:
                def method(self, x):
                    return tsc.blargh(x)


class Words(unittest.TestCase):
    def assertSays(self, words, function):
        with self.assertRaisesRegex(RuntimeError, words) as caught:
            jit.script(function)
        return caught.exception

    def test_str_shows_the_line(self):
        def f(x: int) -> str:
            y = x + 1
            return y

        error = self.assertSays("annotated as having type str", f)
        self.assertRegex(str(error), r'File ".*test_jit_objects.py", line \d+\n')
        self.assertRegex(str(error), r"\n +return y\n +~+ <--- HERE\n")
        self.assertEqual(error.text.strip(), "return y")

    def test_markers_are_pytorchs(self):
        def f(x: List[int], y: Dict[str, int], i: int):
            if i == 0:
                raise ValueError("zero")
            if i == 1:
                return x.index(7)
            if i == 2:
                return x[i]
            if i == 3:
                return y["none"]
            return x.pop(i) + 1

        def marked(i):
            with self.assertRaises(RuntimeError) as caught:
                jit.script(f)([1], {"a": 2}, i)
            line, marker = str(caught.exception).split("\n")[3:5]
            return line[marker.index("~"):marker.rindex("~") + 1]

        self.assertEqual([marked(i) for i in range(5)],
                         ['raise ValueError("zero', "x.index", "x[i]", 'y["none"', "x.pop"])

    def test_places_are_those_of_the_file(self):
        def f(x: int) -> str:
            text = """two
        lines"""
            return x + 1

        error = self.assertSays("annotated as having type str", f)
        with open(__file__, encoding="utf-8") as file:
            line = file.read().splitlines()[error.lineno - 1]
        self.assertEqual((line[error.offset - 1:error.end_offset - 1], line[:error.offset - 1].strip()), ("return x + 1", ""))
        self.assertEqual(error.text.rstrip("\n"), line)

    def test_strings_keep_the_indentation_of_their_lines(self):
        def f() -> str:
            return """one
            two
  three"""

        self.assertEqual(jit.script(f)(), f())

    def test_overloads_in_str_alone(self):
        def f(x: List[int]):
            return x + 1

        error = self.assertSays("Arguments for call are not valid", f)
        self.assertIn("aten::add.Tensor", str(error))
        self.assertNotIn("aten::add.Tensor", error.msg)

    def test_containers_without_types(self):
        def lists(x: List):
            return x

        def dicts(x: Dict):
            return x

        def optional(x: Optional):
            return x

        self.assertSays("Attempted to use List without a contained type", lists)
        self.assertSays("Attempted to use Dict without contained types", dicts)
        self.assertSays("Attempted to use Optional without a contained type", optional)

    def test_type_comments(self):
        def prefix(x):
            #type: (int) -> int # noqa: E265
            return x

        def lines(a,  # type: int
                  b   # type: int
                  ):
            # type: bad
            return a + b

        self.assertSays("annotation prefix in line", prefix)
        self.assertSays("Return type line", lines)

    def test_inferred_argument(self):
        @jit.script
        def f(a):
            return a

        with self.assertRaisesRegex(RuntimeError, r"'Tensor \(inferred\)'[\s\S]*Inferred 'a' to be of type 'Tensor'"):
            f("1")

    def test_error_is_a_runtime_error_of_its_class(self):
        @jit.script
        def f(x: int) -> int:
            if x > 0:
                raise NotImplementedError("not yet")
            return x

        with self.assertRaises(jit.Error) as caught:
            f(1)
        self.assertIsInstance(caught.exception, NotImplementedError)

    def test_result_of_ignored_function(self):
        @jit.ignore
        def wrong() -> int:
            return (1, 2)

        @jit.script
        def f() -> int:
            return wrong()

        with self.assertRaisesRegex(RuntimeError, "but instead got value of type tuple"):
            f()

    def test_named_tuples_of_ignored_functions(self):
        @jit.ignore
        def entries(first: Entry) -> Tuple[Entry, List[Entry]]:
            return first, [Entry("b", first.value + 1)]

        @jit.script
        def f() -> Tuple[Entry, List[Entry]]:
            return entries(Entry("a", 1))

        self.assertEqual(f(), (Entry("a", 1), [Entry("b", 2)]))

    def test_numbers_are_no_members(self):
        @jit.script
        def f(x: Union[str, Color]) -> str:
            if isinstance(x, Color):
                return x.name
            return "text"

        self.assertEqual((f(Color.GREEN), f("a")), ("GREEN", "text"))
        with self.assertRaisesRegex(RuntimeError, r"Expected a member of Union\[.*Color, str\] but instead found type int"):
            f(1)

    def test_unused_methods_take_what_calls_give(self):
        class Partly:
            def __init__(self):
                self.count = 1

            @jit.unused
            def rest(self, x: int, y: "Iterator[int]", **kwargs) -> int:
                return next(y)

            def used(self, asks: bool) -> int:
                return self.rest(y="a", x=3) if asks else self.count

        @jit.script
        def f(asks: bool) -> int:
            return Partly().used(asks)

        self.assertEqual(f(False), 1)
        with self.assertRaises(NotImplementedError):
            f(True)

    def test_what_failed_before_is_no_other_error(self):
        class Wrong:
            def __init__(self):
                self.x = 1

            def method(self) -> int:
                return self.y

        def f() -> int:
            return Wrong().method()

        for _ in range(2):
            with self.assertRaises(tsc.CompileError):
                jit.script(f)

    def test_block_left_to_python(self):
        def f(a: int) -> int:
            b: int = 1
            with jit._IgnoreContextManager(a="inp:int", b="out:int"):
                b = len([i for i in range(a) if i > 2])
            return b + a

        self.assertEqual(jit.script(f)(6), 9)


if __name__ == "__main__":
    unittest.main()
