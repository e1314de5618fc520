"""Lists, dicts and objects that Python and compiled code share, without torch."""

import collections.abc
import unittest
from typing import Dict, List, Optional

import tsc
from support import TestCase
from tsc import jit


class Counter:
    def __init__(self, n: int):
        self.n = n

    def add(self, k: int):
        self.n += k

    @property
    def twice(self) -> int:
        return 2 * self.n


class Lists(TestCase):
    def setUp(self):
        self.list = jit.script([1, 2, 3])

    def test_compiled_code_changes_it(self):
        @jit.script
        def f(xs: List[int], n: int):
            xs.append(n)

        f(self.list, 4)
        self.assertEqual(self.list, [1, 2, 3, 4])
        self.list[0] = 7
        self.assertEqual(jit.script(total)(self.list), 16)

    def test_it_is_a_list_to_python(self):
        xs = self.list
        self.assertIsInstance(xs, collections.abc.MutableSequence)
        self.assertEqual([len(xs), xs[-1], xs[1:], list(xs), 2 in xs, repr(xs), bool(xs)],
                         [3, 3, [2, 3], [1, 2, 3], True, "[1, 2, 3]", True])
        xs[:2] = [5, 6]
        xs.insert(0, 4)
        xs.extend(range(2))
        del xs[1]
        self.assertEqual(xs, [4, 6, 3, 0, 1])
        self.assertEqual([xs.pop(), xs.pop(0), xs.count(6), xs.index(3)], [1, 4, 1, 1])
        xs.remove(6)
        xs.reverse()
        self.assertEqual(xs, [0, 3])
        xs.clear()
        self.assertFalse(xs)

    def test_errors(self):
        xs = self.list
        for wrong in (lambda: xs[3], lambda: xs.pop(10), lambda: xs.__setitem__(-4, 1), lambda: jit.script([1])[-2]):
            self.assertRaises(IndexError, wrong)
        for wrong in (lambda: xs["a"], lambda: xs.append("a"), lambda: "a" in xs, lambda: xs.extend(["a"]),
                      lambda: xs.count("a"), lambda: xs.remove("a"), lambda: xs.__setitem__(0, "a")):
            self.assertRaises(TypeError, wrong)
        self.assertRaises(ValueError, lambda: xs.remove(9))
        with self.assertRaisesRegex(RuntimeError, "Could not infer type of list"):
            jit.script([1, "a"])

    def test_lists_of_others(self):
        words = jit.create_script_list(["a", "b"])
        words.append("c")
        self.assertEqual(words, ["a", "b", "c"])
        nested = jit.script([[1], [2, 3]])
        nested.append([4])
        self.assertEqual(nested, [[1], [2, 3], [4]])


class Dicts(TestCase):
    def test_compiled_code_changes_it(self):
        @jit.script
        def f(entries: Dict[str, int], key: str):
            entries[key] = len(entries)

        shared = jit.script({"a": 5})
        f(shared, "b")
        self.assertEqual(shared, {"a": 5, "b": 1})

    def test_it_is_a_dict_to_python(self):
        d = jit.create_script_dict({1: 2, 3: 4})
        self.assertIsInstance(d, collections.abc.MutableMapping)
        self.assertEqual([len(d), d[3], 1 in d, list(d), dict(d.items()), d.get(9), repr(d)],
                         [2, 4, True, [1, 3], {1: 2, 3: 4}, None, "{1: 2, 3: 4}"])
        d[5] = 6
        del d[1]
        self.assertEqual(d.pop(3), 4)
        d.update({7: 8})
        self.assertEqual(d, {5: 6, 7: 8})

    def test_errors(self):
        d = jit.script({1: 2})
        for wrong in (lambda: d[2], lambda: d["a"], lambda: "a" in d, lambda: d.__delitem__(4)):
            self.assertRaises(KeyError, wrong)
        for wrong in (lambda: d.__setitem__("a", 1), lambda: d.__setitem__(1, "a"), lambda: d.__delitem__("a")):
            self.assertRaises(TypeError, wrong)


class Objects(TestCase):
    def test_an_instance_goes_in_and_out(self):
        @jit.script
        def f(counter: Counter) -> Counter:
            counter.add(2)
            return counter

        given = Counter(1)
        found = f(given)
        self.assertIsInstance(found, Counter)
        self.assertEqual((given.n, found.n), (1, 3))

    def test_a_scripted_one_is_shared(self):
        @jit.script
        def f(counter: Counter):
            counter.add(2)

        shared = jit.script(Counter(1))
        f(shared)
        self.assertEqual((shared.n, shared.twice), (3, 6))
        shared.add(1)
        shared.n += 1
        self.assertEqual(shared.n, 5)

    def test_an_object_that_holds_itself(self):
        @jit.script
        class Ring:
            def __init__(self):
                self.next: Optional["Ring"] = None

        @jit.script
        def f() -> Ring:
            ring = Ring()
            ring.next = ring
            return ring

        self.assertRaises(RecursionError, f)

    def test_attributes_of_wrong_types(self):
        @jit.script
        def f(counter: Counter) -> int:
            return counter.n

        with self.assertRaisesRegex(TypeError, "attribute 'n' is a str, and should be a int"):
            f(Counter("a"))


class DefaultDTypes(TestCase):
    def tearDown(self):
        tsc.set_default_dtype(tsc.float32)

    def test_numbers_follow_it(self):
        f = jit.script(numbers)
        for dtype in (tsc.float64, tsc.float32, tsc.float64):
            tsc.set_default_dtype(dtype)
            for _ in range(3):
                self.assertEqual({part.dtype for part in f(tsc.arange(3))}, {dtype})
            self.assertIs(tsc.tensor(1.5).dtype, dtype)
            self.assertIs((tsc.arange(2) * 0.5).dtype, dtype)
            self.assertIs(tsc.Tensor([1]).dtype, dtype)
            self.assertEqual(repr(tsc.tensor([1.5])), "tensor([1.5000])")

    def test_only_floating_ones(self):
        with self.assertRaisesRegex(TypeError, "only floating-point types are supported as the default type"):
            tsc.set_default_dtype(tsc.int64)


def total(xs: List[int]) -> int:
    return sum(xs)


def numbers(x: tsc.Tensor):
    return [tsc.zeros(2), x * 1.5, x / 2, tsc.tensor(1.5)]


if __name__ == "__main__":
    unittest.main()
