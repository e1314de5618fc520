"""Programs: loading, values both ways, errors."""

import collections
import enum
import io
import inspect
import os
import pathlib
import tempfile
import traceback
import unittest

import tsc
from support import NET, TestCase, compile_source, needs_numpy, net_archive, numpy


class Sources(TestCase):
    def test_compilation_unit(self):
        unit = compile_source("""
            def twice(x: int):
                return 2 * x

            def both(x: int):
                return twice(x), x
        """)
        self.assertEqual(unit.twice(4), 8)
        self.assertEqual(unit.both(x=3), (6, 3))
        unit.define("def thrice(x: int):\n    return twice(x) + x\n")
        self.assertEqual(unit.thrice(5), 15)
        self.assertEqual([f.name for f in unit.get_functions()], ["twice", "both", "thrice"])
        with self.assertRaises(AttributeError):
            unit.nothing

    def test_functions(self):
        f = compile_source("def f(x: Tensor, n: int = 2, *, scale: float = 1.):\n    return x * n * scale\n").f
        self.assertEqual(f.__name__, "f")
        self.assertEqual(str(inspect.signature(f)),
                         "(x: 'Tensor', n: 'int' = 2, *, scale: 'float' = 1.0) -> 'Tensor'")
        self.assertTensor(f(tsc.ones(1), scale=0.5), [1.0])
        self.assertIn("f(Tensor x, int n=2, *, float scale=1.) -> Tensor", f.schema)
        self.assertEqual(repr(f), "<tsc.Function 'f'>")

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "f.py"
            path.write_text("def f(x: int):\n    return x + 1\n")
            program = tsc.load(path)
            self.assertEqual(program.f(1), 2)
            self.assertEqual(program.functions, ["f"])
            self.assertEqual(program.name, str(path))
            with open(path, "rb") as file:
                self.assertEqual(tsc.load(file).f(2), 3)
            graph = pathlib.Path(folder) / "g.ir"
            graph.write_text("graph(%x : int):\n  %y : int = aten::add(%x, %x)\n  return (%y)\n")
            self.assertEqual(tsc.load(graph).find()(4), 8)
            with self.assertRaises(FileNotFoundError):
                tsc.load(os.path.join(folder, "none.pt"))
            with self.assertRaises(IsADirectoryError):
                tsc.load(folder)

    def test_evaluate(self):
        program = tsc.load(b"def f(x: int):\n    return x + 1\n", name="f.py")
        self.assertEqual(program.evaluate("f(1), 'a', torch.ones(2).sum().item()"), [2, "a", 2.0])

    def test_prints(self):
        import contextlib

        f = compile_source("def f():\n    print('hello', 1.5)\n    print('there')\n").f
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            f()
        self.assertEqual(out.getvalue(), "hello 1.5\nthere\n")

    def test_warnings(self):
        f = compile_source("import warnings\ndef f():\n    warnings.warn('careful')\n    return 1\n").f
        with self.assertWarnsRegex(UserWarning, "careful"):
            self.assertEqual(f(), 1)
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.assertRaisesRegex(UserWarning, "careful"):
                f()

    def test_options(self):
        for options in ({"optimization": 0}, {"compile": "eager"}, {"compile": "off"}, {"fuser": False}, {"threads": 2}):
            f = compile_source("def f(x: Tensor):\n    return (x * 2 + 1).relu()\n", **options).f
            for _ in range(4):
                self.assertTensor(f(tsc.tensor([-3.0, 1.0])), [0.0, 3.0])
        with self.assertRaisesRegex(ValueError, "'optimization' is an int from 0 to 3, and not 9"):
            compile_source("def f():\n    return 1\n", optimization=9)
        with self.assertRaisesRegex(ValueError, "'compile' is"):
            compile_source("def f():\n    return 1\n", compile="now")
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'nothing'"):
            tsc.load(b"", nothing=1)
        with self.assertRaisesRegex(RuntimeError, "on the processor alone, and not on 'cuda'"):
            tsc.load(b"", device="cuda")


class Values(TestCase):
    def both_ways(self, annotation, value):
        f = compile_source(f"def f(x: {annotation}) -> {annotation}:\n    return x\n").f
        result = f(value)
        self.assertEqual(result, value)
        self.assertIs(type(result), type(value))
        return result

    def test_both_ways(self):
        for annotation, value in (
                ("Optional[int]", None), ("bool", True), ("int", -2**63), ("float", 0.1), ("complex", 1 - 2j),
                ("str", "häß\U0001f600"), ("List[int]", [1, 2]), ("List[float]", [1.5]), ("List[bool]", [True]),
                ("List[str]", ["a", ""]), ("List[List[int]]", [[1], []]), ("List[int]", []),
                ("Tuple[int, str]", (1, "a")), ("Dict[str, int]", {"b": 1, "a": 2}), ("Dict[int, List[str]]", {3: ["x"]}),
                ("Optional[Dict[str, Tuple[int, float]]]", {"k": (1, 2.0)})):
            with self.subTest(annotation):
                self.both_ways(annotation, value)

    def test_conversions(self):
        unit = compile_source("""
            def number(x: float):
                return x
            def numbers(x: List[float]):
                return x
            def tensors(x: List[Tensor]):
                return len(x)
            def device(x: torch.device):
                return x
            def dtype(x: torch.dtype):
                return torch.zeros(1, dtype=x)
        """)
        self.assertEqual(unit.number(3), 3.0)
        self.assertEqual(unit.number(tsc.tensor(2.5)), 2.5)
        self.assertEqual(unit.numbers((1, 2.5)), [1.0, 2.5])
        self.assertEqual(unit.numbers(range(2)), [0.0, 1.0])
        self.assertEqual(unit.tensors([tsc.zeros(1)] * 3), 3)
        self.assertEqual(unit.device("cuda:1"), tsc.device("cuda:1"))
        self.assertEqual(unit.device(tsc.device("cpu")), tsc.device("cpu"))
        self.assertIs(unit.dtype(tsc.float64).dtype, tsc.float64)

    @needs_numpy
    def test_arrays(self):
        f = compile_source("def f(x: Tensor, n: int):\n    return x * n\n").f
        self.assertTensor(f(numpy.ones(2, numpy.float32), numpy.int64(3)), [3.0, 3.0])
        g = compile_source("def g(x: Tensor):\n    x += 1\n    return 0\n").g
        a = numpy.zeros(2)
        g(a)
        self.assertEqual(a.tolist(), [1.0, 1.0])

    def test_tensors_are_shared(self):
        f = compile_source("def f(x: Tensor):\n    x[0] = 5.\n    return x\n").f
        x = tsc.zeros(2)
        y = f(x)
        self.assertTensor(x, [5.0, 0.0])
        self.assertTrue(y.is_same(x))

    def test_gradients_of_what_is_nested_deeply(self):
        depth = 12
        unit = tsc.CompilationUnit("from typing import List\n"
                                   f"def f(x: {'List[' * depth}Tensor{']' * depth}) -> Tensor:\n"
                                   f"    return x{'[0]' * depth} * 3.0\n")
        tensor = tsc.ones(2, requires_grad=True)
        value = tensor
        for _ in range(depth):
            value = [value]
        unit.f(value).sum().backward()
        self.assertTensor(tensor.grad, [3.0, 3.0])

    def test_named_tuples(self):
        program = tsc.load(b"""
from typing import NamedTuple
class Point(NamedTuple):
    x: int
    y: float
def make(x: int):
    return Point(x, 0.5)
def add(p: Point):
    return p.x + p.y
""", name="p.py")
        p = program.make(3)
        self.assertEqual((p.x, p.y), (3, 0.5))
        self.assertEqual(type(p).__name__, "Point")
        self.assertIs(type(p), type(program.make(4)))
        self.assertEqual(program.add(p), 3.5)
        Mine = collections.namedtuple("Mine", "x y")
        self.assertEqual(program.add(Mine(1, 2.0)), 3.0)

    def test_enums(self):
        program = tsc.load(b"""
from enum import Enum
class Color(Enum):
    RED = 1
    BLUE = 2
def other(c: Color):
    return Color.BLUE if c == Color.RED else Color.RED
""", name="c.py")
        class Color(enum.Enum):
            RED = 1
            BLUE = 2
        blue = program.other(Color.RED)
        self.assertIsInstance(blue, enum.Enum)
        self.assertEqual((blue.name, blue.value), ("BLUE", 2))
        self.assertEqual(program.other(blue).name, "RED")

    def test_objects(self):
        text = b"""
class Counter:
    def __init__(self, start: int):
        self.count = start
    def up(self, by: int) -> int:
        self.count += by
        return self.count
def make():
    return Counter(3)
def read(c: Counter):
    return c.count
"""
        program = tsc.load(text, name="c.py")
        counter = program.make()
        self.assertIsInstance(counter, tsc.Object)
        self.assertEqual(counter.count, 3)
        self.assertEqual(counter.up(2), 5)
        counter.count = 10
        self.assertEqual(program.read(counter), 10)
        self.assertEqual(counter.original_name, "__torch__.Counter")
        with self.assertRaisesRegex(TypeError, "can be given to its own program alone"):
            tsc.load(text, name="c.py").read(counter)
        with self.assertRaisesRegex(AttributeError, "'Counter' object has no attribute 'nothing'"):
            counter.nothing
        del program
        self.assertEqual(counter.up(1), 11)  # it keeps its program

    def test_generators(self):
        unit = compile_source("""
            def f(g: torch.Generator):
                return torch.rand(2, generator=g), g
        """)
        g = tsc.Generator().manual_seed(0)
        x, same = unit.f(g)
        self.assertEqual(str(x), "tensor([0.4963, 0.7682])")
        self.assertEqual(same.initial_seed(), 0)
        self.assertEqual(str(tsc.rand(1, generator=same)), "tensor([0.0885])")

    def test_futures(self):
        unit = compile_source("""
            def work(x: int):
                if x < 0:
                    raise ValueError("negative")
                return x * 2
            def start(x: int):
                return torch.jit.fork(work, x)
        """)
        self.assertEqual(unit.start(4).wait(), 8)
        self.assertTrue(unit.start(4).done())

    def test_what_has_no_counterpart(self):
        f = compile_source("def f(x: List[Any]):\n    return 1\n").f
        with self.assertRaisesRegex(TypeError, "an object of type object has no counterpart in TorchScript"):
            f([object()])
        with self.assertRaisesRegex(TypeError, "TorchScript has no bytes"):
            f([b"a"])
        with self.assertRaisesRegex(TypeError, "a key of a dict"):
            f([{(1,): 2}])
        with self.assertRaisesRegex(OverflowError, "an int of a program has 64 bits"):
            f([2**64])
        deep = []
        for _ in range(300):
            deep = [deep]
        with self.assertRaisesRegex(RecursionError, "nested more deeply than 200 levels"):
            f(deep)


class Errors(TestCase):
    def test_compile_errors_show_the_place(self):
        with self.assertRaises(tsc.CompileError) as caught:
            compile_source("def f(x: int):\n    return x + undefined_name\n", name="mine.py")
        error = caught.exception
        self.assertIsInstance(error, SyntaxError)
        self.assertIsInstance(error, RuntimeError)
        self.assertEqual((error.filename, error.lineno), ("mine.py", 2))
        self.assertEqual(error.text, "    return x + undefined_name")
        self.assertEqual(error.offset, 16)
        shown = "".join(traceback.format_exception_only(type(error), error))
        self.assertIn('File "mine.py", line 2', shown)
        self.assertIn("^^^^^^^^^^^^^^", shown)
        self.assertIn("undefined value undefined_name", shown)

    def test_text_that_does_not_parse(self):
        with self.assertRaises(SyntaxError) as caught:
            compile_source("def f(:\n")
        self.assertEqual(caught.exception.lineno, 1)

    def test_hints_are_notes(self):
        with self.assertRaises(tsc.CompileError) as caught:
            compile_source("def f(x: Tensor):\n    return torch.reluu(x)\n")
        self.assertIn("relu", str(caught.exception) + "".join(getattr(caught.exception, "__notes__", [])))

    def test_classes_that_programs_raise(self):
        unit = compile_source("""
            def value():
                raise ValueError("bad value")
            def plain():
                raise Exception("plain")
            def key():
                d = {"a": 1}
                return d["b"]
            def index(x: List[int]):
                return x[5]
            def check(x: int):
                assert x > 0, "not positive"
        """)
        with self.assertRaisesRegex(ValueError, "bad value") as caught:
            unit.value()
        self.assertIsInstance(caught.exception, tsc.Error)
        self.assertIsInstance(caught.exception, RuntimeError)
        self.assertEqual(caught.exception.summary, "ValueError: bad value")
        with self.assertRaisesRegex(KeyError, "b"):
            unit.key()
        with self.assertRaises(IndexError):
            unit.index([1])
        with self.assertRaisesRegex(AssertionError, "not positive"):
            unit.check(0)
        with self.assertRaisesRegex(Exception, "plain"):
            unit.plain()

    def test_frames_of_torchscript_are_in_the_traceback(self):
        unit = compile_source("def inner(x: int):\n    if x > 0:\n        raise ValueError('no')\n    return x\n\n"
                              "def outer(x: int):\n    return inner(x) + 1\n", name="mine.py")
        try:  # assertRaises() takes the traceback away
            unit.outer(1)
        except ValueError as error:
            frames = [(frame.filename, frame.lineno, frame.name) for frame in traceback.extract_tb(error.__traceback__)]
        self.assertEqual(frames[-2:], [("mine.py", 7, "outer"), ("mine.py", 3, "inner")])
        self.assertEqual(os.path.basename(frames[0][0]), os.path.basename(__file__))

    def test_operators_errors(self):
        f = compile_source("def f(x: Tensor, y: Tensor):\n    return x + y\n").f
        with self.assertRaisesRegex(RuntimeError, "The size of tensor a"):
            f(tsc.zeros(2), tsc.zeros(3))

    def test_objects_of_programs_are_not_made_by_their_classes(self):
        for cls in (tsc.Function, tsc.Module, tsc.Object, tsc.Operator, tsc.dtype, tsc.Program):
            with self.assertRaises(TypeError):
                cls()

    def test_wrong_arguments(self):
        f = compile_source("def f(x: int):\n    return x\n").f
        with self.assertRaisesRegex(RuntimeError, "missing value for argument 'x'"):
            f()
        with self.assertRaisesRegex(RuntimeError, "Expected a value of type 'int' for argument 'x'"):
            f("a")
        with self.assertRaisesRegex(RuntimeError, "[Uu]nknown keyword argument 'y'"):
            f(1, y=2)

    def test_quotas(self):
        f = compile_source("def f():\n    n = 0\n    while True:\n        n += 1\n    return n\n",
                           quotas=tsc.Quotas(steps=10000)).f
        with self.assertRaises(tsc.QuotaError) as caught:
            f()
        self.assertEqual(caught.exception.quota, "steps")
        g = compile_source("def g():\n    return torch.zeros(1000000)\n", quotas={"memory": 1000}).g
        with self.assertRaises(tsc.QuotaError) as caught:
            g()
        self.assertEqual(caught.exception.quota, "memory")
        with self.assertRaisesRegex(ValueError, "the quota of steps is an int that is not negative"):
            compile_source("def f():\n    return 1\n", quotas=tsc.Quotas(steps=-1))

    def test_operators_that_are_not_allowed(self):
        text = "def f(x: Tensor):\n    return x.relu()\n"
        with self.assertRaisesRegex(RuntimeError, "aten::relu"):
            compile_source(text, deny_operators="aten::relu")
        with self.assertRaisesRegex(RuntimeError, "aten::relu"):
            compile_source(text, allow_operators=["aten::add", "aten::mul"])
        self.assertTensor(compile_source(text, allow_operators="aten::*").f(tsc.ones(1)), [1.0])

    def test_damaged_archives(self):
        data = net_archive()
        with self.assertRaises(RuntimeError):
            tsc.load(data[: len(data) // 2])
        with self.assertRaises(RuntimeError):
            tsc.load(b"PK\3\4 this is none")
        with self.assertRaises(RuntimeError):
            tsc.load(b"")


if __name__ == "__main__":
    unittest.main()
