"""Lists, tuples and dicts of torch's tensors that C++ takes and gives without Python's code."""

import gc
import sys
import unittest
from typing import Dict, List, Optional, Tuple

from support import TestCase
from torch_calls import assert_keeps_memory, in_cpp, torch

if torch is not None:
    from tsc import jit

    def back(xs: List[torch.Tensor]):
        return xs

    class OfLists(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.full((2,), 3.0))

        def forward(self, xs: List[torch.Tensor], by: Tuple[float, Optional[torch.Tensor]] = (1.0, None)):
            made = torch.jit.annotate(List[torch.Tensor], [])
            for x in xs:
                made.append(x * self.weight * by[0])
            return made

    def view_as(x, sizes: List[int]):
        return x.reshape(sizes)


def torch_script(function):
    """Compiles a function by torch.jit."""
    import warnings
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that it is old
        return torch.jit.script(function)


@unittest.skipIf(torch is None, "needs torch")
class Containers(TestCase):
    """Lists, tuples and dicts as arguments and results."""

    def test_lists_of_tensors(self):
        @jit.script
        def total(xs: List[torch.Tensor], by: float):
            if len(xs) == 0:
                return torch.full([2], -1.0)
            return torch.stack(xs).sum(0) * by

        total([torch.ones(2)], 1.0)
        with in_cpp(total):
            for count in (1, 2, 9, 300):
                xs = [torch.rand(2) for _ in range(count)]
                expected = torch.stack(xs).sum(0) * 2
                torch.testing.assert_close(total(xs, 2.0), expected)
                torch.testing.assert_close(total(tuple(xs), by=2.0), expected)
            jit.use_torch(torch)  # nothing else says whose tensor the result is
            try:
                self.assertTrue(torch.equal(total([], 2.0), torch.full([2], -1.0)))
            finally:
                jit.use_torch(None)

    def test_others(self):
        @jit.script
        def f(pair: Tuple[torch.Tensor, int], sizes: List[int], table: Dict[str, List[torch.Tensor]],
              numbers: List[float], flags: Optional[List[bool]] = None, text: Optional[str] = None):
            scale = numbers[0] if flags is None else float(flags[0])
            return pair[0].reshape(sizes) * pair[1] + table["x"][0] * scale, flags, {"sizes": sizes}, text

        x = torch.arange(6.0)
        first = torch.ones(1)
        f((x, 2), [2, 3], {"x": [first]}, [0.5])
        with in_cpp(f):
            for more, scale in (((), 0.5), (([False, True],), 0.0), ((None, "a"), 0.5)):
                made, flags, sizes, text = f((x, 2), [2, 3], {"x": [first], "y": []}, [0.5, 1.5], *more)
                self.assertEqual(made.tolist(), (x.reshape(2, 3) * 2 + scale).tolist())
                self.assertEqual(flags, more[0] if more else None)
                self.assertEqual(sizes, {"sizes": [2, 3]})
                self.assertEqual(text, more[1] if len(more) == 2 else None)

    def test_keys(self):
        @jit.script
        def f(table: Dict[int, torch.Tensor], other: Dict[torch.Tensor, int]):
            return table, other

        x, key = torch.ones(2), torch.zeros(1)
        f({}, {})
        with in_cpp(f):
            table, other = f({3: x, 1: key}, {key: 5})
        self.assertEqual(list(table), [3, 1])
        self.assertIs(table[3], x)
        self.assertIs(next(iter(other)), key)
        with self.assertRaisesRegex(TypeError, "a key of a dict"):
            f({None: x}, {})

    def test_identity(self):
        """The list is a copy, and its tensors are those that were given."""
        @jit.script
        def f(xs: List[torch.Tensor], x: torch.Tensor):
            y = xs[0]
            xs.append(x)
            xs[1] = y
            return xs

        f([torch.ones(2), torch.ones(2)], torch.ones(2))
        for count in (2, 20):
            xs, x = [torch.rand(2) for _ in range(count)], torch.nn.Parameter(torch.rand(2))
            with in_cpp(f):
                made = f(xs, x)
            self.assertEqual(len(xs), count)
            for one, other in zip(made, [xs[0], xs[0], *xs[2:], x]):
                self.assertIs(one, other)
            with in_cpp(f):
                made = f([x] * count, x)
            self.assertTrue(all(one is x for one in made))

    def test_writes_are_seen(self):
        @jit.script
        def f(xs: List[torch.Tensor], table: Dict[str, torch.Tensor]):
            for x in xs:
                x.add_(1)
            return table["x"] * 2

        x, y = torch.zeros(2), torch.zeros(2)
        f([x], {"x": x})
        with in_cpp(f):
            result = f([x, y, x], {"x": x})
        self.assertEqual((x.tolist(), y.tolist(), result.tolist()), ([3, 3], [1, 1], [6, 6]))

    def test_gradients(self):
        @jit.script
        def f(xs: List[torch.Tensor], pair: Tuple[torch.Tensor, float]):
            made = torch.zeros_like(pair[0])
            for x in xs:
                made = made + x * x * pair[0]
            return made * pair[1]

        f([torch.ones(2)], (torch.ones(2), 1.0))
        for count in (1, 20):
            xs = [torch.rand(2, requires_grad=i % 2 == 0) for i in range(count)]
            y = torch.rand(2, requires_grad=True)
            inner = y * 2  # gradients go on in torch
            with in_cpp(f):
                result = f(xs, (inner, 3.0))
                wanted = [one for one in xs if one.requires_grad] + [y]
                found = torch.autograd.grad(result.sum(), wanted)
                with torch.no_grad():
                    self.assertFalse(f(xs, (inner, 3.0)).requires_grad)
            expected = sum(x * x * y * 2 for x in xs) * 3
            for a, b in zip(found, torch.autograd.grad(expected.sum(), wanted)):
                torch.testing.assert_close(a, b)
        self.assertFalse(f([one.detach() for one in xs], (y.detach(), 3.0)).requires_grad)

    def test_results_with_histories(self):
        """Each tensor that is computed has one of torch's, wherever it stands in the result; what was given comes back."""
        @jit.script
        def f(x: torch.Tensor, w: torch.Tensor):
            y = x * w
            return [y, w, x], {"y": y, "z": y + 1}, (1, [y.detach()], y > 0), torch.jit.annotate(List[torch.Tensor], [])

        x, w = torch.ones(2), torch.full((2,), 3.0, requires_grad=True)
        f(x, w)
        with in_cpp(f):
            (y, same_w, same_x), table, (one, (cut,), flags), empty = f(x, w)
        self.assertIs(same_w, w)
        self.assertIs(same_x, x)
        self.assertIs(table["y"], y)
        self.assertEqual((one, flags.tolist(), empty), (1, [True, True], []))
        self.assertEqual([part.requires_grad for part in (y, table["z"], cut, flags)], [True, True, False, False])
        (y * 2 + table["z"]).sum().backward()
        self.assertEqual(w.grad.tolist(), [3, 3])

        @jit.script
        def leaf(x):
            made = torch.ones(2, requires_grad=True)
            return [made, made * x]

        leaf(x)
        with in_cpp(leaf):
            made, product = leaf(x + 2)
            product.sum().backward()
        self.assertTrue(made.is_leaf)
        self.assertEqual(made.grad.tolist(), [3, 3])

    def test_second_gradients(self):
        @jit.script
        def f(xs: List[torch.Tensor]):
            return xs[0] ** 3 * xs[1]

        x, y = torch.full((2,), 2.0, dtype=torch.double, requires_grad=True), torch.ones(2, dtype=torch.double)
        f([x, y])
        with in_cpp(f):
            first, = torch.autograd.grad(f([x, y]).sum(), x, create_graph=True)
            second, = torch.autograd.grad(first.sum(), x)
        self.assertEqual((first.tolist(), second.tolist()), ([12, 12], [12, 12]))

    def test_modules(self):
        module = jit.script(OfLists())
        x = torch.ones(2, requires_grad=True)
        module([x])
        with in_cpp(module):
            one, two = module([x, torch.ones(2)], (2.0, None))
            weight, = module([module.weight])
        (one + two + weight).sum().backward()
        self.assertEqual(x.grad.tolist(), [6, 6])
        self.assertEqual(module.weight.grad.tolist(), [10, 10])

    def test_errors(self):
        """PyTorch's words, as far as it has some."""
        f, of_ints = jit.script(back), jit.script(view_as)
        x = torch.ones(2)
        f([x])
        of_ints(x, [2])
        with in_cpp(f):
            for wrong, kind in (([x, 1], "list"), ([x, None], "list"), ([[x]], "list"), (["a"], "list"), ({"a": x}, "dict"),
                                (x, "Tensor")):
                before = sys.getrefcount(x)
                for called in (f, torch_script(back)):
                    with self.assertRaises(RuntimeError) as raised:
                        called(wrong)
                    self.assertIn("back() Expected a value of type 'List[Tensor]' for argument 'xs' but instead found type "
                                  f"'{kind}'.\nPosition: 0\nValue: {wrong!r}\nDeclaration: back(Tensor[] xs) -> ",
                                  str(raised.exception))
                del raised
                self.assertEqual(sys.getrefcount(x), before)
            with self.assertRaisesRegex(RuntimeError, "Expected a value of type 'List\\[int\\]' for argument 'sizes'"):
                of_ints(x, [2, 1.5])
            with self.assertRaises(OverflowError):
                of_ints(x, [2 ** 70])
            self.assertEqual(of_ints(x, [2, 1]).shape, (2, 1))

    def test_own_tensors(self):
        import tsc
        f = jit.script(back)
        x = tsc.ones(2, requires_grad=True)
        f([x])
        with in_cpp(f):
            made = f([x, tsc.zeros(2)])
        self.assertTrue(made[0].is_same(x))
        self.assertIsInstance(made[1], tsc.Tensor)

    def test_nothing_is_kept(self):
        f = jit.script(back)
        for xs in ([torch.ones(2)], [torch.ones(2) for _ in range(20)]):
            f(xs)
            x, table = xs[-1], {"a": xs}
            before = sys.getrefcount(x), sys.getrefcount(xs), sys.getrefcount(None)
            with in_cpp(f):
                for _ in range(1000):
                    f(xs)
            gc.collect()
            after = sys.getrefcount(x), sys.getrefcount(xs), sys.getrefcount(None)
            self.assertEqual(after[:2], before[:2])
            self.assertLess(abs(after[2] - before[2]), 100)
            self.assertIs(table["a"], xs)
            x.resize_(1000).fill_(3)  # compiled code has it no longer
            self.assertIs(f(xs)[-1], x)

    def test_views_of_elements(self):
        @jit.script
        def f(xs: List[torch.Tensor]):
            return [x[1:] for x in xs]

        f([torch.ones(2)])
        with in_cpp(f):
            assert_keeps_memory(self, lambda x: f([x])[0])
