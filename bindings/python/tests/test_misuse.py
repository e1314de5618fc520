"""What careless and hostile callers do: each gets an error that says what is wrong, and never a crash or a wrong result."""

import io
import itertools
import threading
import unittest
from typing import Any, List

import tsc
from support import TestCase, needs_numpy, numpy
from tsc import jit


class Shape(tuple):
    """A tuple that lies about its length."""

    def __len__(self):
        return -1


class Number:
    """Looks like a number of NumPy's, and is none."""

    dtype = None

    def item(self):
        return self


class Capsule:
    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self, **options):
        return self.capsule


@jit.ignore
def called_back(x: int) -> int:
    return answer(x)


answer = None


@jit.script
def calls_back(x: int):
    return called_back(x) + 1


@jit.script
def holds_itself(x: int):
    values: List[Any] = []
    values.append(values)
    return values


@jit.script
def nested(depth: int):
    values: List[Any] = []
    for i in range(depth):
        around: List[Any] = []
        around.append(values)
        values = around
    return values


def add_one(x, n: int):
    return x + n


class Tensors(TestCase):
    def test_data_that_lies(self):
        with self.assertRaisesRegex(ValueError, "__len__"):
            tsc.tensor(Shape([1]))
        with self.assertRaisesRegex(RuntimeError, "Could not infer dtype of test_misuse.Number"):
            tsc.tensor(Number())
        with self.assertRaisesRegex(RuntimeError, "Could not infer dtype"):
            tsc.tensor([Number()])

    def test_operators_of_any_number_of_operands(self):
        x, y = tsc.tensor([1., 2.]), tsc.tensor([3., 4.])
        for wrong in ((), (x,), (x, y), (x, y, x, y), (x, [2 ** 62]), (x, "i")):
            with self.assertRaises((RuntimeError, TypeError)):
                tsc.einsum(*wrong)
        self.assertEqual(tsc.einsum(x, [0], y, [0]).item(), 11)
        x.requires_grad_()
        tsc.einsum(y, [0], x, [0], []).backward()
        self.assertTensor(x.grad, [3, 4])

    def test_arguments_of_other_types(self):
        with self.assertRaisesRegex(TypeError, "must be str, not list"):
            tsc.ones(()).__format__([])
        with self.assertRaisesRegex(RuntimeError, "p is too large"):
            tsc.special_multigammaln(tsc.ones(2), 2 ** 63 - 1)

    def test_an_index_that_changes_the_tensor(self):
        class Shrinks:
            def __init__(self, tensor):
                self.tensor = tensor

            def __index__(self):
                self.tensor.resize_([])
                return 0

        x = tsc.ones(2, 3)
        with self.assertRaises(IndexError):
            x[Shrinks(x), 0]

    def test_memory_that_others_see_stays(self):
        x = tsc.ones(4)
        seen = memoryview(x)
        with self.assertRaisesRegex(RuntimeError, "not resizable"):
            x.resize_(100000)
        self.assertEqual(x.shape, (4,))
        x.resize_(2)  # nothing moves
        x.set_(tsc.zeros(3))
        self.assertEqual(seen.tolist(), [1, 1, 1, 1])
        y = tsc.ones(2)
        with memoryview(y):
            pass
        y.resize_(1000)
        self.assertEqual(y.shape, (1000,))

    def test_exported_memory_outlives_the_tensor(self):
        x = tsc.ones(4)
        capsule = x.__dlpack__()
        with self.assertRaisesRegex(RuntimeError, "not resizable"):
            x.resize_(100000)
        x.set_(tsc.zeros(3))
        del x
        self.assertTensor(tsc.from_dlpack(capsule), [1, 1, 1, 1])

    def test_capsules_are_taken_once(self):
        x = tsc.ones(2)
        capsule = x.__dlpack__()
        tsc.from_dlpack(capsule)
        for again in (capsule, Capsule(capsule)):
            with self.assertRaisesRegex(ValueError, "taken its tensor already"):
                tsc.from_dlpack(again)
        with self.assertRaisesRegex(TypeError, "__dlpack__ gives a capsule, and not a int"):
            tsc.from_dlpack(Capsule(5))
        with self.assertRaisesRegex(TypeError, "of another type"):
            x.__dlpack__(max_version="1")

    def test_pickled_bools_are_bools(self):
        with self.assertRaisesRegex(ValueError, "neither 0 nor 1"):
            tsc._tsc._tensor_of_bytes(b"\0\5", tsc.bool, [2], False)

    @needs_numpy
    def test_arrays_keep_the_memory(self):
        x = tsc.ones(4)
        array = x.numpy()
        with self.assertRaisesRegex(RuntimeError, "not resizable"):
            x.resize_(100000)
        del x
        self.assertEqual(array.sum(), 4)
        self.assertEqual(tsc.from_numpy(numpy.arange(3)).sum().item(), 3)


class Values(TestCase):
    def test_values_that_hold_themselves(self):
        with self.assertRaisesRegex(RecursionError, "holds itself"):
            holds_itself(1)
        with self.assertRaisesRegex(RecursionError, "nested more deeply"):
            nested(100000)
        found = nested(200)
        for _ in range(200):
            found = found[0]
        self.assertEqual(found, [])


class Archives(TestCase):
    def test_extra_files_are_kept(self):
        files = {"note": "a text", "bytes": bytearray(b"\0\1")}
        for write in (lambda file: jit.script(add_one).save(file, files),
                      lambda file: jit.save(jit.script(add_one), file, files),
                      lambda file: tsc.save(tsc.load(b"def f(x: int):\n  return x\n", name="f.py"), file, files),
                      lambda file: file.write(jit.script(add_one).save_to_buffer(files))):
            out = io.BytesIO()
            write(out)
            found = {"note": "", "bytes": ""}
            tsc.load(out.getvalue(), _extra_files=found)
            self.assertEqual(found, {"note": b"a text", "bytes": b"\0\1"})
        for wrong in ({"n": 3}, {"n": None}, {3: b""}):
            with self.assertRaisesRegex(TypeError, "extra file"):
                jit.script(add_one).save_to_buffer(wrong)

    def test_functions_are_saved_again_and_again(self):
        function = jit.script(add_one)
        first = function.save_to_buffer()
        for _ in range(20):
            self.assertEqual(function.save_to_buffer(), first)


class CallsOfPython(TestCase):
    def call(self, function, x=0):
        global answer
        answer = function
        try:
            return calls_back(x)
        finally:
            answer = None

    def test_what_ends_a_process_passes(self):
        for kind in (SystemExit, KeyboardInterrupt, GeneratorExit):

            def ends(x, kind=kind):
                raise kind("now")

            with self.assertRaisesRegex(kind, "now"):
                self.call(ends)
            self.assertEqual(self.call(lambda x: x), 1)  # and leaves nothing behind

            def within(x, ends=ends):
                return calls_back(x - 1) if x else ends(x)

            with self.assertRaisesRegex(kind, "now"):
                self.call(within, 3)

    def test_what_fails_is_told(self):
        def fails(x):
            raise KeyError("the key")

        with self.assertRaisesRegex(tsc.Error, "KeyError: 'the key'"):
            self.call(fails)

    def test_a_deep_recursion_through_python_ends(self):
        with self.assertRaises((tsc.Error, RecursionError)) as raised:
            self.call(lambda x: calls_back(x + 1))
        self.assertLess(len(str(raised.exception)), 100000)

    def test_an_error_without_a_text(self):
        class Mute(Exception):
            def __str__(self):
                raise ValueError("no text")

        class Raises:
            def __getattr__(self, name):
                raise Mute()

        names = Raises()

        def asks(x):
            return names.x

        with self.assertRaises(Exception):
            jit.script(asks)


class Threads(TestCase):
    def in_threads(self, functions, seconds=1.0):
        """Calls each function again and again in a thread of its own."""
        failures, stop = [], threading.Event()

        def work(function):
            try:
                while not stop.is_set():
                    function()
            except BaseException as failure:
                failures.append(failure)
                stop.set()

        threads = [threading.Thread(target=work, args=(function,)) for function in functions]
        for one in threads:
            one.start()
        stop.wait(seconds)
        stop.set()
        for one in threads:
            one.join()
        if failures:
            raise failures[0]

    def test_compiled_functions_run_at_once(self):
        def steps(x):
            for i in range(3):
                x = x * 2 + i
            return x

        compiled = jit.script(steps)
        x = tsc.ones(1000)
        self.in_threads([lambda: self.assertEqual(compiled(x)[0].item(), 12)] * 4)

    def test_threads_compile_and_trace_at_once(self):
        number = itertools.count()

        def compile_one():
            self.assertTensor(jit.script(add_one)(tsc.ones(1), 2), [3])
            graph = jit.script(add_one).graph.copy()
            function = jit.create_function_from_graph("of_threads", graph)
            self.assertTensor(function(tsc.ones(1), 2), [3])
            next(number)

        def trace_one():
            self.assertTensor(jit.trace(lambda x: x * 3, (tsc.ones(1),))(tsc.ones(1) * 2), [6])

        self.in_threads([compile_one, compile_one, trace_one, trace_one])
        self.assertGreater(next(number), 0)


class Graphs(TestCase):
    """Nodes that no compiler makes."""

    KINDS = """prim::If prim::Loop prim::Constant prim::GetAttr prim::SetAttr prim::HasAttr prim::CreateObject
        prim::CallFunction prim::CallMethod prim::InterfaceCall prim::TupleIndex prim::TupleSlice prim::TupleUnpack
        prim::TupleConstruct prim::ListConstruct prim::ListUnpack prim::DictConstruct prim::isinstance prim::unchecked_cast
        prim::Uninitialized prim::RaiseException prim::Print prim::EnumName prim::Enter prim::Exit prim::fork prim::tolist
        prim::Param prim::Return prim::profile prim::Guard prim::BailOut prim::ConstantChunk aten::add aten::wait
        aten::append""".split()

    def test_any_node_is_refused_or_runs(self):
        for kind, inputs, outputs, blocks, type_of_result in itertools.product(
                self.KINDS, (0, 1, 3), (0, 1, 2), (0, 1), ("Tensor", "int")):
            graph = jit.parse_ir("graph(%x : Tensor):\n  return (%x)")
            node = graph.create(kind, [next(graph.inputs())] * inputs, outputs)
            for _ in range(blocks):
                node.addBlock()
            graph.appendNode(node)
            for output in node.outputs():
                output.setType(jit.parse_type(type_of_result))
                graph.registerOutput(output)
            str(graph)
            try:
                graph.lint()
            except RuntimeError:
                continue
            function = jit.create_function_from_graph("of_any_node", graph)
            for use in (lambda: function(tsc.ones(2)), lambda: function.code, lambda: jit.passes.run(graph, "O2"),
                        lambda: function.save_to_buffer()):
                try:
                    use()
                except (RuntimeError, TypeError, ValueError, NotImplementedError):
                    pass

    def test_changes_that_no_graph_can_have(self):
        graph = jit.script(calls_back).graph.copy()
        block = graph.block()
        with self.assertRaisesRegex(RuntimeError, "nothing comes before a block's parameters"):
            graph.setInsertPoint(block.paramNode())
        node = next(graph.nodes())
        aliases = graph.alias_db()
        for move, end in ((aliases.move_before_topologically_valid, block.paramNode()),
                          (aliases.move_after_topologically_valid, block.returnNode())):
            with self.assertRaisesRegex(RuntimeError, "stay where they are"):
                move(node, end)
            with self.assertRaisesRegex(RuntimeError, "stay where they are"):
                move(end, node)
        loose = graph.create("prim::If", [], 0)
        inner = loose.addBlock()
        graph.setInsertPoint(inner)
        within = graph.insertConstant(1).node()
        with self.assertRaisesRegex(RuntimeError, "both are in a block"):
            within.isBefore(node)

    def test_types_that_change_under_a_node(self):
        graph = jit.parse_ir("""graph(%x : Tensor, %n : int):
          %y : Tensor = aten::mul(%x, %n)
          return (%y)""")
        node, number = next(graph.nodes()), list(graph.inputs())[1]
        self.assertIn("Scalar", node.schema())
        number.setType(jit.parse_type("List[Tensor]"))
        self.assertEqual(node.schema(), "(no schema)")
        with self.assertRaises(RuntimeError):
            jit.create_function_from_graph("of_other_types", graph)(tsc.ones(2), [tsc.ones(2)])

    def test_names_that_no_text_can_have(self):
        graph = jit.parse_ir("graph(%x : Tensor):\n  %y : Tensor = aten::neg(%x)\n  return (%y)")
        node, value = next(graph.nodes()), next(graph.inputs())
        for name in ("\xe9", "a b", "a\0b", "x,y", "%", "\n"):
            for use in (lambda: value.setDebugName(name), lambda: graph.addInput(name), lambda: node.i_(name, 1),
                        lambda: graph.create("aten::" + name), lambda: graph.create(name + "::x"),
                        lambda: graph.create("aten::neg::" + name)):
                with self.assertRaises(RuntimeError):
                    use()
        with self.assertRaisesRegex(RuntimeError, "Invalid name: '5'"):
            value.setDebugName("5")
        with self.assertRaises(RuntimeError):
            graph.create("add")
        value.setDebugName("x.1")
        self.assertEqual(str(jit.parse_ir(str(graph))), str(graph))

    def test_what_is_wrong_is_said(self):
        def lint_of(kind, inputs=0, outputs=1):
            graph = jit.parse_ir("graph(%x : Tensor):\n  return (%x)")
            graph.appendNode(graph.create(kind, [next(graph.inputs())] * inputs, outputs))
            graph.lint()

        for kind, inputs, message in (("prim::GetAttr", 1, "attribute 'name'"), ("prim::CallFunction", 0, "takes 1 inputs"),
                                      ("prim::ListConstruct", 0, "gives a list"), ("prim::Param", 0, "parameters or results"),
                                      ("aten::relu", 1, None), ("prim::EnumName", 0, "takes 1 inputs")):
            if message is None:
                lint_of(kind, inputs)
                continue
            with self.assertRaisesRegex(RuntimeError, message):
                lint_of(kind, inputs)


if __name__ == "__main__":
    unittest.main()
