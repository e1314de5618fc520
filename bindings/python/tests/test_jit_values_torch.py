"""Values of compiled code with torch: default dtypes, random numbers, gradients, sparse tensors, defaults."""

import tempfile
import time
import unittest
from typing import Dict, List

from support import TestCase

try:
    import torch
except ImportError:
    torch = None

if torch is not None:
    import tsc
    from tsc import jit

    class Holder:
        def __init__(self, x, n: int):
            self.x = x
            self.n = n

        def doubled(self):
            return self.x * 2


@unittest.skipIf(torch is None, "needs torch")
class DefaultDTypes(TestCase):
    def setUp(self):
        self.before = torch.get_default_dtype()

    def tearDown(self):
        torch.set_default_dtype(self.before)

    def test_every_call_follows_torch(self):
        def f(x):
            parts = [torch.zeros(2), x * 1.5, x / 2, torch.tensor(1.5), torch.arange(0., 2.), torch.full([1], 2.), x.sqrt()]
            return parts, torch.get_default_dtype()

        compiled = jit.script(f)
        for dtype in (torch.float32, torch.float64, torch.float32, torch.float64, torch.float16, torch.float64):
            torch.set_default_dtype(dtype)
            for _ in range(4):  # the later calls have plans
                parts, default = compiled(torch.arange(3))
                self.assertEqual({part.dtype for part in parts}, {dtype})
                self.assertEqual(default, {torch.float32: 6, torch.float64: 7, torch.float16: 5}[dtype])
        self.assertIs(tsc.get_default_dtype(), tsc.float32)

    def test_complex_numbers(self):
        torch.set_default_dtype(torch.float64)
        self.assertIs(jit.script(lambda x: x * 1j)(torch.arange(2)).dtype, torch.complex128)

    def test_tensors_with_fractions_keep_theirs(self):
        torch.set_default_dtype(torch.float64)
        f = jit.script(lambda x: x * 1.5 + 2)
        self.assertIs(f(torch.ones(2, dtype=torch.float32)).dtype, torch.float32)
        self.assertIs(f(torch.ones(2, dtype=torch.float16)).dtype, torch.float16)


@unittest.skipIf(torch is None, "needs torch")
class RandomNumbers(TestCase):
    def same(self, compiled, plain, *args):
        torch.manual_seed(7)
        first, behind = compiled(*args), torch.randn(3)
        torch.manual_seed(7)
        self.assertTrue(torch.equal(first, plain(*args)))
        self.assertTrue(torch.equal(behind, torch.randn(3)))

    def test_one_sequence_in_both(self):
        def f(x):
            return torch.cat([torch.rand_like(x), torch.randn_like(x), torch.dropout(x, 0.5, True)])

        for n in (1, 3, 17, 700):
            self.same(jit.script(f), f, torch.ones(n))

    def test_functions_of_pythons_draw_between(self):
        @jit.ignore
        def inner(x: torch.Tensor) -> torch.Tensor:
            return x + torch.rand(2)

        def f(x):
            return torch.rand(2) + inner(x) * torch.rand(2)

        self.same(jit.script(f), f, torch.ones(2))

    def test_functions_that_draw_nothing_leave_the_state(self):
        f = jit.script(lambda x: x * 2)
        before = torch.get_rng_state()
        f(torch.ones(2))
        self.assertTrue(torch.equal(before, torch.get_rng_state()))
        self.assertFalse(f._callable()._draws)


@unittest.skipIf(torch is None, "needs torch")
class Gradients(TestCase):
    def test_backward_in_compiled_code(self):
        def f(x):
            (torch.relu(x) ** 2).sum().backward()

        x = torch.randn(2, 2, requires_grad=True)
        y = x.detach().requires_grad_()
        f(x)
        jit.script(f)(y)
        self.assertTrue(torch.allclose(x.grad, y.grad))

    def test_backward_goes_on_behind_the_argument(self):
        x = torch.ones(2, requires_grad=True)
        jit.script(lambda y: (y * 3).sum().backward())(x * 2)
        self.assertTrue(torch.equal(x.grad, torch.full((2,), 6.)))

    def test_gradients_are_read(self):
        x = torch.ones(2, requires_grad=True)
        (x * 2).sum().backward()
        self.assertTrue(torch.equal(jit.script(lambda x: x.grad)(x), x.grad))
        self.assertIsNone(jit.script(lambda x: x.grad)(torch.ones(2)))

    def test_leaves_that_compiled_code_makes(self):
        def f():
            a = torch.tensor(2.5, requires_grad=True)
            return a, a * 2

        a, b = jit.script(f)()
        self.assertTrue(a.is_leaf and a.requires_grad)
        b.backward()
        self.assertEqual(a.grad, 2)

    def test_modules_keep_histories_when_they_have_plans(self):
        class Squares(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = torch.nn.Parameter(torch.ones(2))

            def forward(self, x):
                return x * x * self.weight

        for _ in range(2):  # the second module has the first one's code
            module = jit.script(Squares())
            for call in (module, module.forward):
                for _ in range(15):
                    x = torch.ones(2, requires_grad=True)
                    gradients = torch.autograd.grad(call(x).sum(), (x, module.weight))
                    self.assertEqual([one.tolist() for one in gradients], [[2, 2], [1, 1]])
                    time.sleep(0.01)  # for the plan, which another thread makes

    def test_a_tensor_that_comes_back_is_the_same_one(self):
        x = torch.ones(2, requires_grad=True)
        f = jit.script(lambda x: x.to(x))
        self.assertIs(f(x), x)
        y = torch.ones(2)
        self.assertIs(f(y), y)


    def test_gradients_go_through_functions_of_pythons(self):
        weight = torch.full((2,), 3., requires_grad=True)

        @jit.ignore
        def inner(x: torch.Tensor) -> torch.Tensor:
            return (x * weight).sin()

        def f(x, y):
            z = inner(x * y)
            return z * y + inner(x)

        def gradients(function):
            x, y = torch.tensor([.1, .2], requires_grad=True), torch.tensor([.5, .3], requires_grad=True)
            first = torch.autograd.grad(function(x, y).sum(), (x, y, weight), create_graph=True)
            return [*first, *torch.autograd.grad(sum(one.sum() for one in first), (x, y, weight))]

        compiled = jit.script(f)
        for _ in range(3):
            for one, other in zip(gradients(compiled), gradients(f)):
                torch.testing.assert_close(one, other)

        @jit.script
        def without(x):
            with torch.no_grad():
                return inner(x)

        self.assertFalse(without(torch.ones(2, requires_grad=True)).requires_grad)
        self.assertTrue(compiled(torch.ones(2), torch.ones(2)).requires_grad)  # because of the weight


@unittest.skipIf(torch is None, "needs torch")
class Values(TestCase):
    def test_sparse_tensors(self):
        x = torch.eye(3).to_sparse()

        @jit.script
        def f(x, y):
            return torch.mm(x, y), x

        product, same = f(x, torch.ones(3, 3))
        self.assertTrue(torch.equal(product, torch.ones(3, 3)))
        self.assertTrue(torch.equal(same.to_dense(), x.to_dense()))
        made = jit.script(lambda x: x.to_sparse())(torch.eye(3))
        self.assertIs(made.layout, torch.sparse_coo)
        self.assertTrue(torch.equal(made.to_dense(), torch.eye(3)))

    def test_tensors_where_numbers_are_wanted(self):
        @jit.script
        def f(n: int, by_name: Dict[str, int], x: float) -> List[float]:
            return [float(n + by_name["a"]), x]

        self.assertEqual(f(torch.tensor(2), {"a": torch.ones(1)}, torch.tensor([0.5])), [3, 0.5])
        with self.assertRaisesRegex(RuntimeError, "Expected a value of type 'int' for argument 'n'"):
            f(torch.tensor(1.5), {"a": 1}, 0.0)

    def test_numbers_that_become_tensors(self):
        def f(x):
            total = 0
            total += x
            total -= 2 * x
            return total

        self.assertEqual(jit.script(f)(torch.ones(2)).tolist(), f(torch.ones(2)).tolist())

    def test_qschemes_are_numbers(self):
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.scheme = torch.per_channel_affine

            def forward(self) -> bool:
                return self.scheme == torch.per_channel_affine and self.scheme != torch.per_tensor_symmetric

        self.assertTrue(jit.script(Net())())

    def test_devices_by_name(self):
        @jit.script
        def f() -> List[torch.device]:
            return [torch.device(type="cuda"), torch.device(type="cuda", index=1)]

        self.assertEqual([str(one) for one in f()], ["cuda", "cuda:1"])

    def test_names_that_torch_alone_has(self):
        import torch.jit._logging  # which torch does not import by itself

        @jit.script
        def f(x: int) -> int:
            begin = torch.jit._logging.time_point()
            torch.jit._logging.add_stat_value("calls", x)
            if torch.backends.cudnn.enabled:
                x += 1
            return x + int(torch.jit._logging.time_point() < begin)

        self.assertEqual(f(2), 2 + torch.backends.cudnn.enabled)

        def logs(x):
            torch.jit._logging.add_stat_value("traced", 3)
            return x + 1

        traced = jit.trace(logs, torch.ones(1), check_trace=False)
        self.assertIn("prim::AddStatValue", str(traced.graph))
        self.assertEqual(traced(torch.ones(1)).item(), 2)

    def test_saved_values(self):
        @jit.script
        def f(x: torch.Tensor, file: str):
            torch.save((x, x[0], 3, {"a": "b"}), file)

        with tempfile.TemporaryDirectory() as folder:
            f(torch.ones(2, 2), folder + "/x.pt")
            x, row, number, names = torch.load(folder + "/x.pt")
        row += 1
        self.assertEqual((x.tolist(), number, names), ([[2, 2], [1, 1]], 3, {"a": "b"}))

    def test_unknown_annotations(self):
        def f(x: Dict[str, torch.jit.ScriptModule]):
            return x

        with self.assertRaisesRegex(ValueError, "Unknown type annotation"):
            jit.script(f)

    def test_conjugates(self):
        x = torch.tensor([[1 + 2j, 3j]])
        self.assertTrue(torch.equal(jit.script(lambda x: x.mH)(x), x.mH.resolve_conj()))

    def test_defaults_are_objects(self):
        four, size = torch.tensor(4.), 2

        @jit.script
        def f(x, y=four, n: int = size + 1):
            return x + y * n

        self.assertEqual(f(torch.ones(1)), 13)
        self.assertEqual(f(torch.ones(1), torch.tensor(1.), 1), 2)

    def test_instances_of_classes(self):
        @jit.script
        def f(holder: Holder) -> Holder:
            return Holder(holder.doubled(), holder.n + 1)

        given = Holder(torch.ones(2, requires_grad=True), 3)
        found = f(given)
        self.assertIsInstance(found, Holder)
        self.assertEqual(found.n, 4)
        found.x.sum().backward()
        self.assertTrue(torch.equal(given.x.grad, torch.full((2,), 2.)))

    def test_lists_of_tensors_are_shared(self):
        @jit.script
        def f(xs: List[torch.Tensor]):
            xs.append(xs[0] * 2)

        shared = jit.script([torch.ones(1)])
        f(shared)
        self.assertIsInstance(shared[1], torch.Tensor)
        self.assertEqual(shared[1], 2)


if __name__ == "__main__":
    unittest.main()
